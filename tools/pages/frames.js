// Explorers that move, predictions that answer: frames.py and predictions.py make what is shown.
const attnFrames = {}; // name of an explorer -> what takes its packed frames; a file in frames/ calls it
const here = document.currentScript.src;
const at = (letters, place) => letters.charCodeAt(place) - 35;

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function picture({ marks, pictures }, frame) {
  return Array.from(pictures[frame], (letter) => marks[at(letter, 0)]).join("");
}

// The frame whose control `moved` stands at `wanted`, the others nearest to where they stand now.
function nearest({ scales, settings }, now, moved, wanted) {
  let best = now;
  let least = Infinity;
  for (let frame = 0; frame < settings[moved].length; frame++) {
    if (at(settings[moved], frame) !== wanted) continue;
    let far = 0;
    for (const name in settings) {
      const apart = Math.abs(at(settings[name], frame) - at(settings[name], now));
      if (apart) far += 1 + apart / scales[name].length;
    }
    if (far < least) [best, least] = [frame, far];
  }
  return best;
}

// Letters of at least --letters pixels, however small the picture is shown.
function makeLegible(svg) {
  const wanted = parseFloat(getComputedStyle(svg).getPropertyValue("--letters"));
  const least = (wanted * svg.viewBox.baseVal.width) / svg.clientWidth;
  for (const text of svg.querySelectorAll("[font-size]"))
    text.style.fontSize = +text.getAttribute("font-size") < least ? `${least}px` : "";
}

function explore(box, frames) {
  const [controls, live, said] = box.children;
  const shown = document.createElement("div");
  const caption = document.createElement("p"); // beside what scrolls; `said` is for screen readers
  let now = 0;
  let speaking;
  function show(frame, moved) {
    now = frame;
    let changed = "";
    for (const control of controls.querySelectorAll("input, select")) {
      const name = control.dataset.control;
      const place = at(frames.settings[name], frame);
      const reads = frames.scales[name][place];
      if (control.type === "checkbox") control.checked = place > 0;
      else if (control.type === "range") {
        if (name !== moved && control.valueAsNumber !== place) changed += `${name} ${reads}. `;
        control.value = place;
        control.nextSibling.textContent = reads;
        control.setAttribute("aria-valuetext", reads);
      } else control.selectedIndex = place;
    }
    shown.innerHTML = picture(frames, frame);
    box.classList.add("attn-moved");
    const svg = shown.firstChild;
    svg.style.setProperty("--natural", `${svg.getAttribute("width")}px`);
    makeLegible(svg);
    caption.textContent = svg.querySelector("desc").textContent;
    box.dispatchEvent(new Event("attn-shown", { bubbles: true }));
    if (!moved) return;
    clearTimeout(speaking); // of many moves only the last is spoken
    speaking = setTimeout(() => {
      said.textContent = changed + svg.querySelector("desc").textContent;
    }, 300);
  }
  controls.addEventListener("input", ({ target }) => {
    const place = { checkbox: +target.checked, range: +target.value }[target.type] ?? target.selectedIndex;
    show(nearest(frames, now, target.dataset.control, place), target.dataset.control);
  });
  controls.addEventListener("click", ({ target }) => {
    const leads = frames.buttons[target.dataset.control];
    if (leads) show(at(leads, now), target.dataset.control);
  });
  shown.className = "attn-shown";
  live.append(shown);
  caption.className = "attn-caption";
  caption.ariaHidden = true;
  if (frames.captioned) live.after(caption);
  controls.disabled = false;
  show(now);
}

function answer(box) {
  const [still, ...replies] = box.children;
  const said = document.createElement("div");
  said.setAttribute("role", "status");
  const buttons = replies.map((reply) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = reply.dataset.option;
    button.addEventListener("click", () => {
      if (said.firstChild) return; // the first choice stays
      for (const other of buttons) other.setAttribute("aria-disabled", true);
      button.textContent = reply.dataset.chosen;
      const [answered, others] = reply.content.children;
      said.append(...answered.childNodes);
      said.after(others);
    });
    return button;
  });
  for (const fold of still.querySelectorAll("details, div:not(:first-of-type)")) fold.remove();
  still.after(...buttons, said);
}

addEventListener("resize", () => document.querySelectorAll(".attn-shown svg").forEach(makeLegible));
addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".attn-question").forEach(answer);
  if (!window.DecompressionStream) return; // an older browser keeps the stills
  const load = (box) => {
    const script = document.createElement("script");
    const name = box.dataset.frames;
    attnFrames[name] = (packed) => unpack(packed).then((frames) => explore(box, frames));
    script.src = new URL(`frames/${name}.js`, here);
    script.onerror = () => (box.firstChild.hidden = true);
    document.head.append(script);
    near.unobserve(box);
  };
  const near = new IntersectionObserver(
    (seen) => seen.forEach(({ target, isIntersecting }) => isIntersecting && load(target)),
    { rootMargin: "1500px" },
  );
  for (const box of document.querySelectorAll(".attn-explorer")) {
    box.firstChild.hidden = false;
    near.observe(box);
  }
});
