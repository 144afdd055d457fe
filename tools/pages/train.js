"use strict";
// "Train one" on the front page: a list, a worker that trains on it (trainer.js), what it writes meanwhile, and a page to save.
addEventListener("DOMContentLoaded", () => {
  const {page, trainer, lists} = window.trainData; // what a model is saved as; lists as {text, told, title, trained_on}
  const engine = page.split('<script id="engine">')[1].split("</script>")[0]; // attn_parts/gpt.js
  const find = id => document.getElementById(id), text = find("list"), grouped = number => number.toLocaleString("en");
  const STOPPED = {
    risen: "Stopped, because the loss on held-out lines rose by more than a tenth: it begins to learn the list by heart. “Go on” lets it.",
    best: "Stopped, because the loss on held-out lines falls no more: from here it would learn by heart. “Go on” lets it.",
    time: "Stopped after a minute.",
  };
  let list, worker, losses, known, facts;

  const say = message => { find("training").textContent = message; };
  const choices = [...document.querySelectorAll("[name=list]")];

  function choose(name, keep) {
    list = lists[name];
    find("source").innerHTML = list.told;
    if (!keep) text.value = list.text;
    for (const choice of choices) choice.checked = choice.value === name;
  }

  function runs(on) {
    find("stop").textContent = on ? "Stop" : "Go on";
    find("stop").disabled = find("save").disabled = !losses.length && !on;
  }

  function start() {
    worker?.terminate();
    worker = new Worker(URL.createObjectURL(new Blob([engine, trainer], {type: "text/javascript"})));
    worker.onmessage = ({data}) => ({list: listed, progress, model: save})[data.kind](data);
    worker.onerror = ({message}) => say(`The training stopped, because of an error: ${message}`);
    losses = [];
    runs(false);
    for (const id of ["samples", "curve", "losses"]) find(id).replaceChildren();
    say("Reading the list …");
    worker.postMessage({list: text.value});
  }

  function listed(told) {
    const {lines, training, strange, long, twice, problem, parameters} = told;
    known = told;
    if (problem) {
      say(`${problem} Write one on each line.`);
      return;
    }
    const apart = [[twice, "repeated"], [strange, "with rare letters left out"], [long, "cut to 31 letters"]].filter(([count]) => count);
    facts = `Its ${grouped(parameters)} parameters learn ${grouped(training)} of ${grouped(lines)} lines, in small letters; the others are held out` +
      `${apart.map(([count, what]) => `, ${grouped(count)} ${what}`).join("")}.`;
    say(facts);
    runs(true);
  }

  function progress({steps, seconds, loss, samples, why}) {
    losses.push([seconds, loss]);
    find("samples").replaceChildren(...samples.map(({text: line, copied}) => {
      const item = document.createElement("li");
      item.textContent = line || "(an empty line)";
      item.dir = "auto";
      if (copied) item.className = "copied";
      if (copied) item.append(Object.assign(document.createElement("small"), {textContent: " on the list"}));
      return item;
    }));
    find("losses").textContent = `Step ${steps}, loss ${loss.toFixed(2)} on held-out lines; counting pairs of letters, a bigram, gets ${known.bigram.toFixed(2)}.`;
    draw();
    if (!why) return;
    say(STOPPED[why]);
    runs(false);
  }

  // Held-out loss by seconds, and the bigram's as a dashed line.
  function draw() {
    const values = [...losses.map(([, loss]) => loss), known.bigram], high = Math.max(...values), low = Math.min(...values) - 0.02;
    const end = losses.at(-1)[0], x = seconds => 4 + 246 * seconds / end, y = loss => 20 + 60 * (high - loss) / (high - low);
    const line = losses.map(([seconds, loss], k) => `${k ? "L" : "M"}${x(seconds).toFixed(1)} ${y(loss).toFixed(1)}`).join("");
    const now = losses.at(-1)[1], far = Math.abs(y(now) - y(known.bigram)) < 14 ? 14 * Math.sign(y(now) - y(known.bigram) || 1) : 0;
    find("curve").innerHTML = `<svg viewBox="0 0 340 100" role="img" aria-label="held-out loss ${now.toFixed(2)}, bigram ${known.bigram.toFixed(2)}">
      <path class="baseline" d="M4 ${y(known.bigram)}H250"/><path class="curve" d="${line}"/>
      <text x="256" y="${y(known.bigram) + 4}">bigram ${known.bigram.toFixed(2)}</text>
      <text x="256" y="${(far ? y(known.bigram) + far : y(now)) + 4}" font-weight="bold">GPT ${now.toFixed(2)}</text></svg>`;
  }

  function save({letters, model}) {
    const told = JSON.stringify({title: list.title, trained_on: list.trained_on, letters, model}).replaceAll("<", "\\u003c");
    const file = new File([page.replace("/* model */", () => told)], "my_gpt.html", {type: "text/html"}), href = URL.createObjectURL(file);
    const link = more => Object.assign(document.createElement("a"), {href, ...more});
    link({download: file.name}).click();
    say("Saved as my_gpt.html. It runs in any browser, without a network. ");
    find("training").append(link({target: "_blank", textContent: "Open it here"}), " ");
    if (!navigator.canShare?.({files: [file]})) return;
    const send = Object.assign(document.createElement("button"), {type: "button", textContent: "Send it"});
    send.addEventListener("click", () => navigator.share({files: [file]}).catch(({name, message}) => name === "AbortError" || say(`It couldn't be sent: ${message}`)));
    find("training").append(send);
  }

  for (const choice of choices) choice.addEventListener("change", () => choose(choice.value));
  // A paste replaces a list of ours. Browsers take minutes to paste thousands of lines, but none to be given them.
  text.addEventListener("paste", event => {
    const pasted = event.clipboardData.getData("text"), ours = text.value === list.text;
    if (!ours && pasted.length < 2000) return;
    event.preventDefault();
    if (ours) text.value = pasted;
    else text.setRangeText(pasted, text.selectionStart, text.selectionEnd, "end");
    choose("own", true);
  });
  text.addEventListener("input", () => choose("own", true));
  find("train-it").addEventListener("click", start);
  find("stop").addEventListener("click", () => {
    const stop = find("stop").textContent === "Stop";
    worker.postMessage(stop ? {stop} : {go: true});
    say(facts);
    runs(!stop);
  });
  find("save").addEventListener("click", () => worker.postMessage({save: true}));
  choose("names");
});
