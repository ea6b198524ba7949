// browse.keepRead and browse.keepWrite: the storage of an origin, local storage
// and IndexedDB, as it is written into a state file and read from one. They run in
// a blank document of the origin, where no script of the page is.

const idbDone = (request, blocked) => new Promise((done, fail) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
  if (blocked) request.onblocked = () => delay(3000).then(() => fail(new Error("another tab of the site has it open")));
});

const idbEnded = (tx) => new Promise((done, fail) => {
  tx.oncomplete = () => done();
  tx.onerror = tx.onabort = () => fail(tx.error ?? new Error("it was aborted"));
});

const base64Of = (bytes) => {
  let s = "";
  for (let i = 0; i < bytes.length; i += 0x8000) s += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(s);
};

const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

const arrayTypes = { Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array, DataView };
const errorTypes = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

// packValue writes a value that a structured clone has made as JSON: strings,
// booleans, null and finite numbers as they are, all else as {t: type, …}. An
// object that comes twice is {t: "ref"} the second time. What JSON cannot hold,
// such as a key of the crypto API, is an error.
async function packValue(value, seen = new Map()) {
  switch (typeof value) {
    case "string": case "boolean": return value;
    case "number": return Number.isFinite(value) && !Object.is(value, -0) ? value : { t: "num", v: Object.is(value, -0) ? "-0" : String(value) };
    case "undefined": return { t: "undef" };
    case "bigint": return { t: "big", v: String(value) };
  }
  if (value === null) return null;
  if (seen.has(value)) return { t: "ref", v: seen.get(value) };
  seen.set(value, seen.size);
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (Array.isArray(value)) {
    const v = [];
    for (const x of value) v.push(await packValue(x, seen));
    return { t: "arr", v };
  }
  if (value instanceof Date) return { t: "date", v: value.getTime() };
  if (value instanceof RegExp) return { t: "re", v: value.source, f: value.flags };
  if (value instanceof Map) {
    const v = [];
    for (const [k, x] of value) v.push([await packValue(k, seen), await packValue(x, seen)]);
    return { t: "map", v };
  }
  if (value instanceof Set) {
    const v = [];
    for (const x of value) v.push(await packValue(x, seen));
    return { t: "set", v };
  }
  if (value instanceof ArrayBuffer) return { t: "buf", v: base64Of(new Uint8Array(value)) };
  if (ArrayBuffer.isView(value) && arrayTypes[kind]) return { t: "view", k: kind, v: base64Of(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
  if (value instanceof Blob) {
    const v = base64Of(new Uint8Array(await value.arrayBuffer()));
    return value instanceof File ? { t: "file", v, y: value.type, n: value.name, m: value.lastModified } : { t: "blob", v, y: value.type };
  }
  if (value instanceof Error) return { t: "err", n: value.name, v: value.message };
  if (value instanceof Boolean || value instanceof Number || value instanceof String) return { t: "box", v: await packValue(value.valueOf(), seen) };
  if (kind !== "Object") throw new Error("a value of type " + kind + " cannot be kept");
  const v = [];
  for (const k of Object.keys(value)) v.push([k, await packValue(value[k], seen)]);
  return { t: "obj", v };
}

// unpackValue is the way back.
function unpackValue(p, made = []) {
  if (p === null || typeof p !== "object") return p;
  const keep = (x) => { made.push(x); return x; };
  switch (p.t) {
    case "num": return Number(p.v);
    case "undef": return undefined;
    case "big": return BigInt(p.v);
    case "ref": return made[p.v];
    case "date": return keep(new Date(p.v));
    case "re": return keep(new RegExp(p.v, p.f));
    case "buf": return keep(bytesOf(p.v).buffer);
    case "view": return keep(new arrayTypes[p.k](bytesOf(p.v).buffer));
    case "blob": return keep(new Blob([bytesOf(p.v)], { type: p.y }));
    case "file": return keep(new File([bytesOf(p.v)], p.n, { type: p.y, lastModified: p.m }));
    case "err": return keep(new (errorTypes[p.n] ?? Error)(p.v));
    case "box": { const at = made.push(null) - 1; return made[at] = Object(unpackValue(p.v, made)); }
    case "arr": { const out = keep([]); for (const x of p.v) out.push(unpackValue(x, made)); return out; }
    case "set": { const out = keep(new Set()); for (const x of p.v) out.add(unpackValue(x, made)); return out; }
    case "map": { const out = keep(new Map()); for (const [k, x] of p.v) { const key = unpackValue(k, made); out.set(key, unpackValue(x, made)); } return out; }
    case "obj": { const out = keep({}); for (const [k, x] of p.v) Object.defineProperty(out, k, { value: unpackValue(x, made), enumerable: true, configurable: true, writable: true }); return out; }
  }
  throw new Error("a value of an unknown form");
}

async function readDatabase({ name, version }) {
  const db = await idbDone(indexedDB.open(name));
  try {
    const out = { name, version: db.version ?? version, stores: [] };
    if (!db.objectStoreNames.length) return out;
    const tx = db.transaction(db.objectStoreNames, "readonly"), raw = [];
    for (const storeName of db.objectStoreNames) {
      const s = tx.objectStore(storeName), indexes = [];
      for (const i of s.indexNames) { const x = s.index(i); indexes.push({ name: x.name, keyPath: x.keyPath, unique: x.unique, multiEntry: x.multiEntry }); }
      out.stores.push({ name: storeName, keyPath: s.keyPath, autoIncrement: s.autoIncrement, indexes, records: [] });
      raw.push(Promise.all([idbDone(s.getAllKeys()), idbDone(s.getAll())]));
    }
    const all = await Promise.all(raw);
    for (let i = 0; i < all.length; i++) {
      const [keys, values] = all[i];
      for (let j = 0; j < keys.length; j++) out.stores[i].records.push({ key: await packValue(keys[j]), value: await packValue(values[j]) });
    }
    return out;
  } finally {
    db.close();
  }
}

// browse.keepRead returns the storage of the origin. lost are the databases that
// cannot be kept, each with the reason.
browse.keepRead = async () => {
  const out = { local: [], databases: [], lost: [] };
  try {
    out.local = storageEntries(false).map(([name, value]) => ({ name, value }));
  } catch (e) {
    out.lost.push("local storage: " + e.message);
  }
  try {
    for (const d of await indexedDB.databases()) {
      try {
        out.databases.push(await readDatabase(d));
      } catch (e) {
        out.lost.push("database " + d.name + ": " + e.message);
      }
    }
  } catch (e) {
    out.lost.push("databases: " + e.message);
  }
  return out;
};

async function writeDatabase(d) {
  await idbDone(indexedDB.deleteDatabase(d.name), true);
  const request = indexedDB.open(d.name, d.version);
  request.onupgradeneeded = () => {
    for (const s of d.stores) {
      const store = request.result.createObjectStore(s.name, { keyPath: s.keyPath, autoIncrement: s.autoIncrement });
      for (const i of s.indexes ?? []) store.createIndex(i.name, i.keyPath, { unique: i.unique, multiEntry: i.multiEntry });
    }
  };
  const db = await idbDone(request, true);
  try {
    if (!d.stores.length) return;
    const tx = db.transaction(d.stores.map((s) => s.name), "readwrite"), end = idbEnded(tx);
    for (const s of d.stores) {
      const store = tx.objectStore(s.name);
      for (const r of s.records ?? []) {
        const value = unpackValue(r.value);
        if (s.keyPath === null) store.put(value, unpackValue(r.key));
        else store.put(value);
      }
    }
    await end;
  } finally {
    db.close();
  }
}

// browse.keepWrite makes the storage of the origin what it was, and returns what
// could not be, each with the reason.
browse.keepWrite = async (local, databases) => {
  const lost = [];
  try {
    localStorage.clear();
    for (const e of local) localStorage.setItem(e.name, e.value);
  } catch (e) {
    lost.push("local storage: " + e.message);
  }
  try {
    const keep = new Set(databases.map((d) => d.name));
    for (const d of await indexedDB.databases()) if (!keep.has(d.name)) await idbDone(indexedDB.deleteDatabase(d.name), true);
  } catch (e) {
    lost.push("databases that were there: " + e.message);
  }
  for (const d of databases) {
    try {
      await writeDatabase(d);
    } catch (e) {
      lost.push("database " + d.name + ": " + e.message);
    }
  }
  return lost;
};

// browse.keepSession makes the session storage of the origin in this tab.
browse.keepSession = (entries) => storageDo(() => {
  sessionStorage.clear();
  for (const e of entries) sessionStorage.setItem(e.name, e.value);
  return true;
});
