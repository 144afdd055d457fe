// A reader's page, dropped here, is verified: one Python reads and judges it, another runs its code and only answers.
const SECONDS = 10; // that its code may run for one question
const MOST = 60; // seconds for all of a question
const STOPS = 3; // after so many its code is asked no more
const LATE = "the code ran for ten seconds without coming to an end";
const python = new URL("../python/", document.currentScript.src);
const AS_A_FILE =
  "A page can be verified here when a web server gives this one, for example python -m http.server in its folder.";
let judge;

class Python {
  constructor(got = () => {}) {
    this.worker = new Worker(new URL("worker.mjs", python), { type: "module" });
    this.ready = new Promise((done, fail) => {
      this.worker.onerror = () => fail(new Error("no answer"));
      this.worker.onmessage = ({ data }) => {
        if (data.ready) done();
        else if (data.failed) fail(new Error(data.failed));
        else if (data.bytes) got(data.got, data.bytes);
      };
    });
  }

  // What one of attn_box's functions returns; an Error with the reason where it doesn't.
  async ask(call, of) {
    await this.ready;
    return new Promise((done, fail) => {
      const endsAfter = (seconds) => setTimeout(() => fail(new Error(LATE)), seconds * 1000);
      const whole = endsAfter(MOST);
      let late;
      this.worker.onerror = () => fail(new Error("the code ended Python itself"));
      this.worker.onmessage = ({ data }) => {
        clearTimeout(late);
        if (data.runs) late = endsAfter(SECONDS);
        else if (data.runs === undefined) {
          clearTimeout(whole);
          if ("verdict" in data) done(data.verdict);
          else fail(new Error("the code ended Python itself"));
        }
      };
      this.worker.postMessage({ call, of });
    });
  }
}

const asBase64 = (file) =>
  new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.split(",")[1] ?? "");
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(file.slice(0, 2 ** 20 + 1));
  });

async function answersOf(program, questions) {
  const answers = {};
  let other, why;
  let stops = 0;
  for (const { expression, n_results, cases } of questions) {
    if (stops === STOPS) {
      answers[expression] = why;
      continue;
    }
    other ??= new Python();
    try {
      answers[expression] = await other.ask("page_answer", [program, expression, n_results, cases]);
    } catch (problem) {
      answers[expression] = why = problem.message;
      other.worker.terminate();
      other = undefined;
      stops += 1;
    }
  }
  other?.worker.terminate();
  return answers;
}

function shown(verdicts) {
  const table = document.createElement("table");
  for (const { is_, what, why } of verdicts) {
    const row = table.insertRow();
    row.insertCell().textContent = is_;
    row.cells[0].className = is_.split(" ")[0];
    row.insertCell().textContent = why ? `${what}: ${why}` : what;
  }
  return table;
}

async function verify(file, say, place) {
  say("Starting Python …");
  judge ??= new Python((got, bytes) => say(`Fetching Python: ${(got / 1e6).toFixed(1)} of ${(bytes / 1e6).toFixed(1)} MB …`));
  const page = await judge.ask("page_read", { page: await asBase64(file) });
  if (page.refused) return say(`Refused: ${file.name}. ${page.refused}`);
  say("Its functions run in a Python of their own …");
  const answers = await answersOf(page.program, page.questions);
  const verdicts = await judge.ask("page_verdicts", { answers });
  place.append(shown(verdicts));
  const bad = verdicts.filter(({ is_ }) => is_ === "wrong" || is_ === "changed since").length;
  const told = bad ? `${bad} of what it shows ${bad > 1 ? "are" : "is"} wrong or changed.` : "All that can be proved is right.";
  say(`${file.name}${page.name ? `, by ${page.name}` : ""}: ${told}`);
}

addEventListener("DOMContentLoaded", () => {
  const [drop, status, place] = [".drop", "[role=status]", ".wide"].map((part) => document.querySelector(part));
  const say = (words) => (status.textContent = words);
  if (location.protocol === "file:") return say(AS_A_FILE);
  let turn = Promise.resolve(); // one file at a time
  const take = ([file]) => {
    if (!file) return;
    turn = turn.then(async () => {
      place.replaceChildren();
      delete document.body.dataset.done;
      await verify(file, say, place).catch((problem) => {
        say(`Python couldn't do it (${problem.message}). Are you online? Choose the file again.`);
        judge?.worker.terminate();
        judge = undefined;
      });
      document.body.dataset.done = file.name;
    });
  };
  drop.querySelector("input").addEventListener("change", ({ target }) => (take([...target.files]), (target.value = "")));
  for (const kind of ["dragover", "dragleave", "drop"])
    addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
      if (kind === "drop") take(event.dataTransfer.files);
    });
});
