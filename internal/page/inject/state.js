// States and values, as core-AAM 1.2 and HTML-AAM 1.0 map them, in the words
// that a snapshot row shows.

// ---- secrets

const wasPassword = new WeakSet();
const SECRET_AUTOCOMPLETE = /(^|\s)(cc-[\w-]+|one-time-code|current-password|new-password)(\s|$)/i;

// What authors call fields for card numbers and codes that are used once, where
// they do not say it by autocomplete.
const SECRET_NAME = /(^|[^a-z])(cvc|cvv|cvn|csc|otp|totp|mfa|2fa|passcode|pin)\d?([^a-z]|$)|(card|cc)[-_ ]?(num|no($|[^a-z])|csc|cvc|cvv)|(security|verification|one[-_ ]?time|sms|auth)[-_ ]?code|one[-_ ]?time[-_ ]?pass/i;

// The roles of what is written in without being a control of HTML.
const WRITTEN_IN = /^\s*(textbox|searchbox|combobox|spinbutton)\b/i;

// isRegion reports whether el holds as its text what a field holds as its value.
const isRegion = (el) => isEditingHost(el) || (hasAttr(el, "role") && isHTML(el) && !NATIVE_FIELDS.has(localName(el)) && WRITTEN_IN.test(attr(el, "role")));
const NATIVE_FIELDS = new Set(["input", "textarea", "select"]);

// isSecretRegion is isSecret for what shows its value as text, which every reader
// of texts would tell.
const isSecretRegion = (el) => isRegion(el) && isSecret(el);
const REGIONS = "[contenteditable],[role]";

// inSecretRegion reports whether el is one, or a part of one.
function inSecretRegion(el) {
  for (let e = el; e; e = parentOf(e)) if (isSecretRegion(e)) return true;
  return false;
}

const MASKED_STYLE = /^(disc|circle|square)$/;

// isSecret reports whether the value of a field must never leave the page: a
// password, also one that is being shown, a card number, a one-time code.
function isSecret(el) {
  if (!isHTML(el)) return false;
  if (localName(el) === "input") {
    if (el.type === "password") wasPassword.add(el);
    if (el.type === "hidden" || wasPassword.has(el)) return true;
  }
  const autocomplete = attr(el, "autocomplete");
  if (autocomplete && SECRET_AUTOCOMPLETE.test(autocomplete)) return true;
  const input = isTextInput(el);
  if (!input && !isRegion(el)) return false;
  if (MASKED_STYLE.test(styleOf(el).webkitTextSecurity)) return true;
  return SECRET_NAME.test(attr(el, "name") ?? "") || SECRET_NAME.test(attr(el, "id") ?? "") || isCardNumber(input ? el.value : textContent(el));
}

// isCardNumber: 13 to 19 digits, perhaps in groups, whose check digit is right
// (ISO/IEC 7812-1), which one in ten of other numbers would be.
function isCardNumber(text) {
  if (!/^\s*\d[\d -]{11,22}\s*$/.test(text)) return false;
  const digits = text.replace(/\D/g, "");
  if (digits.length < 13 || digits.length > 19 || /^0+$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const d = +digits[digits.length - 1 - i];
    sum += i % 2 === 0 ? d : d > 4 ? 2 * d - 9 : 2 * d;
  }
  return sum % 10 === 0;
}

// browse.secretValues lists what secret fields hold, in all known trees, for the
// daemon to take out of what the browser itself says about the page.
browse.secretValues = () => [...new Set([document, ...rootsUnder()].flatMap((tree) => [...queryAll(tree, "input,textarea," + REGIONS)])
  .filter(isSecret).map((el) => (isTextInput(el) ? el.value : localName(el) === "input" ? "" : fieldValue(el))).filter(Boolean))];

// ---- values

// fieldValue is the text in a field or an editable region.
function fieldValue(el) {
  return isTextInput(el) ? el.value : isHTML(el) ? getInnerText.call(el) : textContent(el);
}

