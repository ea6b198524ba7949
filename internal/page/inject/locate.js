// Locators: from what a user writes to elements.
//
//   css        #save, form .row > a, also css=…; sees through open and known closed shadow roots
//   xpath      xpath=…, //…, (//…)[2]
//   text       text=Save (contains, any case), text="Save" (exact), text=/re/i, or just "Save"
//   role       role=button[name="Save"][expanded]; hidden elements do not count
//   label=, placeholder=, alt=, title= (like text), testid= (exact)
//   a >> b     b inside a; `>> nth=0`, `>> nth=-1`, `>> :visible` choose among the matches
//
// Everything starts from the cheapest filter the form allows: roles and names
// are computed for the elements that a tag or attribute query has left over.

// LocatorError is a locator that cannot be read; its message is for the user.
class LocatorError extends Error {}

// See dom.js for why methods are taken from prototypes.
const nodePosition = Node.prototype.compareDocumentPosition;
const documentEvaluate = Document.prototype.evaluate;
const getBody = getterOf(Document, "body");
const scrap = new DocumentFragment();

const engines = /^\s*(css|xpath|text|role|label|placeholder|testid|alt|title|nth|visible)=/;
const textEngines = new Set(["text", "label", "placeholder", "testid", "alt", "title"]);

// locatorSteps splits a locator at `>>` and names the engine of each part.
// Quotes protect `>>` where the form has quotes: inside brackets, and around a
// whole text; an apostrophe inside a plain text means nothing.
function locatorSteps(locator) {
  const steps = [];
  let rest = locator;
  for (;;) {
    const step = readStep(rest);
    const cut = stepEnd(rest, step);
    step.body = rest.slice(step.start, cut).trim();
    if (!step.body) throw new LocatorError(locator.trim() ? "a part of it is empty" : "it is empty");
    steps.push(step);
    if (cut >= rest.length) return steps;
    rest = rest.slice(cut + 2);
  }
}

