// What the style sheets of a document can do at all. Computed style is the
// dearest thing to ask of an element, so a walk first reads the rules, once, and
// then asks only the elements that a rule in question applies to.

// css says which questions need asking at all; whatever cannot be known counts
// as yes.
const css = { transform: true, contentVisibility: true, visibility: true, cursor: true, pseudo: true };
// They narrow a question to the elements that match; null stands for all of them.
let cursorSelector = null, pseudoSelector = null;
const MAX_RULES = 1500;
const MAX_SELECTORS = 80;
const seenSheets = new WeakMap();

// Surveyed so far: the selectors by question, null once there are too many.
let cursorSelectors = null, pseudoSelectors = null;
let asksElements = true;

// surveyStyles looks at the sheets of the document for the length of a call; a
// sheet that has been read is not read again while its rules are as many. Who
// enters a shadow root adds that with surveyRoot. For who asks for visibility,
// cursor and pseudo elements the elements that matter are looked for as well.
function surveyStyles(elements = true) {
  asksElements = elements;
  css.transform = css.contentVisibility = false;
  css.visibility = !elements;
  cursorSelectors = elements ? new Set() : null;
  pseudoSelectors = elements ? new Set() : null;
  surveyTree(document, getStyleSheets.call(document), getAdoptedSheets.call(document));
}

const surveyRoot = (root) => surveyTree(root, getRootStyleSheets.call(root), getRootAdoptedSheets.call(root));

// suspectStyles makes every question be asked of everything again.
function suspectStyles() {
  css.transform = css.contentVisibility = css.visibility = css.cursor = css.pseudo = true;
  cursorSelector = pseudoSelector = cursorSelectors = pseudoSelectors = null;
}

function surveyTree(tree, sheets, adopted) {
  for (const sheet of sheets) surveySheet(sheet);
  for (const sheet of adopted) surveySheet(sheet);
  if (!asksElements) return;
  css.visibility ||= queryOne(tree, '[style*="visibility" i],[visibility]') !== null;
  // The browser's own sheet puts quotes around <q>.
  if (pseudoSelectors !== null && queryOne(tree, "q")) pseudoSelectors.add("q");
  cursorSelector = selectorList(cursorSelectors);
  pseudoSelector = selectorList(pseudoSelectors);
  css.cursor = cursorSelector !== "";
  css.pseudo = pseudoSelector !== "";
}

// selectorList is the list of a set of selectors, "" of none, null of too many.
function selectorList(set) {
  return set === null || set.size > MAX_SELECTORS ? null : [...set].join();
}

function surveySheet(sheet) {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    // A sheet of another origin keeps its rules to itself.
    return suspectStyles();
  }
  let known = seenSheets.get(sheet);
  if (known === undefined || known.n !== rules.length) seenSheets.set(sheet, (known = new SheetSurvey(rules)));
  css.transform ||= known.transform;
  css.contentVisibility ||= known.contentVisibility;
  css.visibility ||= known.visibility;
  cursorSelectors = joined(cursorSelectors, known.cursor);
  pseudoSelectors = joined(pseudoSelectors, known.pseudo);
}

function joined(all, more) {
  if (all === null || more === null) return null;
  for (const s of more) all.add(s);
  return all;
}

// SheetSurvey is what one sheet can do.
class SheetSurvey {
  constructor(rules) {
    this.n = rules.length;
    this.transform = this.contentVisibility = this.visibility = false;
    this.cursor = new Set();
    this.pseudo = new Set();
    if (this.n > MAX_RULES) this.giveUp();
    else this.read(rules);
  }

  giveUp() {
    this.transform = this.contentVisibility = this.visibility = true;
    this.cursor = this.pseudo = null;
  }

  read(rules) {
    for (const rule of rules) {
      if (this.cursor === null && this.pseudo === null) return;
      const text = rule.cssText;
      if (!ASKED_FOR.test(text)) continue;
      if (rule instanceof CSSStyleRule) this.readRule(rule);
      else if (rule instanceof CSSMediaRule || rule instanceof CSSSupportsRule || rule instanceof CSSLayerBlockRule) this.read(rule.cssRules);
      else if (!(rule instanceof CSSFontFaceRule)) return this.giveUp();
    }
  }

  readRule(rule) {
    const selectors = rule.selectorText, style = rule.style;
    // A selector that means something only in its place cannot be asked elsewhere.
    if (rule.cssRules.length > 0 || PLACED.test(selectors)) return this.giveUp();
    if (TRANSFORMS.test(style.textTransform)) this.transform = true;
    if (HIDES.test(style.contentVisibility)) this.contentVisibility = true;
    if (HIDES.test(style.visibility)) this.visibility = true;
    if (style.cursor !== "" || style.all !== "") this.cursor?.add(selectors);
    if (PSEUDO.test(selectors) && generatesText(style.content)) {
      for (const s of selectors.split(",")) {
        // A comma inside :is() and its like would need a real parser.
        if (s.includes("(") || s.includes(")")) return this.giveUp();
        if (PSEUDO.test(s)) this.pseudo?.add(s.replace(PSEUDO, "").replace(/(^|[\s>+~])$/, "$1*"));
      }
    }
    return undefined;
  }
}

const ASKED_FOR = /[{; ](cursor|text-transform|content|content-visibility|visibility|all):|@import/;
const HIDES = /hidden|collapse|auto|var\(/;
const PLACED = /&|:host|:scope|::slotted|::part/;
const PSEUDO = /::?(before|after)\b/;
const TRANSFORMS = /upper|lower|capital|var\(/;

// generatesText reports whether a value of `content` can put words on the page:
// empty strings do not, nor do the private characters of icon fonts.
function generatesText(content) {
  if (content === "" || content === "none" || content === "normal") return false;
  const { text, alt } = readContent(content);
  return alt !== null || /\(/.test(content) || text.replace(/[\ue000-\uf8ff]/g, "") !== "";
}

// setsCursor reports whether a rule may give el a cursor of its own.
const setsCursor = (el) => css.cursor && (cursorSelector === null || matches(el, cursorSelector));

// hasPseudo reports whether a rule may give el text before or after it.
const hasPseudo = (el) => css.pseudo && (pseudoSelector === null || matches(el, pseudoSelector));
