// browse.storage: what a document keeps in localStorage and sessionStorage. The
// world has its own prototypes, so that the page cannot stand in between.

const storageArea = (session) => (session ? window.sessionStorage : window.localStorage);

const storageEntries = (session) => {
  const area = storageArea(session), out = [];
  for (let i = 0; i < area.length; i++) {
    const key = area.key(i);
    if (key !== null) out.push([key, area.getItem(key) ?? ""]);
  }
  return out.sort((a, b) => (a[0] < b[0] ? -1 : 1));
};

// A document with an opaque origin has neither, and says so by an exception.
const storageDo = (work) => {
  try {
    return { value: work() };
  } catch (e) {
    return { error: e.name === "QuotaExceededError" ? "full" : "denied" };
  }
};

browse.storageList = () => storageDo(() => ({ local: storageEntries(false), session: storageEntries(true) }));

browse.storageGet = (session, key) => storageDo(() => storageArea(session).getItem(key));

browse.storageSet = (session, key, value) => storageDo(() => storageArea(session).setItem(key, value));

browse.storageRemove = (session, key) => storageDo(() => {
  const area = storageArea(session), had = area.getItem(key) !== null;
  area.removeItem(key);
  return had;
});

browse.storageClear = (session) => storageDo(() => {
  const area = storageArea(session), n = area.length;
  area.clear();
  return n;
});