// valueOf returns what a control holds, as a person would read it: "" for what
// has no value and for every secret.
function valueOf(el, role) {
  const tag = localName(el);
  if (tag === "input" && isHTML(el)) {
    if (el.type === "file") return [...el.files].map((f) => f.name).join(", ");
    if (el.type === "range") return rangeText(el, "slider");
    return isTextInput(el) && !isSecret(el) ? el.value : "";
  }
  if (tag === "textarea" && isHTML(el)) return isSecret(el) ? "" : el.value;
  if (tag === "select" && isHTML(el)) {
    // A list shows its options, so only a closed one needs to be read out.
    return role === "combobox" ? [...el.selectedOptions].map((o) => attr(o, "aria-label") || o.label).join(", ") : "";
  }
  if (RANGES.has(role)) return rangeText(el, role);
  if (isEditingHost(el)) return isSecret(el) ? "" : getInnerText.call(el);
  if (isSecretRegion(el)) return "";
  if (role === "textbox" || role === "searchbox") return tidy(textContent(el));
  if (role === "combobox") return new Naming(true).content(el, null);
  return "";
}

// rangeText is the value of a slider and its kind: the author's words for it
// before the number.
function rangeText(el, role) {
  const text = attr(el, "aria-valuetext");
  if (text && NOT_BLANK.test(text)) return text;
  const tag = localName(el);
  if (isHTML(el) && (tag === "input" || tag === "meter")) return String(el.value);
  if (tag === "progress" && isHTML(el)) return hasAttr(el, "value") ? String(el.value) : "";
  const now = attr(el, "aria-valuenow");
  return now && NOT_BLANK.test(now) ? now : "";
}

// ---- states

const CHECKABLE = new Set(["checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch", "option", "treeitem"]);
const SELECTABLE = new Set(["option", "tab", "treeitem", "gridcell", "row", "cell", "columnheader", "rowheader"]);
const GRID_PARTS = new Set(["row", "cell", "columnheader", "rowheader"]);
const EXPANDABLE = new Set(`application button checkbox columnheader combobox gridcell link menuitem menuitemcheckbox
menuitemradio row rowheader switch tab treeitem`.split(/\s+/));
const TYPED = new Set(["date", "datetime-local", "month", "week", "time", "color", "file", "password", "email", "url", "tel"]);

// checkedOf returns "true", "mixed", "false", or "" for what cannot be checked.
function checkedOf(el, role) {
  if (!CHECKABLE.has(role)) return "";
  const control = controlOf(el);
  if (localName(control) === "input" && isHTML(control)) {
    if (control.type === "checkbox") return control.indeterminate ? "mixed" : String(control.checked);
    if (control.type === "radio") return String(control.checked);
  }
  const v = attr(el, "aria-checked")?.toLowerCase();
  if (v === "true") return v;
  if (v === "mixed" && role !== "radio" && role !== "menuitemradio" && role !== "switch") return v;
  return v === undefined && (role === "option" || role === "treeitem") ? "" : "false";
}

function pressedOf(el, role) {
  const v = role === "button" ? attr(el, "aria-pressed")?.toLowerCase() : "";
  if (!v || v === "undefined") return "";
  if (localName(el) === "input" && el.type === "checkbox" && isHTML(el)) return String(el.checked);
  return v === "mixed" || v === "false" ? v : "true";
}

// expandedOf returns "true", "false" or "".
function expandedOf(el, role) {
  if (!EXPANDABLE.has(role)) return "";
  if (isHTML(el)) {
    const tag = localName(el);
    if (tag === "summary") {
      const p = parentOf(el);
      if (p && localName(p) === "details") return String(hasAttr(p, "open"));
    }
    if (tag === "select") return String(matches(el, ":open"));
    if (tag === "button" || tag === "input") {
      const popover = el.popoverTargetElement;
      if (popover) return String(matches(popover, ":popover-open"));
    }
  }
  const v = attr(el, "aria-expanded")?.toLowerCase();
  return v === "true" || v === "false" ? v : "";
}

function selectedOf(el, role) {
  if (!SELECTABLE.has(role) || (GRID_PARTS.has(role) && !inGrid(role === "row" ? el : parentOf(el) ?? el))) return false;
  const v = attr(el, "aria-selected")?.toLowerCase();
  if (v === "true" || v === "false") return v === "true";
  return role === "option" && localName(el) === "option" && isHTML(el) && el.selected;
}

// isAriaInvalid: any value but false says so.
function isAriaInvalid(el) {
  const v = attr(el, "aria-invalid")?.toLowerCase();
  return !!v && v !== "false";
}

// invalidOf reports whether the author or the browser says that the value of a
// field is wrong. An empty required text is not wrong yet.
function invalidOf(el, tag) {
  const written = attr(el, "aria-invalid");
  if (written) return isAriaInvalid(el);
  const validity = el.validity;
  if (validity.valid || (!el.willValidate && !validity.customError)) return false;
  return validity.customError || tag === "select" || !el.required || el.value !== "" || el.type === "checkbox" || el.type === "radio";
}

