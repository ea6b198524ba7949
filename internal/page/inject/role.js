// Roles: HTML-AAM 1.0, SVG-AAM 1.0 and WAI-ARIA 1.2, as Chromium resolves them
// where the texts leave a choice.

// Names of every role an author may write (WAI-ARIA 1.2 with the 1.3 additions
// that Chromium knows, DPUB-ARIA, Graphics-ARIA); abstract ones are missing on
// purpose. Values that differ from their key are synonyms.
const ARIA_ROLES = new Map(`alert alertdialog application article banner blockquote button caption cell checkbox code
columnheader combobox comment complementary contentinfo definition deletion dialog directory=list document emphasis feed
figure form generic= graphics-document graphics-object graphics-symbol grid gridcell group heading image=img img insertion
link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation
none note option paragraph presentation=none progressbar radio radiogroup region row rowgroup rowheader scrollbar search
searchbox sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript switch tab
table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem
doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref
doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes doc-epigraph
doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index doc-introduction doc-noteref
doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna
doc-subtitle doc-tip doc-toc`.split(/\s+/).map((s) => s.includes("=") ? s.split("=") : [s, s]));

// Attributes that make role=none void (WAI-ARIA 1.2, presentational role
// conflict resolution): the global ones that are not deprecated as such.
const GLOBAL_ARIA = new Set(`atomic brailleroledescription busy controls current describedby description details flowto
grabbed keyshortcuts label labeledby labelledby live owns relevant roledescription`.split(/\s+/).map((s) => "aria-" + s));

const WIDGETS = new Set(`button link textbox checkbox radio combobox listbox menuitem menuitemcheckbox menuitemradio option
searchbox slider spinbutton switch tab treeitem`.split(/\s+/));

// Implicit roles of HTML elements. A function decides by context; it may return
// "none" for what must not be in the tree at all. Elements whose meaning has no
// word in ARIA have "", those without any have null.
const HTML_ROLES = new Map(Object.entries({
  a: anchorRole, abbr: "", area: anchorRole, address: "group", article: "article", aside: asideRole, audio: "audio",
  blockquote: "blockquote", button: "button", canvas: "canvas", caption: "caption", code: "code", dd: "definition",
  del: "deletion", details: "group", dfn: "term", dialog: "dialog", dir: "list", dl: "", dt: "term", em: "emphasis",
  fieldset: "group", figcaption: "", figure: "figure", footer: (el) => bandRole(el, "contentinfo", "sectionfooter"),
  form: "form", frame: "iframe", fencedframe: "iframe", h1: "heading", h2: "heading", h3: "heading", h4: "heading",
  h5: "heading", h6: "heading", header: (el) => bandRole(el, "banner", "sectionheader"), hgroup: "group", hr: "separator",
  iframe: "iframe", img: imageRole, input: inputRole, ins: "insertion", label: labelRole, legend: "", li: itemRole,
  main: "main", mark: "mark", menu: "list", meter: "meter", nav: "navigation", ol: "list", optgroup: "group",
  option: "option", output: "status", p: "paragraph", progress: "progressbar", ruby: "", rp: "", rt: "", s: "deletion",
  search: "search", section: (el) => (hasAuthorName(el) ? "region" : ""), select: selectRole, strong: "strong",
  sub: "subscript", summary: summaryRole, sup: "superscript", table: (el) => (isDataTable(el) ? "table" : ""),
  tbody: bodyRole, td: cellRole, textarea: "textbox", tfoot: sectionRole, th: cellRole, thead: sectionRole, time: "time",
  tr: rowRole, ul: "list", video: "video",
  ...Object.fromEntries(`b bdi bdo big body br center cite col colgroup data div font head html i kbd map nobr noscript
    picture pre q samp slot small source span tt u var wbr`.split(/\s+/).map((tag) => [tag, null])),
}));

