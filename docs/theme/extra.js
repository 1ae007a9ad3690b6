// Tables that are wider than the screen can be scrolled with the keyboard.
const reachWideTables = () => {
  for (const wrap of document.querySelectorAll(".md-typeset__scrollwrap")) {
    if (wrap.scrollWidth > wrap.clientWidth) wrap.tabIndex = 0;
    else wrap.removeAttribute("tabindex");
  }
};
for (const event of ["load", "resize"]) window.addEventListener(event, reachWideTables);