// faultOf is what is wrong with a field that is invalid: in the words of the
// author (aria-errormessage), else of the browser, else in the description that
// an author who says aria-invalid gives it. The browser's words can quote the
// value, so a secret has none; that a value is missing the row says anyway.
function faultOf(el) {
  const control = controlOf(el);
  const said = textOfIds(el, "aria-errormessage");
  if (said) return said;
  const native = isHTML(control) && FIELDS.has(localName(control)) && !control.validity.valid && !control.validity.valueMissing && !isSecret(control);
  if (native && control.validationMessage) return tidy(control.validationMessage);
  return isAriaInvalid(el) ? textOfIds(el, "aria-describedby") : "";
}

// textOfIds is the text of those elements that an attribute names which show.
function textOfIds(el, name) {
  const ids = attr(el, name);
  if (!ids) return "";
  const named = ids.trim().split(/\s+/).map((id) => byId(el, id)).filter((e) => e && isShown(e));
  return tidy(named.map((e) => new Naming(true).content(e, null)).join(" "));
}

// levelOf is the level of a heading: 1 to 9, 2 when nothing else is said.
function levelOf(el, tag) {
  const written = attr(el, "aria-level");
  if (written) {
    const n = parseInt(written, 10) || 0;
    if (n <= 9) return Math.max(n, 1);
  }
  return isHTML(el) && HEADING.test(tag) ? +tag[1] : 2;
}

const HEADING = /^h[1-6]$/;

// statesOf returns the states of el as the list that a snapshot row shows. What
// is not the case is left out, but for expanded=false: it says that there is
// more to see (of a <select> everyone knows).
function statesOf(el, role, focused, flags = attrFlags(el)) {
  const out = [];
  const tag = localName(el), control = tag === "label" ? controlOf(el) : el;
  const aria = (flags & ARIA) !== 0, field = FIELDS.has(tag) || control !== el;
  if (aria || field) {
    const checked = checkedOf(el, role);
    if (checked === "true") out.push("checked");
    else if (checked === "mixed") out.push("checked=mixed");
  }
  if (disabledIn(control, tag, flags)) out.push("disabled");
  if (aria || tag === "summary" || tag === "select" || flags & POPOVER_TARGET) {
    const expanded = expandedOf(el, role);
    if (expanded === "true") out.push("expanded");
    else if (expanded && tag !== "select") out.push("expanded=false");
  }
  if (focused !== null && (el === focused || control === focused)) out.push("focused");
  if (role === "heading") out.push("level=" + levelOf(el, tag));
  if ((aria || tag === "option") && selectedOf(el, role)) out.push("selected");
  if (role === "dialog" || role === "alertdialog") modalState(el, out);
  if (field) fieldStates(control, localName(control), out);
  else if (flags & (EDITABLE | ROLE) && isSecretRegion(el) && NOT_BLANK.test(textContent(el))) out.push("filled");
  if (aria) ariaStates(el, role, field, out);
  return out;
}

const FIELDS = new Set(["input", "textarea", "select"]);
const POPUPS = new Set(["true", "menu", "listbox", "tree", "grid", "dialog"]);
const CURRENT = new Set(["page", "step", "location", "date", "time"]);

function modalState(el, out) {
  if (isTrue(attr(el, "aria-modal")) || (localName(el) === "dialog" && isHTML(el) && matches(el, ":modal"))) out.push("modal");
}

// ariaStates adds what only an author can say.
function ariaStates(el, role, field, out) {
  const pressed = pressedOf(el, role);
  if (pressed && pressed !== "false") out.push(pressed === "mixed" ? "pressed=mixed" : "pressed");
  if (!field) {
    if (isTrue(attr(el, "aria-required"))) out.push("required");
    if (isAriaInvalid(el)) out.push("invalid");
    if (isTrue(attr(el, "aria-readonly")) && !isEditingHost(el)) out.push("readonly");
    if (isTrue(attr(el, "aria-multiselectable"))) out.push("multiselectable");
  }
  const popup = attr(el, "aria-haspopup")?.toLowerCase();
  if (popup && POPUPS.has(popup)) out.push("haspopup=" + (popup === "true" ? "menu" : popup));
  const current = attr(el, "aria-current")?.toLowerCase();
  if (current && current !== "false") out.push(CURRENT.has(current) ? "current=" + current : "current");
}

