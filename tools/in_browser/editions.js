"use strict";
// A lesson that has changed since a reader saved it. JupyterLite would show the saved copy and never again the site's, so before
// it starts the copy is renamed, or dropped if the reader wrote nothing in it. metadata.edition is the hash of a lesson's text.
window.editions = (() => {
  const NAME = "Attention from Scratch", root = new URL(".", document.currentScript.src);
  const finished = request => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  // JupyterLite's store in this browser, or null if nothing was ever saved
  async function opened() {
    const request = indexedDB.open(NAME);
    request.onupgradeneeded = () => request.transaction.abort(); // it isn't there, and JupyterLite makes it its own way
    const store = await finished(request).catch(() => null);
    if (!store || store.objectStoreNames.contains("files")) return store;
    store.close();
    return null;
  }

  async function untouched(notebook) {
    const text = notebook.cells.map(cell => [cell.source].flat().join("")).join("\0");
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    return notebook.metadata.edition === [...hash.slice(0, 8)].map(byte => byte.toString(16).padStart(2, "0")).join("");
  }

  function freeName(path, day, taken) {
    const base = path.replace(/\.ipynb$/, `_kept_${day}`);
    let name = `${base}.ipynb`;
    for (let turn = 2; taken.includes(name); turn++) name = `${base}_${turn}.ipynb`;
    return name;
  }

  // The name under which a reader's older copy of the lesson is kept from now on, or null if there is nothing to keep.
  async function renew(path) {
    const store = await opened();
    try {
      const saved = store && await finished(store.transaction("files").objectStore("files").get(path));
      const answer = saved && await fetch(new URL(`files/${path}`, root), {cache: "no-cache"}).catch(() => null);
      if (!answer?.ok) return null;
      const {metadata} = await answer.json(), notebook = saved.content;
      if (notebook?.metadata?.edition === metadata.edition) return null;
      const drop = notebook?.metadata?.edition && await untouched(notebook);
      return await setAside(store, path, saved.last_modified, drop);
    } finally {
      store?.close();
    }
  }

  // All of it in one transaction: a page that is closed meanwhile loses nothing.
  function setAside(store, path, seen, drop) {
    return new Promise((resolve, reject) => {
      const change = store.transaction([...store.objectStoreNames], "readwrite"), files = change.objectStore("files");
      let name = null;
      change.oncomplete = () => resolve(name);
      change.onabort = () => reject(change.error);
      files.get(path).onsuccess = ({target: {result: saved}}) => files.getAllKeys().onsuccess = ({target: {result: taken}}) => {
        if (saved?.last_modified !== seen) return; // another window saved it or set it aside just now
        if (!drop) {
          name = freeName(path, saved.last_modified.slice(0, 10), taken);
          files.put({...saved, path: name, name: name.split("/").pop()}, name);
        }
        files.delete(path);
        if (store.objectStoreNames.contains("checkpoints")) change.objectStore("checkpoints").delete(path);
      };
    });
  }

  return {renew};
})();