// INPUT_ROLES of types other than text. The pickers for dates, times and colours
// have no role of their own in HTML-AAM; their value is set as text.
const INPUT_ROLES = new Map(Object.entries({
  button: "button", submit: "button", reset: "button", image: "button", file: "button", checkbox: "checkbox",
  radio: "radio", number: "spinbutton", range: "slider", search: "searchbox",
}));

// roleOf returns the ARIA role of el, "" when it has none (generic, none).
function roleOf(el) {
  const role = fullRole(el);
  return role === "none" ? "" : role;
}

// fullRole is roleOf, but keeps "none" apart from "": a presentational element
// loses its own name as well (accname 1.2 step 2).
function fullRole(el) {
  if (!elementHasAttributes.call(el)) return implicitRole(el);
  const written = attr(el, "role");
  if (written) {
    const role = explicitRole(el, written);
    if (role !== null) return role;
  }
  return implicitRole(el);
}

// explicitRole returns the first role of a role attribute that counts, or null
// when the element keeps its own.
function explicitRole(el, written) {
  for (const token of written.toLowerCase().split(/\s+/)) {
    const role = ARIA_ROLES.get(token);
    if (role === undefined) continue;
    if ((role === "form" || role === "region") && !hasAuthorName(el) && !hasAttr(el, "aria-roledescription")) continue;
    if (role === "none" && (isFocusable(el) || hasGlobalAria(el))) return null;
    if (role === "combobox" && localName(el) === "select" && selectRole(el) === "combobox") return null;
    const context = CONTEXT.get(role);
    return context !== undefined && !isIn(el, context) ? null : role;
  }
  return null;
}

// Roles that are void outside of what they belong in. WAI-ARIA 1.2 (5.2.8) has
// more of them; these are the ones that Chromium holds to.
const CONTEXT = new Map([["listitem", "list"], ["option", "listbox"], ["treeitem", "tree"]]);
const WORDED = new Set(["abbr", "dl", "embed", "figcaption", "label", "legend", "object", "ruby"]);

// isIn reports whether the nearest thing around el that means anything is the
// context, or a group.
function isIn(el, context) {
  for (let p = ownerOf(el); p; p = ownerOf(p)) {
    const role = fullRole(p);
    if (role === context || role === "group") return true;
    if (role !== "" && role !== "none") return false;
    if (WORDED.has(localName(p)) && !hasAttr(p, "role")) return false;
  }
  return false;
}

// ownerOf is the parent of el, or who claims el with aria-owns.
function ownerOf(el) {
  const id = attr(el, "id");
  return (id && owners(nodeRoot.call(el)).get(id)) || parentOf(el);
}

const owners = (root) => memoized("owners", root, (r) => {
  const byOwned = new Map(), type = nodeType(r);
  if (type !== 9 && type !== 11) return byOwned;
  for (const el of queryAll(r, "[aria-owns]")) for (const id of attr(el, "aria-owns").trim().split(/\s+/)) byOwned.set(id, el);
  return byOwned;
});

function hasGlobalAria(el) {
  for (const name of elementAttributeNames.call(el)) if (GLOBAL_ARIA.has(name)) return true;
  return false;
}

const NOT_BLANK = /[^\t\n\f\r ]/;

// hasAuthorName reports whether the author named el by attribute. An
// aria-labelledby counts as soon as it refers to something.
function hasAuthorName(el) {
  if (!elementHasAttributes.call(el)) return false;
  const label = attr(el, "aria-label");
  return (label !== null && NOT_BLANK.test(label)) || hasAttr(el, "title") || labelledBy(el).length > 0;
}

function implicitRole(el) {
  const tag = localName(el), role = HTML_ROLES.get(tag);
  if (role === null) return minimumRole(el);
  let own = role;
  if (role === undefined || tag === "a") {
    if (isSVG(el)) return svgRole(el, tag);
    if (role === undefined) return tag === "math" ? "math" : minimumRole(el);
  }
  if (typeof role === "function") own = role(el);
  return own === "" && elementHasAttributes.call(el) && isEditingHost(el) ? "textbox" : own;
}

