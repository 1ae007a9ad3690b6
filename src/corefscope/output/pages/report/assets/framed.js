// @ts-check
/* Links within the page. In a frame without an origin, browsers refuse to follow them where the page is a blob. */

import { around } from "./dom.js";

/** Follow the links of such a frame by script. */
export function startLinks() {
  if (window.origin !== "null" || window.location.protocol !== "blob:") return;
  document.addEventListener("click", (event) => {
    const link = around(event, 'a[href^="#"]');
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    const hash = link.getAttribute("href") || "";
    window.history.pushState(null, "", hash);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
    document.getElementById(hash.slice(1))?.scrollIntoView({ behavior: "instant" });
  });
}
