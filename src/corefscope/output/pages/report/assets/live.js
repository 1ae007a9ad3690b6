// @ts-check
/* Only in pages that `corefscope serve` shows: load again when a file has changed, say so when one is broken. */

import { make } from "./dom.js";

const LOOK_AGAIN = 1000;

/** Say something above the page, or nothing. @param {string} text */
function showBanner(text) {
  const banner = document.getElementById("live") || make("p", { id: "live", class: "live", role: "status" });
  banner.textContent = text;
  if (!text) banner.remove();
  else if (!banner.isConnected) document.body.prepend(banner);
}

/** Ask the server whether there is a newer page. @param {string} shown the version of this one */
async function lookAgain(shown) {
  try {
    const answer = await fetch("version", { cache: "no-store" });
    const { version, error } = await answer.json();
    if (!error && version !== shown) return window.location.reload();
    showBanner(error);
  } catch {
    showBanner("The server is gone: run corefscope serve again.");
  }
  setTimeout(lookAgain, LOOK_AGAIN, shown);
}

const version = document.documentElement.dataset.version;
if (version) setTimeout(lookAgain, LOOK_AGAIN, version);