function readStep(s) {
  const prefix = engines.exec(s);
  if (prefix) return { engine: prefix[1], start: prefix[0].length };
  const start = s.length - s.trimStart().length;
  const head = s.slice(start);
  if (/^(\(*\s*\/\/|\.\.?\/|\/[\w*@])/.test(head)) return { engine: "xpath", start };
  if (/^["']/.test(head)) return { engine: "text", start };
  return { engine: "css", start };
}

// stepEnd returns where the part that begins at step.start ends: at `>>` or at
// the end of the locator.
function stepEnd(s, step) {
  const text = textEngines.has(step.engine);
  let depth = 0, quote = "", first = true;
  for (let i = step.start; i < s.length; i++) {
    const ch = s[i];
    if (quote) {
      if (ch === "\\") i++;
      else if (ch === quote) quote = "";
      continue;
    }
    const opens = first || depth > 0 || step.engine === "xpath";
    if ((ch === '"' || ch === "'") && opens) quote = ch;
    else if (ch === "/" && step.engine !== "xpath" && (text ? first : depth > 0 && s[i - 1] === "=")) quote = ch;
    else if (ch === "\\" && step.engine === "css") i++;
    else if (!text && (ch === "[" || ch === "(")) depth++;
    else if (!text && (ch === "]" || ch === ")")) depth--;
    else if (ch === ">" && s[i + 1] === ">" && depth <= 0) return i;
    if (ch.trim()) first = false;
  }
  if (quote && quote !== "/") throw new LocatorError(`a ${quote} is not closed`);
  return s.length;
}

const collapse = (s) => s.replace(/\s+/g, " ").trim();
const squash = (s) => s.replace(/\s+/g, "").toLowerCase();

// textMatcher reads "exact", /regular expression/flags or a plain text, which
// matches anywhere and in any case. `may`, where there is one, is a cheap
// necessary condition.
function textMatcher(body) {
  const quoted = /^(["'])((?:\\.|(?!\1)[^\\])*)\1\s*(i|s)?$/s.exec(body);
  if (quoted) {
    const want = collapse(quoted[2].replace(/\\(.)/gs, "$1")), fold = quoted[3] === "i";
    const needle = squash(want);
    const low = want.toLowerCase();
    return { body, exact: true, want, may: (s) => squash(s).includes(needle), test: fold ? (s) => collapse(s).toLowerCase() === low : (s) => collapse(s) === want };
  }
  const re = /^\/(.+)\/([a-z]*)$/s.exec(body);
  if (re) {
    let compiled;
    try {
      compiled = new RegExp(re[1], re[2].replace(/[gy]/g, ""));
    } catch (e) {
      throw new LocatorError(`${body} is not a regular expression: ${e.message}`);
    }
    return { body, want: re[1], test: (s) => compiled.test(collapse(s)) };
  }
  const want = collapse(body).toLowerCase(), needle = squash(body);
  return { body, want, may: (s) => squash(s).includes(needle), test: (s) => collapse(s).toLowerCase().includes(want) };
}

const mayHold = (m, s) => !m.may || m.may(s);

// ---- where to look

const hostOf = (el) => {
  const root = nodeRoot.call(el);
  return nodeType(root) === 11 ? root.host ?? null : null;
};

// within reports whether el lies below scope, through shadow roots. A null
// scope is the document.
function within(scope, el) {
  if (!scope) return true;
  for (let at = el; at; at = hostOf(at)) {
    if (at === scope ? at !== el : nodeContains.call(scope, at)) return true;
  }
  return false;
}

const shadowRoots = () => memoized("roots", document, () => [...rootsUnder()]);

// searchRoots returns the trees below scope that a query has to be made in.
function searchRoots(scope) {
  const roots = [scope || document];
  for (const root of shadowRoots()) {
    if (!scope || scope === root.host || within(scope, root.host)) roots.push(root);
  }
  return roots;
}

const findAll = (scope, css) => searchRoots(scope).flatMap((root) => [...queryAll(root, css)]);

// composedOrder sorts elements of several trees as they are nested: a shadow
// root's content after its host and before what follows the host.
function composedOrder(a, b) {
  if (a === b) return 0;
  const chain = (el) => {
    const out = [el];
    for (let h = hostOf(el); h; h = hostOf(h)) out.unshift(h);
    return out;
  };
  const x = chain(a), y = chain(b);
  let i = 0;
  while (x[i] === y[i]) i++;
  if (!x[i]) return -1;
  if (!y[i]) return 1;
  return nodePosition.call(x[i], y[i]) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

// ---- css

// cssList reads a selector list into compounds and combinators, so that a
// descendant can be looked for beyond a shadow root, and takes out the two
// pseudo-classes that are ours, :visible and :has-text("…").
function cssList(selector) {
  const list = [];
  let seq = { compounds: [""], combinators: [] };
  const end = () => {
    if (!seq.compounds.at(-1).trim()) throw new LocatorError(`${JSON.stringify(selector)} is not a valid CSS selector: a part of it is empty`);
    list.push(seq);
  };
  for (const token of cssTokens(selector)) {
    if (token === ",") {
      end();
      seq = { compounds: [""], combinators: [] };
    } else if (/^\s*[>+~]\s*$|^\s+$/.test(token)) {
      seq.combinators.push(token.trim() || " ");
      seq.compounds.push("");
    } else {
      seq.compounds[seq.compounds.length - 1] += token;
    }
  }
  end();
  for (const s of list) s.compounds = s.compounds.map((c) => cssCompound(c, selector));
  return list;
}

// cssTokens splits a selector at combinators and commas outside brackets,
// parentheses, strings and escapes.
function cssTokens(selector) {
  const out = [];
  let token = "", depth = 0, quote = "";
  const s = selector.trim();
  for (let i = 0; i < s.length; i++) {
    const ch = s[i];
    if (ch === "\\") {
      token += ch + (s[++i] ?? "");
    } else if (quote) {
      token += ch;
      if (ch === quote) quote = "";
    } else if (depth > 0 || ch === "[" || ch === "(") {
      token += ch;
      if (ch === '"' || ch === "'") quote = ch;
      else if (ch === "[" || ch === "(") depth++;
      else if (ch === "]" || ch === ")") depth--;
    } else {
      const gap = /^(\s*,\s*|\s*[>+~]\s*|\s+)/.exec(s.slice(i));
      if (!gap) {
        token += ch;
        continue;
      }
      out.push(token, gap[0].includes(",") ? "," : gap[0]);
      token = "";
      i += gap[0].length - 1;
    }
  }
  out.push(token);
  return out.filter((t, i) => t !== "" || i === out.length - 1 || i === 0);
}

const ownPseudo = /:visible(?![\w-(])|:has-text\(\s*((?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^)])*)\)/g;

function cssCompound(css, selector) {
  const filters = [];
  const plain = css.replace(ownPseudo, (whole, text) => {
    if (text === undefined) {
      filters.push(isVisible);
    } else {
      const m = textMatcher(/^["']/.test(text.trim()) ? text.trim().slice(1, -1) : text.trim());
      filters.push((el) => mayHold(m, textContent(el)) && m.test(visibleText(el)));
    }
    return "";
  }).trim() || "*";
  try {
    queryAll(scrap, plain);
  } catch {
    throw new LocatorError(`${JSON.stringify(selector)} is not a valid CSS selector`);
  }
  return { css: plain, filters, test: (el) => matches(el, plain) && filters.every((f) => f(el)) };
}

function outerElement(el) {
  const p = parentNode(el);
  if (!p) return null;
  const type = nodeType(p);
  return type === 1 ? p : type === 11 ? p.host ?? null : null;
}

// leftMatches reports whether the compounds before number i match around el,
// which matches compound i. dead holds, by number, the elements for which the
// answer is known to be no: without it the work grows exponentially with depth.
function leftMatches(el, seq, i, dead = []) {
  if (i === 0) return true;
  const left = seq.compounds[i - 1];
  const known = dead[i - 1] ||= new Set();
  const ok = (e) => {
    if (known.has(e)) return false;
    if (left.test(e) && leftMatches(e, seq, i - 1, dead)) return true;
    known.add(e);
    return false;
  };
  let at;
  switch (seq.combinators[i - 1]) {
    case ">":
      at = outerElement(el);
      return !!at && ok(at);
    case "+":
      at = previousElement(el);
      return !!at && ok(at);
    case "~":
      for (at = previousElement(el); at; at = previousElement(at)) if (ok(at)) return true;
      return false;
    default:
      for (at = outerElement(el); at; at = outerElement(at)) if (ok(at)) return true;
      return false;
  }
}

function byCSS(scope, selector) {
  const list = cssList(selector);
  const roots = searchRoots(scope);
  const native = !list.some((seq) => seq.compounds.some((c) => c.filters.length));
  // Only the engine knows how :scope and the like hang together.
  if (native && (roots.length === 1 || /:(scope|root|host)\b/.test(selector))) return findAll(scope, selector);
  const found = new Set();
  for (const seq of list) {
    const last = seq.compounds.length - 1;
    for (const root of roots) {
      for (const el of queryAll(root, seq.compounds[last].css)) {
        if (seq.compounds[last].filters.every((f) => f(el)) && leftMatches(el, seq, last)) found.add(el);
      }
    }
  }
  return list.length > 1 ? [...found].sort(composedOrder) : [...found];
}

// ---- xpath

function byXPath(scope, expr) {
  const inner = scope && expr.startsWith("/") ? "." + expr : expr;
  let result;
  try {
    result = documentEvaluate.call(document, inner, scope || document, null, XPathResult.ANY_TYPE, null);
  } catch {
    throw new LocatorError(`${JSON.stringify(expr)} is not a valid XPath expression`);
  }
  if (result.resultType !== XPathResult.UNORDERED_NODE_ITERATOR_TYPE) {
    throw new LocatorError(`${JSON.stringify(expr)} is an XPath expression for a value, not for elements`);
  }
  const out = new Set();
  for (let n = result.iterateNext(); n; n = result.iterateNext()) {
    const el = isElement(n) ? n : n.ownerElement ?? parentNode(n);
    if (el && isElement(el)) out.add(el);
  }
  return [...out].sort(composedOrder);
}

// ---- text

const textless = new Set(["script", "style", "noscript", "template", "head", "select", "datalist", "textarea", "iframe", "object", "video", "audio", "canvas"]);

// visibleText is what of an element's own tree a person sees, before CSS case
// changes make "Save" into "SAVE".
function visibleText(el) {
  return isHTML(el) ? getInnerText.call(el) : textContent(el);
}

// textIn appends the smallest elements below top whose visible text matches, an
// element after those in it. Subtrees whose text cannot match are not entered. It
// keeps its own stack, for a page can be nested deeper than calls can.
function textIn(top, m, out, see) {
  const stack = [{ node: top, child: firstElement(top), inner: false }];
  while (stack.length) {
    const at = stack[stack.length - 1], child = at.child;
    if (child) {
      at.child = nextElement(child);
      if (!textless.has(localName(child)) && mayHold(m, textContent(child))) stack.push({ node: child, child: firstElement(child), inner: false });
      continue;
    }
    stack.pop();
    const found = at.inner || isTextOf(at.node, m, out, see);
    if (found && stack.length) stack[stack.length - 1].inner = true;
  }
}

// isTextOf appends node if its own visible text matches, and says so.
function isTextOf(node, m, out, see) {
  if (!isElement(node) || !see(node)) return false;
  const text = visibleText(node);
  // Text that only a hidden part of the element has is not seen.
  if (!m.test(text) && !(mayHold(m, text) && m.test(textContent(node)))) return false;
  out.push(node);
  return true;
}

function byText(scope, m, see = isShown) {
  const out = [];
  for (const root of searchRoots(scope)) {
    const top = root === document ? getBody.call(document) || getDocumentElement.call(document) : root;
    if (top && mayHold(m, textContent(top))) textIn(top, m, out, see);
    for (const el of queryAll(root, "input[type=submit],input[type=button],input[type=reset]")) {
      if (m.test(el.value) && see(el)) out.push(el);
    }
  }
  return out;
}

// ---- attributes and labels

const attributeSteps = {
  placeholder: ["placeholder", "aria-placeholder"],
  alt: ["alt"],
  title: ["title"],
  testid: ["data-testid", "data-test-id", "data-test"],
};

function byAttribute(scope, engine, m) {
  const names = attributeSteps[engine];
  return findAll(scope, names.map((n) => `[${n}]`).join(",")).filter((el) => names.some((n) => hasAttr(el, n) && m.test(attr(el, n))));
}

// labelTexts returns the texts that label a control: label elements,
// aria-label, and what aria-labelledby points at.
function labelTexts(el) {
  const out = [];
  if (hasAttr(el, "aria-label")) out.push(attr(el, "aria-label"));
  for (const id of (attr(el, "aria-labelledby") || "").split(/\s+/).filter(Boolean)) {
    const by = byId(el, id);
    if (by) out.push(textContent(by));
  }
  for (const label of labelsOf(el)) out.push(visibleText(label), textContent(label));
  return out;
}

function byLabel(scope, m) {
  const css = "input:not([type=hidden]),select,textarea,button,meter,output,progress,[aria-label],[aria-labelledby]";
  return findAll(scope, css).filter((el) => labelTexts(el).some((t) => m.test(t)));
}

// ---- role

// Where elements with a role can be found besides [role]; a role that is not
// here is looked for everywhere. Each entry is a superset of HTML-AAM's mapping.
const roleTags = {
  article: "article", banner: "header", blockquote: "blockquote", button: "button,input,summary,label", caption: "caption",
  cell: "td,th", checkbox: "input,label", code: "code", columnheader: "th", combobox: "input,select", complementary: "aside",
  contentinfo: "footer", definition: "dd,dfn", deletion: "del,s", dialog: "dialog", document: "html,body", emphasis: "em",
  figure: "figure", form: "form", gridcell: "td,th", group: "fieldset,details,optgroup,address,hgroup", heading: "h1,h2,h3,h4,h5,h6",
  img: "img,svg,image", insertion: "ins", link: "a,area", list: "ul,ol,menu", listbox: "select,datalist",
  listitem: "li", main: "main", mark: "mark", math: "math", menuitem: "menuitem", meter: "meter", navigation: "nav", option: "option",
  paragraph: "p", progressbar: "progress", radio: "input,label", region: "section", row: "tr", rowgroup: "tbody,thead,tfoot", rowheader: "th",
  search: "search", searchbox: "input", separator: "hr", slider: "input", spinbutton: "input", status: "output", strong: "strong",
  subscript: "sub", superscript: "sup", switch: "input,label", table: "table", term: "dt,dfn", textbox: "input,textarea,[contenteditable]", time: "time",
  audio: "audio", canvas: "canvas", iframe: "iframe,frame", video: "video",
  alert: "", alertdialog: "", application: "", feed: "", grid: "", log: "", marquee: "", menu: "menu,ul,ol", menubar: "",
  menuitemcheckbox: "", menuitemradio: "", note: "", radiogroup: "", scrollbar: "", tab: "", tablist: "", tabpanel: "",
  timer: "", toolbar: "", tooltip: "", tree: "", treegrid: "", treeitem: "",
};
function roleStep(body) {
  const m = /^([\w-]+)\s*((?:\[[\s\S]*\])?)$/.exec(body);
  if (!m) throw new LocatorError(`role=${body} is not read, want role=button[name="Save"]`);
  const said = m[1].toLowerCase(), role = ARIA_ROLES.get(said) ?? (roleTags[said] ? said : undefined);
  if (role === undefined) throw new LocatorError(`${m[1]} is not an ARIA role`);
  return { role, ...roleAttributes(m[2]) };
}

const roleStates = ["checked", "disabled", "expanded", "level", "pressed", "selected"];

function roleAttributes(s) {
  const out = { states: {} };
  const attr = /\[\s*([\w-]+)\s*(?:=\s*("(?:\\.|[^"\\])*"\s*[is]?|'(?:\\.|[^'\\])*'\s*[is]?|\/(?:\\.|[^/\\])+\/[a-z]*|[^\]]*?))?\s*\]/gy;
  let end = 0;
  for (let m = attr.exec(s); m; m = attr.exec(s)) {
    end = attr.lastIndex;
    if (m[1] === "name") {
      if (m[2] === undefined || m[2] === "") throw new LocatorError('[name] wants a value: [name="Save"]');
      out.name = textMatcher(m[2]);
    } else if (roleStates.includes(m[1])) {
      out.states[m[1]] = (m[2] ?? "true").replace(/^["']|["']$/g, "");
    } else {
      throw new LocatorError(`[${m[1]}] is not known, want one of name, ${roleStates.join(", ")}`);
    }
  }
  if (end !== s.length) throw new LocatorError(`${s.slice(end)} is not read, want [name="Save"]`);
  return out;
}

// stateOf returns the value of one of roleStates, "" when el has no such state.
function stateOf(el, state) {
  const role = roleOf(el);
  switch (state) {
    case "disabled": return String(isDisabled(controlOf(el)));
    case "checked": return checkedOf(el, role);
    case "selected": return String(selectedOf(el, role));
    case "expanded": return expandedOf(el, role);
    case "pressed": return pressedOf(el, role);
    default: return role === "heading" || hasAttr(el, "aria-level") ? String(levelOf(el, localName(el))) : "";
  }
}

// stateMatches: a state that is not there counts as false.
const stateMatches = (el, state, want) => (stateOf(el, state) || "false") === want;

// spareName names an element that is hidden, which has no accessible name.
const spareName = (el) => nameOf(el) || tidy(textContent(el));

function byRole(scope, step, hidden = false) {
  const tags = roleTags[step.role];
  const query = tags === undefined ? "*" : tags ? tags + ",[role]" : "[role]";
  // The cheapest question first; on a large page most elements answer no.
  const m = step.name;
  surveyStyles();
  const plain = m && !css.pseudo;
  return findAll(scope, query).filter((el) => (!plain || mayBeNamed(el, m)) && roleOf(el) === step.role &&
    Object.entries(step.states).every(([k, v]) => stateMatches(el, k, v)) &&
    (!m || m.test(hidden ? spareName(el) : nameOf(el))) && isHiddenFromTree(el) === hidden);
}

// mayBeNamed is a cheap necessary condition for a name, in a document whose
// styles generate no text: an element that has nothing to be named by but its
// text must contain the name there.
function mayBeNamed(el, m) {
  if (!m.may || hasAttr(el, "aria-label") || hasAttr(el, "aria-labelledby") || hasAttr(el, "title")) return true;
  if (m.may(textContent(el)) || nameless.has(localName(el)) || shadowOf(el) || labelsOf(el).length) return true;
  return !!firstElement(el) && queryAll(el, "[aria-label],[aria-labelledby],[title],[alt],[role],input,select,textarea,svg,slot,object,embed,iframe,meter,progress").length > 0;
}

const nameless = new Set(["input", "select", "textarea", "img", "svg", "image", "area", "table", "figure", "fieldset", "optgroup", "meter", "progress", "output", "iframe", "dialog", "form"]);


// ---- chains

function runStep(scope, step) {
  switch (step.engine) {
    case "css": return byCSS(scope, step.body);
    case "xpath": return byXPath(scope, step.body);
    case "text": return byText(scope, textMatcher(step.body));
    case "label": return byLabel(scope, textMatcher(step.body));
    case "role": return byRole(scope, roleStep(step.body));
    case "testid": return byAttribute(scope, "testid", textMatcher(/^["'/]/.test(step.body) ? step.body : JSON.stringify(step.body)));
    default: return byAttribute(scope, step.engine, textMatcher(step.body));
  }
}

// chooses applies a step that picks among matches; null when step is another.
function chooses(step, found) {
  if (step.engine === "nth") {
    if (!/^-?\d+$/.test(step.body)) throw new LocatorError(`nth=${step.body} wants a number; 0 is the first, -1 the last`);
    const el = found.at(+step.body);
    return el ? [el] : [];
  }
  if (step.engine === "visible") {
    if (!/^(true|false)$/.test(step.body)) throw new LocatorError(`visible=${step.body} wants true or false`);
    return found.filter((el) => isVisible(el) === (step.body === "true"));
  }
  return step.engine === "css" && step.body === ":visible" ? found.filter(isVisible) : null;
}

// matchAll returns the elements that a locator names, in tree order.
const matchAll = (locator) => matchSteps(locatorSteps(locator));

// matchSteps is matchAll for a locator that has been split already.
const matchSteps = (steps) => withMemo(() => runChain(steps));

function runChain(steps) {
  let scopes = [null];
  steps.forEach((step, i) => {
    if (i > 0) {
      const chosen = chooses(step, scopes);
      if (chosen) {
        scopes = chosen;
        return;
      }
    } else if (step.engine === "nth" || step.engine === "visible") {
      throw new LocatorError(`${step.engine}= chooses among matches, want something before it: button >> ${step.engine}=${step.body}`);
    }
    const found = new Set();
    for (const scope of scopes) for (const el of runStep(scope, step)) found.add(el);
    scopes = [...found];
    const trees = new Set(scopes.map((el) => nodeRoot.call(el)));
    if (trees.size > 1 || i > 0) scopes.sort(composedOrder);
  });
  return scopes;
}

function itemOf(el) {
  rememberPlace(el);
  return { id: idOf(el), role: roleOf(el), name: nameOf(el), visible: isVisible(el), desc: describe(el) };
}

// browse.locate finds what a locator names in this document.
// Result: {total, visible, items: [{id, role, name, visible, desc}]}, visible
// matches first, at most o.limit (default 6) items; or {error} when the locator
// cannot be read. With o.visibleOnly nothing else counts.
browse.locate = (locator, o = {}) => {
  let found;
  try {
    found = matchAll(locator);
  } catch (e) {
    if (e instanceof LocatorError) return { error: e.message };
    throw e;
  }
  if (o.visibleOnly) found = found.filter(isVisible);
  const seen = found.slice(0, 1000).filter(isVisible);
  const first = found.length > seen.length ? [...seen, ...found.filter((el) => !seen.includes(el)).slice(0, o.limit ?? 6)] : seen;
  return { total: found.length, visible: seen.length, items: first.slice(0, o.limit ?? 6).map(itemOf) };
};

// browse.matches lists what a locator names in this document, in tree order, as
// it is shown with a ref from now on. With o.all hidden elements are among them.
// Result: {total, visible, items: [{id, role, name, states, value, url, cursor,
// visible, desc}]}, at most o.limit items; or {error}.
browse.matches = (locator, o) => withMemo(() => {
  let found;
  try {
    found = matchAll(locator);
  } catch (e) {
    if (e instanceof LocatorError) return { error: e.message };
    throw e;
  }
  surveyStyles();
  const shown = found.filter(isVisible), list = (o.all ? found : shown).slice(0, o.limit);
  const items = list.map((el) => {
    const role = roleOf(el), name = nameOf(el), visible = o.all ? shown.includes(el) : true, states = statesOf(el, role, deepFocus());
    if (!visible) states.push("hidden");
    const value = tidy(valueOf(controlOf(el), role)) || (name === "" && !isSecret(el) && !(TAGS.get(localName(el)) & LEAF) ? tidy(new Naming(true, !visible).content(el, null)) : "");
    return {
      id: idOf(el), role, name: cut(name, MAX_MATCH), states: states.join(), value: cut(value, MAX_MATCH), url: linkURL(el, role),
      cursor: looksClickable(el, role), visible, desc: describe(el),
    };
  });
  rememberPlaces(list, items.map((i) => i.name), [document]);
  settlePlaces();
  return { total: found.length, visible: shown.length, items };
});
const MAX_MATCH = 200;
