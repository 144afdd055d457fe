// Python in a worker: the course, and one answer after the other. exercise.js and verify.js start it, and end it when an answer loops.
const file = (name) => new URL(name, import.meta.url).href;
const fetchIt = self.fetch;

async function begin() {
  const { course, models, scripts, bytes } = await (await fetch(file("box.json"), { cache: "no-cache" })).json();
  let got = 0;
  const count = (more) => postMessage({ got: (got += more), bytes });
  // Pyodide fetches its files itself: what comes is counted on the way.
  self.fetch = async (...asked) => {
    const answer = await fetchIt(...asked).catch(() => null);
    if (!answer?.ok) postMessage({ failed: `no ${String(asked[0]).split("/").pop()}` }); // Pyodide would go on without it
    const { body, status, headers } = answer;
    const counting = new TransformStream({
      transform(part, stream) {
        count(part.byteLength);
        stream.enqueue(part);
      },
    });
    return new Response(body?.pipeThrough(counting), { status, headers });
  };
  const { loadPyodide } = await import("./pyodide.mjs");
  await import("./pyodide.asm.mjs"); // which Pyodide will import
  count(scripts);
  const python = await loadPyodide({ packages: ["numpy", file(course)] });
  self.fetch = fetchIt;
  self.close = () => {}; // only the page ends its worker
  const box = python.pyimport("attn_box");
  box.tell = (runs) => postMessage({ runs });
  box.warm();
  let stored; // the course's models, which are fetched after the first verdict
  self.onmessage = async ({ data }) => {
    await stored;
    try {
      postMessage({ verdict: JSON.parse(box[data.call ?? "checked"](JSON.stringify(data.of ?? data))) });
    } catch (error) {
      postMessage({ ended: String(error) });
    }
    stored ??= python.loadPackage(file(models)).catch(() => (stored = undefined)); // without a network: the next time
  };
  postMessage({ ready: true });
}

begin().catch((error) => postMessage({ failed: error.message }));
