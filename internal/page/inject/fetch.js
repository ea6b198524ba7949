// browse.sourceOf, browse.blobOpen: where the content of an element is, and the
// content of what only its document can open.

// browse.sourceOf returns the address of what an element shows, plays or links to.
browse.sourceOf = (id, shown) => {
  const got = askedOf(id, shown);
  if (!got.el) return got;
  const el = got.el;
  const tag = localName(el), html = isHTML(el);
  let url = "";
  if (html && (tag === "img" || tag === "video" || tag === "audio")) url = el.currentSrc || el.src || attr(el, "data-src") || attr(el, "data-lazy-src") || queryAll(el, "source")[0]?.src || "";
  else if (html && (tag === "a" || tag === "area" || tag === "link")) url = el.href;
  else if (isSVG(el) && (tag === "image" || tag === "a")) url = el.href.baseVal;
  else url = attr(el, "src") ?? attr(el, "data") ?? "";
  if (url !== "") {
    try { url = new URL(url, document.baseURI).href; } catch { url = ""; }
  }
  return { tag, url };
};

const blobs = new Map();
let lastBlob = 0;

// browse.blobOpen opens the object behind a blob: address, for reading by parts.
browse.blobOpen = async (url) => {
  try {
    const blob = await (await fetch(url)).blob();
    blobs.set(++lastBlob, blob);
    return { id: lastBlob, size: blob.size, type: blob.type };
  } catch (e) {
    return { error: e.message };
  }
};

browse.blobPart = async (id, from, to) => base64Of(new Uint8Array(await blobs.get(id).slice(from, to).arrayBuffer()));

browse.blobClose = (id) => blobs.delete(id);
