"use strict";
// What a lesson in JupyterLite says beside the lesson: that it has changed, and what to do about a cell that doesn't end.
(() => {
  const LONG = 20; // seconds; no cell of ours takes as long
  const path = new URLSearchParams(location.search).get("path");
  let started = null, seconds = 0, said = null; // the kernel that was idle once, how long it has been busy, what is said of it

  function say(html, button, press) {
    const box = document.createElement("div");
    box.className = "attn-notice";
    box.setAttribute("role", "status");
    document.body.append(box);
    box.innerHTML = `<p>${html}</p>`; // after it is in the page, so that it is read aloud
    for (const [label, act] of [[button, press], ["Close", null]].filter(([label]) => label)) {
      const key = box.appendChild(document.createElement("button"));
      key.textContent = label;
      key.onclick = () => { box.remove(); act?.(); };
    }
    return box;
  }

  async function renewed() {
    const kept = path && await window.editions.renew(path);
    if (!kept) return;
    const link = `?path=${encodeURIComponent(kept)}`;
    say(`This lesson has changed since you worked on it, so here is the new one. Your notebook with your answers is kept:
      <a href="${link}" target="_blank">${kept.split("/").pop()}</a>. Your other files are where they were.`);
  }

  // Python runs in a worker of this page, where nothing can interrupt it: it can only be started again.
  function watch() {
    const session = window.jupyterapp?.shell.currentWidget?.sessionContext, kernel = session?.session?.kernel;
    if (kernel?.status !== "busy" || kernel.id !== started) {
      if (kernel?.status === "idle") started = kernel.id;
      said?.remove();
      [seconds, said] = [0, null];
    } else if (++seconds === LONG) {
      said = say(`A cell has been running for ${LONG} seconds. If it never ends, restart Python: that takes about ten seconds,
        and nothing you wrote is lost. Then run the cells again from the top.`, "Restart Python", () => session.restartKernel());
    }
  }

  // where a link to another lesson leads first
  if (/\/tree\/(index\.html)?$/.test(location.pathname) && path?.endsWith(".ipynb")) {
    location.replace(`../notebooks/index.html?path=${encodeURIComponent(path)}`);
  }

  // without a service worker Python doesn't see the files
  if (location.protocol === "file:" || !navigator.serviceWorker) {
    addEventListener("DOMContentLoaded", () => say(`Notebooks can't run here: a browser runs them only from a site with https or
      from its own machine, and Firefox not in a private window. With these pages in a folder, type
      <code>python -m http.server</code> there and open <a href="http://localhost:8000/index.html">http://localhost:8000</a>.`));
  }
  window.lessonIsReady = renewed().catch(problem => console.warn(problem)); // without storage there is no old copy either
  setInterval(watch, 1000);
})();