// minimumRole is what becomes of generic elements that are exposed for another
// reason. An editable region is a textbox to whoever wants to write into it.
function minimumRole(el) {
  if (!elementHasAttributes.call(el) || !isHTML(el)) return "";
  if (isEditingHost(el)) return "textbox";
  return hasAttr(el, "popover") || hasAttr(el, "autofocus") || hasAttr(el, "draggable") ? "group" : "";
}

function anchorRole(el) {
  return hasAttr(el, "href") || hasAttr(el, "onclick") || hasAttr(el, "onmousedown") || hasAttr(el, "onmouseup") ? "link" : "";
}

function imageRole(el) {
  if (attr(el, "alt") !== "" || attr(el, "title")) return "img";
  return isFocusable(el) || elementAttributeNames.call(el).some((n) => n.startsWith("aria-")) ? "img" : "none";
}

function inputRole(el) {
  const type = el.type;
  if (type === "hidden") return "none";
  if (type !== "color" && hasAttr(el, "list") && el.list) return "combobox";
  return INPUT_ROLES.get(type) ?? "textbox";
}

function selectRole(el) {
  return el.multiple || el.size > 1 ? "listbox" : "combobox";
}

// A label takes the place of a checkbox, radio button or file input that it
// stands for and that is not rendered itself: styled forms hide the native
// control and let the label do the work.
function labelRole(el) {
  const control = hiddenControl(el);
  return control ? fullRole(control) : "";
}

// hiddenControl returns the unrendered control that a visible label stands for.
function hiddenControl(el) {
  if (localName(el) !== "label" || !isHTML(el)) return null;
  const c = el.control;
  if (!c || localName(c) !== "input") return null;
  if (c.type !== "checkbox" && c.type !== "radio" && c.type !== "file") return null;
  return !isShown(c) && labelsOf(c).find(isShown) === el ? c : null;
}

// controlOf returns the control whose state el shows: of a label that stands in
// for a hidden one that control, else el.
const controlOf = (el) => (localName(el) === "label" ? hiddenControl(el) ?? el : el);

// itemRole: a list item is one wherever it is, unless the author has made
// something else of its list.
function itemRole(el) {
  const p = parentOf(el), tag = p && localName(p);
  if (tag !== "ul" && tag !== "ol" && tag !== "menu" && tag !== "dir") return "listitem";
  const written = attr(p, "role");
  for (const token of written ? written.toLowerCase().split(/\s+/) : []) {
    const role = ARIA_ROLES.get(token);
    if (role !== undefined) return role === "list" ? "listitem" : "none";
  }
  return "listitem";
}

function summaryRole(el) {
  const p = parentOf(el);
  if (!p || localName(p) !== "details" || !isHTML(p)) return "";
  for (let s = previousElement(el); s; s = previousElement(s)) if (localName(s) === "summary") return "";
  return "button";
}

// ---- landmarks that depend on what they are in

const SECTIONING = new Set(["article", "aside", "nav", "section"]);
const SECTIONING_ROLES = new Set(["article", "complementary", "navigation"]);

// insideSectioning reports whether el is in sectioning content, or in main.
function insideSectioning(el, main) {
  for (let p = parentOf(el); p; p = parentOf(p)) {
    const tag = localName(p);
    if (hasAttr(p, "role")) {
      const role = fullRole(p);
      if (SECTIONING_ROLES.has(role) || (main && role === "main")) return true;
    } else if (SECTIONING.has(tag) || (main && tag === "main")) return true;
  }
  return false;
}

function asideRole(el) {
  return insideSectioning(el, false) && !hasAuthorName(el) ? "" : "complementary";
}

function bandRole(el, landmark, plain) {
  return insideSectioning(el, true) ? plain : landmark;
}

// ---- tables

// memo holds answers for the length of one call into this world, in which the
// document cannot change.
let memo = null;

