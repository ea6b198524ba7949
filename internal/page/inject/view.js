// What is asked about a document as a whole, and where its elements stand.

// browse.netError is the error name on the browser's own error page.
browse.netError = () => queryOne(document, ".error-code")?.textContent.trim() || "";

const NEAREST = { block: "nearest", inline: "nearest", behavior: "instant" };

// browse.box scrolls an element into view and returns its box in the viewport
// of its document, with the size of that viewport.
browse.box = (id) => {
  const el = targetOf(id);
  elementScrollIntoView.call(el, NEAREST);
  const r = boxOf(el);
  return { x: r.left, y: r.top, w: r.width, h: r.height, width: innerWidth, height: innerHeight };
};

// browse.outerBox carries a box of a child frame's document, whose viewport is
// width by height, into this document's viewport.
browse.outerBox = (token, x, y, w, h, width, height) => {
  const el = frameOf(token);
  if (!el) return { why: "gone" };
  elementScrollIntoView.call(el, NEAREST);
  const corners = [[x, y], [x + w, y], [x, y + h], [x + w, y + h]].map(([cx, cy]) => outward(el, cx, cy, width, height));
  const xs = corners.map((c) => c[0]), ys = corners.map((c) => c[1]);
  const left = Math.min(...xs), top = Math.min(...ys);
  return { x: left, y: top, w: Math.max(...xs) - left, h: Math.max(...ys) - top, width: innerWidth, height: innerHeight };
};

// browse.tokenOf is the token of the frame that an element shows, "" for none,
// null when the element is gone.
browse.tokenOf = (id) => {
  const el = elementOf(id);
  return el && (frameTokens.get(el) ?? "");
};

// browse.stillShown says of elements, each given as [id, role, name], what has
// become of them: "" for one that is what it was shown as, "gone", or
// {role, name, desc} of what it is now.
browse.stillShown = (list) => withMemo(() => list.map(([id, role, name]) => {
  const el = elementOf(id);
  return el ? changed(el, role, name) ?? "" : "gone";
}));

// browse.painted answers when the page has been painted twice, or does not paint.
browse.painted = () => new Promise((done) => {
  delay(1000).then(() => done(true));
  requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
});
