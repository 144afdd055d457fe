// A deck of slides: reveal.js started once the formulas are drawn, and each slide fitted to its 1280 by 720.
const WIDTH = 1280;
const HEIGHT = 720;
const WIDEST = 1208; // a picture, and how much larger than it is by itself
const LARGEST = 1.5;
const SMALL = 0.6; // of that, for an explorer, whose letters grow
const LEGIBLE = 0.9; // of a figure by itself
const TEXT = [32, 30, 28, 26, 25, 24, 23, 22, 21]; // pixels
const CODE = [24, 20];
const LETTER = 0.602; // how wide a letter of code is, of its size

const shown = (part) => part.getClientRects().length > 0;
const natural = (picture) => picture.naturalWidth || picture.width.baseVal.value;

function size(pictures, scale) {
  for (const picture of pictures) {
    const box = picture.closest(".attn-picture") || picture;
    box.style.width = `${Math.min(WIDEST, LARGEST * natural(picture)) * scale}px`;
  }
}

// How small a picture may be, of the largest that it can be.
function smallest(picture) {
  if (picture.closest(".attn-explorer")) return SMALL;
  return (LEGIBLE * Math.min(WIDEST, natural(picture))) / Math.min(WIDEST, LARGEST * natural(picture));
}

// Each line a box of its own: one that is too long goes on further right than it begins.
function hangLines() {
  for (const pre of document.querySelectorAll(".reveal pre")) {
    const lines = pre.innerHTML.replace(/\n$/, "").split("\n");
    pre.innerHTML = lines.map((line) => `<span class="line">${line}</span>`).join("");
    for (const line of pre.children) line.style.setProperty("--in", `${line.textContent.search(/\S|$/)}ch`);
  }
}

// Code as large as its longest line allows.
function codeSize(slide) {
  const lines = [...slide.querySelectorAll("pre .line")].filter(shown);
  const longest = Math.max(...lines.map((line) => line.textContent.length), 1);
  return Math.min(CODE[0], Math.max(CODE[1], Math.floor((WIDEST - 20) / (LETTER * longest))));
}

// The largest letters, and below them the largest pictures, with which nothing is cut off.
function fits(slide, least = smallest) {
  const over = () => slide.scrollHeight - HEIGHT;
  const pictures = [...slide.querySelectorAll("img, .attn-shown svg")].filter(shown);
  const code = codeSize(slide);
  for (const text of pictures.length ? TEXT.slice(2) : TEXT) {
    slide.style.setProperty("--text", `${text}px`);
    slide.style.setProperty("--code", `${Math.min(code, Math.max(CODE[1], text - 6))}px`);
    size(pictures, 1);
    if (over() <= 0) return true;
    if (!pictures.length) continue;
    const high = Math.max(...pictures.map((picture) => picture.clientHeight));
    size(pictures, Math.max(...pictures.map(least), (high - over() - 4) / high));
    if (over() <= 0) return true;
  }
  return false;
}

// A figure that code leaves too little room comes in its place, with the next press.
function makeStep(slide) {
  const figures = [...slide.querySelectorAll(".jp-CodeCell .jp-OutputArea-output > img")].filter(shown);
  for (const figure of figures) figure.parentElement.classList.add("fragment", "step");
  if (figures.length)
    for (const fragment of slide.querySelectorAll(".fragment")) fragment.removeAttribute("data-fragment-index");
  return figures.length > 0;
}

function fit(slide) {
  slide.classList.remove("close");
  slide.classList.toggle("picture-only", !!slide.querySelector(".step.visible"));
  if (!fits(slide) && !(!slide.querySelector(".step") && makeStep(slide) && fits(slide))) {
    slide.classList.add("close");
    fits(slide, () => 0.3);
  }
  slide.querySelectorAll(".attn-shown svg").forEach(makeLegible);
}

// Slides without a heading say of what section they are.
function nameSlides() {
  let section = document.querySelector("h1").textContent;
  for (const slide of document.querySelectorAll(".slides > section > section")) {
    const heading = slide.querySelector(":scope > :not(.notes) :is(h1, h2)");
    if (heading) section = heading.textContent;
    else slide.insertAdjacentHTML("afterbegin", '<p class="kicker"></p>');
    if (!heading) slide.firstChild.textContent = section;
  }
}

// The keys go back to the slides once a control has been used by mouse.
addEventListener("pointerup", ({ target }) => target.matches("input, button") && target.blur());
addEventListener("change", ({ target }) => target.matches("select") && target.blur());

const fitShown = () => fit(Reveal.getCurrentSlide());

window.MathJax = {
  tex: { inlineMath: [["$", "$"]] },
  svg: { fontCache: "global" },
  options: { enableMenu: false },
  startup: {
    pageReady: async () => {
      await MathJax.startup.defaultPageReady();
      hangLines();
      nameSlides();
      const settings = { width: WIDTH, height: HEIGHT, margin: 0, center: false, hash: true, slideNumber: "c/t" };
      await Reveal.initialize({ ...settings, transition: "none", plugins: [RevealNotes] });
      for (const moved of ["slidechanged", "fragmentshown", "fragmenthidden"]) Reveal.on(moved, fitShown);
      document.addEventListener("click", fitShown); // an answer to a prediction needs room
      document.addEventListener("attn-shown", fitShown);
      fitShown();
      document.body.classList.add("ready");
    },
  },
};