function memoized(key, el, compute) {
  if (!memo) return compute(el);
  let m = memo.get(key);
  if (!m) memo.set(key, (m = new Map()));
  let v = m.get(el);
  if (v === undefined) m.set(el, (v = compute(el)));
  return v;
}

// withMemo runs f with a fresh memo. What the style sheets can do is known from
// a surveyStyles inside f until its end.
function withMemo(f) {
  if (memo) return f();
  memo = new Map();
  suspectStyles();
  try {
    return f();
  } finally {
    memo = lastRow = null;
    suspectStyles();
  }
}

function tableOf(el) {
  for (let p = parentOf(el); p; p = parentOf(p)) if (localName(p) === "table") return p;
  return null;
}

// tableKind is "grid" or "table" for a table whose parts have roles, "layout"
// for one that only arranges things, "" for one with another role.
const tableKind = (table) => memoized("table", table, (t) => {
  const role = fullRole(t);
  if (role === "grid" || role === "treegrid") return "grid";
  return role === "table" ? "table" : role === "" && !hasAttr(t, "role") ? "layout" : "";
});

// inData reports whether a part of a table belongs to one whose parts have roles.
function inData(el) {
  const t = tableOf(el), kind = t && tableKind(t);
  return kind === "table" || kind === "grid";
}

function sectionRole(el) {
  return inData(el) ? "rowgroup" : "";
}

// bodyRole: the rows of a <tbody> belong to the table, as in Chromium; only a
// group that the author speaks of is one.
function bodyRole(el) {
  return elementAttributeNames.call(el).some((n) => n.startsWith("aria-")) ? sectionRole(el) : "";
}

function rowRole(el) {
  return inData(el) ? "row" : "";
}

// Cells come in rows, so what was found for the last row is asked for again.
let lastRow = null, lastRowKind = "";

// rowKind is the kind of the table that a row with the role row is in, else "".
function rowKind(row) {
  if (memo && row === lastRow) return lastRowKind;
  const t = fullRole(row) === "row" ? tableOf(row) : null, kind = t ? tableKind(t) : "";
  lastRow = row;
  lastRowKind = kind === "layout" ? "" : kind;
  return lastRowKind;
}

function cellRole(el) {
  const row = parentOf(el), kind = row ? rowKind(row) : "";
  if (kind === "") return "";
  if (localName(el) !== "th") return kind === "grid" ? "gridcell" : "cell";
  const scope = (attr(el, "scope") ?? "").toLowerCase();
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  return headerRole(el, row);
}

// headerRole guesses which way a <th> without a scope points: at the row when a
// cell with content stands beside it or at an end of the row.
function headerRole(el, row) {
  const next = nextSibling(el), prev = previousNode(el);
  if (!next && !prev) return "columnheader";
  const th = (n) => n && isElement(n) && localName(n) === "th";
  const filled = (n) => n && isElement(n) && localName(n) === "td" && firstChild(n) !== null;
  if (th(next) && th(prev)) return "columnheader";
  if (filled(next) || filled(prev)) return "rowheader";
  if (localName(row) !== "tr") return "columnheader";
  const first = getFirstElement.call(row), last = getLastElement.call(row);
  if (filled(first) || filled(last) || filled(nextElement(first)) || filled(previousElement(last))) return "rowheader";
  return "columnheader";
}

// isDataTable tells a table of data from one used for layout, by the signs that
// Chromium goes by. Old pages are made of layout tables; rows and cells for
// them would be noise.
const isDataTable = (table) => memoized("data", table, (t) => {
  if (hasAttr(t, "role") || !isRendered(t) || getIsContentEditable.call(t)) return true;
  if (attr(t, "summary") || t.tHead || t.tFoot || t.caption || attr(t, "rules")) return true;
  for (let c = getFirstElement.call(t); c; c = nextElement(c)) if (localName(c) === "col" || localName(c) === "colgroup") return true;
  const rows = t.rows, n = rows.length;
  if (n >= 20) return true;
  if (n === 0 || (n === 1 && rows[0].cells.length === 1)) return false;
  return looksLikeData(t, rows);
});

