// browse.media and browse.data: pictures, films, sounds, and what a page says of
// itself to machines.

const MAX_BACKGROUNDS = 500;

// browse.media lists what an element or the document shows and plays. Kinds:
// images, videos, audio; none stands for all of them. Addresses are absolute;
// what stands in the address itself (data:) is cut.
browse.media = (id, kinds) => withMemo(() => {
  const root = targetOf(id), out = { images: [], videos: [], audio: [], backgroundImages: [] }, frames = [];
  if (!root) return partOf(out, frames);
  const want = (kind) => !kinds.length || kinds.includes(kind);
  for (const el of flatElements(root)) {
    const tag = localName(el), token = frameIn(el, tag);
    if (token !== undefined) frames.push(token);
    if (isHTML(el)) {
      if (tag === "img" && want("images")) out.images.push(imageFacts(el, out.images.length));
      else if (tag === "video" && want("videos")) out.videos.push(playerFacts(el, out.videos.length));
      else if (tag === "audio" && want("audio")) out.audio.push(playerFacts(el, out.audio.length));
    }
    if (want("images") && out.backgroundImages.length < MAX_BACKGROUNDS) addBackgrounds(el, out.backgroundImages);
  }
  return partOf(out, frames);
});

const mediaURL = (url) => (/^data:/i.test(url) ? cut(url, 100) : shownURL(tidy(url)));

function imageFacts(el, index) {
  return {
    index, src: mediaURL(el.src), srcset: cut(tidy(attr(el, "srcset") ?? ""), 2000), currentSrc: mediaURL(el.currentSrc), alt: attr(el, "alt") ?? "",
    width: el.width, height: el.height, naturalWidth: el.naturalWidth, naturalHeight: el.naturalHeight, loading: attr(el, "loading") ?? "",
    dataSrc: mediaURL(attr(el, "data-src") ?? attr(el, "data-lazy-src") ?? attr(el, "data-original") ?? ""), visible: isVisible(el),
  };
}

function playerFacts(el, index) {
  const sources = [...queryAll(el, "source")].map((s) => ({ src: mediaURL(s.src), type: attr(s, "type") ?? "" }));
  const src = mediaURL(el.src), currentSrc = mediaURL(el.currentSrc), type = attr(el, "type") ?? sources[0]?.type ?? "";
  const all = [src, currentSrc, ...sources.map((s) => s.src)], types = [type, ...sources.map((s) => s.type)];
  const f = { index, src, currentSrc, type, sources, duration: Number.isFinite(el.duration) ? el.duration : null, visible: isVisible(el) };
  if (localName(el) === "video") {
    f.width = el.videoWidth || el.clientWidth;
    f.height = el.videoHeight || el.clientHeight;
    f.poster = el.poster ? mediaURL(el.poster) : "";
    f.isHLS = all.some((u) => /\.m3u8($|[?#])/i.test(u)) || types.some((t) => /mpegurl/i.test(t));
    f.isDASH = all.some((u) => /\.mpd($|[?#])/i.test(u)) || types.some((t) => /dash\+xml/i.test(t));
  }
  return f;
}

function addBackgrounds(el, list) {
  const image = styleOf(el).backgroundImage;
  if (!image || image === "none") return;
  for (const [, , url] of image.matchAll(/url\((["']?)(.*?)\1\)/g)) {
    if (/^data:/i.test(url) || list.length >= MAX_BACKGROUNDS) continue;
    list.push({ index: list.length, url: shownURL(tidy(url)), selector: cssPath(el), element: localName(el) });
  }
}

// cssPath is a selector of el within its tree: from the nearest id on, by tag
// and place.
function cssPath(el) {
  const steps = [];
  for (let e = el; e && isElement(e); e = parentNode(e)) {
    const tag = localName(e), id = attr(e, "id");
    if (id && byId(e, id) === e) {
      steps.unshift("#" + CSS.escape(id));
      break;
    }
    let n = 1, alone = true;
    for (let s = previousElement(e); s; s = previousElement(s)) if (localName(s) === tag) n++;
    for (let s = nextElement(e); s && alone; s = nextElement(s)) alone = localName(s) !== tag;
    steps.unshift(n === 1 && alone ? CSS.escape(tag) : `${CSS.escape(tag)}:nth-of-type(${n})`);
  }
  return steps.join(" > ");
}

// ---- data

// browse.data collects what the document says about itself: JSON-LD, Open Graph,
// Twitter cards and the usual meta elements. JSON-LD is returned as written.
browse.data = () => {
  const out = { jsonLd: [], openGraph: {}, twitterCards: {}, meta: {} };
  for (const el of queryAll(document, "script[type]")) {
    if (attr(el, "type").trim().toLowerCase() !== "application/ld+json") continue;
    out.jsonLd.push(textContent(el));
  }
  for (const el of queryAll(document, "meta[content]")) {
    const name = (attr(el, "property") ?? attr(el, "name") ?? "").trim().toLowerCase(), content = attr(el, "content");
    if (name.startsWith("og:")) addMeta(out.openGraph, name.slice(3), content);
    else if (name.startsWith("twitter:")) addMeta(out.twitterCards, name.slice(8), content);
    else if (["description", "keywords", "author"].includes(name)) out.meta[name] ??= content;
  }
  for (const el of queryAll(document, "link[rel][href]")) {
    if (attr(el, "rel").toLowerCase().split(/\s+/).includes("canonical")) out.meta.canonical ??= el.href;
  }
  const title = queryOne(document, "head title");
  if (title) out.meta.title = tidy(textContent(title));
  return out;
};

// addMeta keeps all values of a name that comes several times, as images do.
function addMeta(into, name, value) {
  if (!Object.hasOwn(into, name)) into[name] = value;
  else into[name] = [].concat(into[name], value);
}
