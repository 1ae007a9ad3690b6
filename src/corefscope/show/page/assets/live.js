/* Only in pages that `corefscope serve` shows: load again when a file has changed, say so when one is broken. */

const LOOK_AGAIN = 1000;

function liveBanner(text) {
  let banner = byId("live");
  if (!text) {
    if (banner) banner.remove();
    return;
  }
  if (!banner) {
    banner = make("p", { id: "live", class: "live", role: "status" });
    document.body.prepend(banner);
  }
  banner.textContent = text;
}

async function lookAgain(shown) {
  try {
    const answer = await fetch("version", { cache: "no-store" });
    const { version, error } = await answer.json();
    if (error) liveBanner(error);
    else if (version !== shown) return window.location.reload();
    else liveBanner("");
  } catch {
    liveBanner("The server is gone: run corefscope serve again.");
  }
  window.setTimeout(lookAgain, LOOK_AGAIN, shown);
}

{
  const shown = document.documentElement.dataset.version;
  if (shown) window.setTimeout(lookAgain, LOOK_AGAIN, shown);
}