function looksLikeData(table, rows) {
  const style = styleOf(table), background = style.backgroundColor;
  const spaced = style.borderCollapse !== "collapse" && !/^0px|\s0px/.test(style.borderSpacing);
  const edges = { borderTopWidth: 0, borderBottomWidth: 0, borderLeftWidth: 0, borderRightWidth: 0 };
  let valid = 0, bordered = 0, coloured = 0;
  const stripes = [];
  for (const row of rows) {
    for (const cell of row.cells) {
      if (localName(cell) === "th" || attr(cell, "headers") || attr(cell, "abbr") || attr(cell, "axis") || attr(cell, "scope")) return true;
      const s = styleOf(cell);
      if (s.display === "none" || s.display.startsWith("inline") || cell.offsetWidth < 1 || cell.offsetHeight < 1) continue;
      valid++;
      if (s.emptyCells === "hide") return true;
      const on = {};
      for (const edge in edges) {
        on[edge] = parseFloat(s[edge]) > 0;
        if (on[edge]) edges[edge]++;
      }
      if ((on.borderTopWidth && on.borderBottomWidth) || (on.borderLeftWidth && on.borderRightWidth)) bordered++;
      if (spaced && s.backgroundColor !== background && !/, 0\)$/.test(s.backgroundColor)) coloured++;
      if (bordered >= 10 || coloured >= 10) return true;
      if (stripes.length < 5 && stripes.length === rowIndex(rows, row)) stripes.push(styleOf(row).backgroundColor);
    }
  }
  if (valid <= 1) return false;
  const half = Math.floor(valid / 2);
  if (bordered >= half || coloured >= half || Object.values(edges).some((n) => n >= half)) return true;
  return stripes.length > 2 && stripes.every((c, i) => (c === stripes[0]) === (i % 2 === 0));
}

function rowIndex(rows, row) {
  for (let i = 0; i < 5 && i < rows.length; i++) if (rows[i] === row) return i;
  return -1;
}

const getPreviousSibling = getterOf(Node, "previousSibling");
const previousNode = (n) => getPreviousSibling.call(n);

// ---- SVG

const SVG_SHAPES = new Set(["path", "rect", "circle", "ellipse", "line", "polyline", "polygon"]);

// svgRole: SVG-AAM 1.0, except that an <svg> is an image, the word everyone
// uses. Shapes and groups count when the author says something about them.
function svgRole(el, tag) {
  switch (tag) {
    case "svg": {
      const p = parentOf(el);
      if (p && isSVG(p) && localName(p) !== "foreignObject") return isDescribedSVG(el) ? "group" : "";
      return getFirstElement.call(el) || isDescribedSVG(el) ? "img" : "";
    }
    case "a":
      return hasAttr(el, "href") || hasAttr(el, "xlink:href") || hasAttr(el, "onclick") ? "link" : isDescribedSVG(el) ? "group" : "";
    case "image":
      return "img";
    case "g": case "foreignObject":
      return isDescribedSVG(el) ? "group" : "";
    case "use":
      return isDescribedSVG(el) ? "graphics-object" : "";
  }
  return SVG_SHAPES.has(tag) && isDescribedSVG(el) ? "graphics-symbol" : "";
}

// isDescribedSVG: has a title or desc child, an aria attribute, the focus or a
// click handler.
function isDescribedSVG(el) {
  for (let c = getFirstElement.call(el); c; c = nextElement(c)) {
    const tag = localName(c);
    if (tag === "title" || tag === "desc") return true;
  }
  if (!elementHasAttributes.call(el)) return false;
  return elementAttributeNames.call(el).some((n) => n === "tabindex" || n === "onclick" || n.startsWith("aria-"));
}
