// What scrolls sideways can be reached and scrolled by keyboard too, and says what it is.
const SCROLLING = {
  pre: "Code or output",
  ".table-wrapper": "Table",
  ".output.text_html": "Output",
  "mjx-container": "Formula",
  ".attn-picture": "Picture",
};
function reachScrollable() {
  for (const [kind, name] of Object.entries(SCROLLING)) {
    for (const box of document.querySelectorAll(kind)) {
      const scrolls = box.scrollWidth > box.clientWidth;
      const attributes = { tabindex: 0, role: "group", "aria-label": `${name}, scrolls sideways` };
      for (const [attribute, value] of Object.entries(attributes)) {
        if (scrolls) box.setAttribute(attribute, value);
        else box.removeAttribute(attribute);
      }
      showMore(box);
    }
  }
}
// Whether more is to be seen on the right.
function showMore(box) {
  box.toggleAttribute("data-more", box.scrollWidth - box.clientWidth - box.scrollLeft > 4);
}
addEventListener("scroll", ({ target }) => target.matches?.('[aria-label$="sideways"]') && showMore(target), true);
addEventListener("load", () => {
  for (const image of document.querySelectorAll(".cell_output img"))
    image.style.setProperty("--natural", `${image.naturalWidth}px`);
  reachScrollable();
  window.MathJax?.startup?.promise.then(reachScrollable);
});
addEventListener("resize", reachScrollable);
addEventListener("attn-shown", reachScrollable);
addEventListener("toggle", reachScrollable, true); // a fold opened: what is in it has a width only now
// The list of contents goes while something wide is where it is.
let inTheWay;
function watchContents() {
  const { left } = document.querySelector(".toc-drawer").getBoundingClientRect();
  const wide = new Set();
  inTheWay?.disconnect();
  inTheWay = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) wide[isIntersecting ? "add" : "delete"](target);
      document.body.toggleAttribute("data-wide", wide.size > 0);
    },
    { rootMargin: `0px 0px 0px -${left}px` },
  );
  if (left < innerWidth) document.querySelectorAll(".cell_output > .output").forEach((box) => inTheWay.observe(box));
}
for (const when of ["load", "resize"]) addEventListener(when, watchContents);
// A fold is called what its summary says, "Show the answer".
// The menu's groups are headings without a level.
addEventListener("DOMContentLoaded", () => {
  for (const caption of document.querySelectorAll("[role=heading]:not([aria-level])")) caption.ariaLevel = 2;
  for (const summary of document.querySelectorAll("details.hide > summary")) summary.removeAttribute("aria-label");
});
// The plan of each lesson was a section of TEACHING.html once.
const plan = /TEACHING\.html#lesson-(\d\d)-/.exec(location.href);
if (plan) location.replace(`attn_lessons/lesson${plan[1]}/teaching.html`);
