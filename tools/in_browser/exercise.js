// Exercises that are written and checked on the page. Python runs in a worker, which is fetched at the first check.
const SECONDS = 10; // that an answer's code may run
const MOST = 60; // seconds for all of a check: the course compares what came with every known mistake
const STORED = "attention-from-scratch:"; // and the exercise's name: where the browser keeps what is written
const files = new URL("../python/", document.currentScript.src);
const notebooks = new URL("../lite/", document.currentScript.src);
const STORAGE = "Attention from Scratch"; // of the notebooks, in the same browser
const AS_A_FILE = "Your answer can be written and checked here when a web server gives the page, for example <code>python -m http.server</code> in its folder.";
const SHOWN = new Set(["A", "DIV", "STRONG", "TABLE", "CAPTION", "TBODY", "TR", "TD"]); // in a verdict
let python; // the worker while there is one
let turn = Promise.resolve(); // one answer at a time
const watching = new Set(); // boxes that wait for Python

function start() {
  python = { worker: new Worker(new URL("worker.mjs", files), { type: "module" }) };
  python.ready = new Promise((done, fail) => {
    python.worker.onerror = () => fail("no answer");
    python.worker.onmessage = ({ data }) => {
      if (data.ready) done();
      else if (data.failed) fail(data.failed);
      else if (data.bytes) for (const box of watching) box.fetched(data.got, data.bytes);
    };
  });
  python.ready.catch(end); // the next check starts anew
}

function end() {
  python?.worker.terminate();
  python = undefined;
}

async function ask(question) {
  if (!python) start();
  await python.ready;
  for (const box of watching) box.works();
  const { worker } = python;
  const told = await new Promise((done) => {
    const endsAfter = (seconds) => setTimeout(done, seconds * 1000, { late: true });
    const whole = endsAfter(MOST);
    let late;
    worker.onerror = (error) => done({ ended: error.message });
    worker.onmessage = ({ data }) => {
      clearTimeout(late);
      if (data.runs) late = endsAfter(SECONDS);
      else if (data.runs === undefined) (clearTimeout(whole), done(data));
    };
    worker.postMessage(question);
  });
  if (!told.verdict || told.verdict.spoiled) {
    end();
    start(); // it is there again for the next answer
  }
  return told;
}

// "Look again at" names a heading as JupyterLab does; the pages' own ids are Sphinx's (tools/pages.py, page_id).
const OF_A_LESSON = /^(\d\d_\w+)\.ipynb#([^"]+)$/;
function onPages(link) {
  const [, lesson, heading] = OF_A_LESSON.exec(link);
  const plain = decodeURIComponent(heading).toLowerCase().normalize("NFKD").replace(/[^\x00-\x7f]/g, "");
  const id = plain.replace(/[^a-z0-9]+/g, "-").replace(/^[-0-9]+|-+$/g, "");
  return `${location.pathname.includes("/notebooks/") ? "" : "notebooks/"}${lesson}.html#${id}`;
}

// What may be in a verdict, whatever an answer made of it.
function harmless(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const part of body.querySelectorAll("*")) {
    if (!SHOWN.has(part.tagName)) part.replaceWith(part.textContent);
    for (const { name, value } of [...part.attributes])
      if (name === "href" && OF_A_LESSON.test(value)) part.setAttribute(name, onPages(value));
      else if (name !== "style" || /url|image/i.test(value)) part.removeAttribute(name);
  }
  return body.childNodes;
}

function make(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// Tab indents, Enter keeps the indentation, and after Escape the next Tab leaves. The browser's undo knows all of it.
function editing(text) {
  let leaving = false;
  const write = (letters) => document.execCommand("insertText", false, letters);
  text.addEventListener("keydown", (event) => {
    const before = text.value.slice(0, text.selectionStart);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (event.key === "Tab" && plain && !leaving) {
      event.preventDefault();
      if (event.shiftKey) outdent(text, before.length - line.length, write);
      else write(" ".repeat(4 - (line.length % 4)));
    } else if (event.key === "Enter" && plain && !event.shiftKey) {
      event.preventDefault();
      write(`\n${/^ */.exec(line)[0]}${/:\s*(#.*)?$/.test(line) ? "    " : ""}`);
    }
    if (event.key !== "Shift") leaving = event.key === "Escape";
  });
}

function outdent(text, start, write) {
  const [spaces] = /^ {0,4}/.exec(text.value.slice(start));
  const caret = Math.max(start, text.selectionStart - spaces.length);
  if (!spaces) return;
  text.setSelectionRange(start, start + spaces.length);
  write("");
  text.setSelectionRange(caret, caret);
}

function kept(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(STORED + name);
    if (value === null) localStorage.removeItem(STORED + name);
    else localStorage.setItem(STORED + name, value);
  } catch {
    return null; // a browser that keeps nothing: the answer lasts as long as the page
  }
}

const finished = (request) =>
  new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });

const load = (address) =>
  new Promise((done, fail) => {
    const script = make("script", { src: address });
    script.onload = done;
    script.onerror = () => fail(new Error("there are no notebooks beside these pages"));
    document.head.append(script);
  });

