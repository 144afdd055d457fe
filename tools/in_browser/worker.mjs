// Python in a worker: the course, and one answer after the other. exercise.js starts it, and ends it when an answer loops.
const file = (name) => new URL(name, import.meta.url).href;
const { course, scripts, bytes } = await (await fetch(file("box.json"), { cache: "no-cache" })).json();
let got = 0;
function count(more) {
  got += more;
  postMessage({ got, bytes });
}

// Pyodide fetches its files itself: what comes is counted on the way.
const fetchIt = self.fetch;
self.fetch = async (...asked) => {
  const { body, status, headers } = await fetchIt(...asked);
  const counted = body?.pipeThrough(
    new TransformStream({
      transform(part, stream) {
        count(part.byteLength);
        stream.enqueue(part);
      },
    }),
  );
  return new Response(counted, { status, headers });
};

const { loadPyodide } = await import("./pyodide.mjs");
import("./pyodide.asm.mjs").then(() => count(scripts)); // which Pyodide will import
const python = await loadPyodide({ packages: ["numpy", file(course)], checkIntegrity: true });
self.fetch = fetchIt;
self.close = () => {}; // only the page ends its worker
const box = python.pyimport("attn_box");
box.warm();
onmessage = ({ data }) => {
  try {
    postMessage({ verdict: JSON.parse(box.checked(JSON.stringify(data))) });
  } catch (error) {
    postMessage({ ended: String(error) });
  }
};
postMessage({ ready: true });
