// What scrolls sideways can be reached and scrolled by keyboard too.
function reachScrollable() {
  for (const box of document.querySelectorAll("pre, .table-wrapper, .output.text_html, mjx-container")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
addEventListener("load", () => {
  reachScrollable();
  window.MathJax?.startup?.promise.then(reachScrollable);
});
addEventListener("resize", reachScrollable);
addEventListener("toggle", reachScrollable, true); // a fold opened: what is in it has a width only now