// The address of the notebook with an answer in it. What its reader wrote there stays: the answer replaces the stub or the answer
// that came from here before, and becomes a cell of its own above the check where they wrote another.
async function carry({ lesson, cells: [stubId, checkId], stub, name }, answer) {
  const path = `notebooks/${lesson}`;
  await load(new URL("editions.js", notebooks));
  await window.editions.renew(path); // an old copy of the lesson is set aside
  const fresh = await (await fetch(new URL(`files/${path}`, notebooks))).json();
  const asked = indexedDB.open(STORAGE);
  asked.onupgradeneeded = () => asked.result.createObjectStore("files");
  const store = await finished(asked);
  const files = store.transaction("files", "readwrite").objectStore("files");
  const now = new Date().toISOString();
  const file = { name: lesson, path, type: "notebook", format: "json", mimetype: "application/json", writable: true };
  const saved = (await finished(files.get(path))) ?? { ...file, created: now, size: 0, content: fresh };
  const { cells } = saved.content;
  const below = cells.findIndex(({ id }) => id === checkId);
  const check = below < 0 ? cells.length : below;
  const ours = [stub, answer, kept(`${name}:carried`)];
  const same = cells.findLast(({ source }, at) => at < check && ours.includes([source].flat().join("")));
  if (same) same.source = answer;
  else {
    const own = { cell_type: "code", id: `${stubId}-${Date.now()}`, metadata: {}, outputs: [], execution_count: null };
    cells.splice(check, 0, { ...own, source: answer });
  }
  await finished(files.put({ ...saved, last_modified: now }, path));
  store.close();
  kept(`${name}:carried`, answer);
  return `${new URL("notebooks/index.html", notebooks)}?path=${encodeURIComponent(path)}`;
}

function open(place, above) {
  const exercise = JSON.parse(place.dataset.box);
  const { stub, line, late, name } = exercise;
  const hint = make("p", { id: `hint-${name}`, class: "attn-hint" }, "Tab indents. Escape, then Tab, leaves. Shift+Enter checks.");
  const text = make("textarea", { "aria-label": `Your answer: ${name}`, "aria-describedby": hint.id });
  for (const off of ["autocapitalize", "autocomplete", "autocorrect"]) text.setAttribute(off, "off");
  text.spellcheck = false;
  const check = make("button", { type: "button" }, "Check");
  const again = make("button", { type: "button" }, "Start again");
  const on = make("button", { type: "button" }, "Continue in a notebook");
  const row = make("div", { class: "attn-row" }, check, make("code", {}, line), again, on);
  const said = make("p", { role: "status" });
  const amount = make("span", {});
  const bar = make("progress", { "aria-label": "Python fetched" });
  const coming = make("p", { hidden: "" }, bar, " ", amount);
  const verdict = make("div", { class: "attn-verdict", "aria-live": "polite" });
  const fit = () => {
    text.style.height = "auto";
    text.style.height = `${text.scrollHeight + 4}px`;
  };
  const box = {
    name,
    answer: () => text.value,
    fetched(got, bytes) {
      coming.hidden = false;
      bar.max = bytes;
      bar.value = got;
      amount.textContent = `${(got / 1e6).toFixed(1)} of ${(bytes / 1e6).toFixed(1)} MB`;
      said.textContent = got < bytes ? "Fetching Python. Your browser keeps it for the next time." : "Starting Python …";
    },
    works() {
      coming.hidden = true;
      said.textContent = "Checking …";
    },
  };
  async function run() {
    if (check.getAttribute("aria-disabled")) return;
    check.setAttribute("aria-disabled", "true");
    said.textContent = "Starting Python …";
    verdict.replaceChildren();
    delete place.dataset.verdict;
    watching.add(box);
    const question = { name, line, answer: text.value, above: above.map((other) => other.answer()) };
    const told = await (turn = turn.then(() => ask(question)).catch((problem) => ({ problem })));
    watching.delete(box);
    coming.hidden = true;
    check.removeAttribute("aria-disabled");
    said.textContent = "";
    if (told.verdict || told.late) {
      const { printed, html } = told.verdict ?? { html: late };
      if (printed) verdict.append(make("pre", { tabindex: 0, role: "group", "aria-label": "What it prints" }, printed));
      verdict.append(...harmless(html));
    } else if (told.ended) said.textContent = "Your code ended Python itself. Python is starting again.";
    else said.textContent = `Python couldn't be fetched (${told.problem}). Are you online? Press Check to try again.`;
    place.dataset.verdict = told.verdict?.mistake ?? told.verdict?.status ?? (told.late ? "endless-loop" : "none");
    dispatchEvent(new Event("attn-shown")); // pages.js looks for what scrolls now
  }
  text.value = kept(name) ?? stub;
  text.addEventListener("input", () => {
    kept(name, text.value);
    fit();
  });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.shiftKey) return;
    event.preventDefault();
    run();
  });
  check.addEventListener("click", run);
  again.addEventListener("click", () => {
    text.focus();
    text.select();
    document.execCommand("insertText", false, stub); // so that undo brings back what was written
    kept(name, null);
    verdict.replaceChildren();
  });
  on.addEventListener("click", async () => {
    try {
      location.assign(await carry(exercise, text.value));
    } catch (problem) {
      said.textContent = `Your answer can't be put into a notebook here (${problem.message}). Copy it, and paste it there.`;
    }
  });
  editing(text);
  place.replaceChildren(text, hint, row, said, coming, verdict);
  const cell = place.closest("div.cell"); // of the check; the stub's is above it
  if (cell) {
    cell.previousElementSibling.hidden = cell.hidden = true;
    cell.after(place);
  }
  addEventListener("resize", fit);
  new IntersectionObserver(fit).observe(text); // in a fold it has no height yet
  return box;
}

addEventListener("DOMContentLoaded", () => {
  const boxes = [];
  for (const place of document.querySelectorAll("[data-exercise]")) {
    if (location.protocol === "file:") place.insertAdjacentHTML("beforeend", `<p class="attn-as-file">${AS_A_FILE}</p>`);
    else boxes.push(open(place, [...boxes]));
  }
});