// fieldStates adds the states of a native field.
function fieldStates(el, tag, out) {
  const text = isTextInput(el);
  if (el.required || isTrue(attr(el, "aria-required"))) out.push("required");
  if (invalidOf(el, tag)) out.push("invalid");
  if (text && (el.readOnly || isTrue(attr(el, "aria-readonly")))) out.push("readonly");
  if (tag === "select" && el.multiple) out.push("multiselectable");
  if (tag === "input" && TYPED.has(el.type)) out.push("type=" + el.type);
  if (text && el.value !== "" && isSecret(el)) out.push("filled");
}

const CAN_BE_DISABLED = new Set(["button", "input", "select", "textarea", "option", "optgroup", "fieldset"]);

// disabledIn is isDisabled for an element that is known not to be inert.
function disabledIn(el, tag, flags) {
  if ((CAN_BE_DISABLED.has(tag) || tag.includes("-") || tag === "label") && isHTML(el) && matches(el, ":disabled")) return true;
  if (flags & ARIA) {
    const v = attr(el, "aria-disabled");
    if (v !== null) return isTrue(v);
  }
  return hasAriaDisabled() && isInAriaDisabled(el);
}

// hasAriaDisabled asks once per call whether it is worth looking at ancestors.
let ariaDisabledAsked = null, ariaDisabledFound = true;
function hasAriaDisabled() {
  if (memo === null) return true;
  if (ariaDisabledAsked !== memo) {
    ariaDisabledAsked = memo;
    ariaDisabledFound = queryOne(document, "[aria-disabled]") !== null;
  }
  return ariaDisabledFound || knowsShadow();
}

function isInAriaDisabled(el) {
  for (let p = parentOf(el); p; p = parentOf(p)) {
    const v = attr(p, "aria-disabled");
    if (v !== null) return isTrue(v) && isFocusable(el);
  }
  return false;
}

// ---- attributes at a glance

// attrFlags says which attributes that matter to a snapshot el has. Most
// elements have none but id and class, and need no further question.
const ROLE = 1, ARIA_HIDDEN = 2, INERT = 4, TABINDEX = 8, ONCLICK = 16, EDITABLE = 32, STYLE = 64, NAMING = 128, LIVE_REGION = 256,
  ARIA = 512, CURSOR = 1024, MINIMUM = 2048, MAPPED = 4096, PLAYER = 8192, POPOVER_TARGET = 16384, TITLE = 32768;

const FLAGS = new Map(Object.entries({
  role: ROLE, "aria-hidden": ARIA_HIDDEN, inert: INERT, tabindex: TABINDEX, onclick: ONCLICK, contenteditable: EDITABLE, style: STYLE,
  "aria-label": NAMING | ARIA, "aria-labelledby": NAMING | ARIA, "aria-labeledby": NAMING | ARIA, "aria-live": LIVE_REGION | ARIA,
  cursor: CURSOR, popover: MINIMUM, autofocus: MINIMUM, draggable: MINIMUM, usemap: MAPPED, controls: PLAYER, popovertarget: POPOVER_TARGET,
  title: TITLE,
}));

function attrFlags(el) {
  if (!elementHasAttributes.call(el)) return 0;
  let flags = 0;
  for (const name of elementAttributeNames.call(el)) {
    const f = FLAGS.get(name);
    if (f !== undefined) flags |= f;
    else if (name.startsWith("aria-")) flags |= ARIA;
  }
  return flags;
}

// browse.facts returns all there is to say about one element (an element or its
// id): role, accessible name, the name that a snapshot shows, states, value,
// and whether it is hidden from the accessibility tree, visible to the eye,
// disabled (and by what), editable, focused.
browse.facts = (target) => withMemo(() => {
  const el = typeof target === "number" ? elementOf(target) : target;
  if (!el) return null;
  const role = fullRole(el), focused = deepFocus();
  return {
    role: role === "none" ? "" : role, name: nameWithSource(el, false, role).name, shown: nameOf(el),
    states: statesOf(el, role, focused), value: tidy(valueOf(controlOf(el), role)),
    hidden: isHiddenFromTree(el), visible: isVisible(el), disabled: disabledBy(el), editable: isEditable(el), focused: el === focused,
    checked: checkedOf(el, role), expanded: expandedOf(el, role), pressed: pressedOf(el, role), tag: describe(el),
  };
});
