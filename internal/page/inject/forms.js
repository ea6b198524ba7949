// browse.forms: what can be filled in, form by form.

const formAction = getterOf(HTMLFormElement, "action");
const formMethod = getterOf(HTMLFormElement, "method");

const FORM_FIELDS = new Set(["input", "select", "textarea", "button"]);
// Roles of fields that are made of other elements.
const FIELD_ROLES = new Set(["textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "spinbutton", "slider", "listbox"]);
const MAX_FORM_OPTIONS = 500;

// partOf wraps what one document answers: its value, and the frames in it in
// document order, which the daemon asks in turn.
const partOf = (value, frames) => ({ v: value, frames });

// frameIn returns the token of the frame that el shows, "" for one that the browser
// does not load, undefined for none.
const frameIn = (el, tag) => (isFrame(el, tag) ? frameTokens.get(el) ?? (loadingOf(el, tag) === "not loaded" ? "" : undefined) : undefined);

// browse.forms returns the forms below an element or the document, in order, each
// with its fields; those of none are in an entry with outside set, the last one.
browse.forms = (id = 0) => withMemo(() => {
  const root = targetOf(id), forms = new Map(), frames = [], outside = { outside: true, fields: [] };
  if (!root) return partOf([], frames);
  surveyStyles();
  const entry = (form) => {
    if (!form) return outside;
    if (!forms.has(form)) forms.set(form, formFacts(form));
    return forms.get(form);
  };
  for (const el of flatElements(root)) {
    const tag = localName(el), token = frameIn(el, tag);
    if (token !== undefined) frames.push(token);
    const shadow = shadowOf(el);
    if (shadow) surveyRoot(shadow);
    if (tag === "form" && isHTML(el)) entry(el);
    else if (isFormField(el, tag)) entry(formOf(el, tag)).fields.push(fieldFacts(el, tag));
  }
  const all = [...forms.values()];
  if (outside.fields.length) all.push(outside);
  return partOf(all, frames);
});

function isFormField(el, tag) {
  if (!isHTML(el)) return false;
  if (FORM_FIELDS.has(tag)) return true;
  return isEditingHost(el) || (hasAttr(el, "role") && FIELD_ROLES.has(roleOf(el)));
}

// formOf is the form that a field belongs to: the one it says, else the one
// around it, through shadow roots.
function formOf(el, tag) {
  const own = FORM_FIELDS.has(tag) ? el.form : null;
  if (own) return own;
  if (FORM_FIELDS.has(tag) && hasAttr(el, "form")) return null;
  for (let p = parentOf(el); p; p = parentOf(p)) if (localName(p) === "form" && isHTML(p)) return p;
  return null;
}

// What a form's controls are called can hide what the form itself is.
function formFacts(form) {
  return { action: tidy(formAction.call(form)), method: formMethod.call(form), id: attr(form, "id") ?? "", name: attr(form, "name") ?? "", label: attr(form, "aria-label") || hasAttr(form, "aria-labelledby") ? nameOf(form) : "", fields: [] };
}

function fieldFacts(el, tag) {
  const native = FORM_FIELDS.has(tag), role = roleOf(el);
  const f = { n: 0, role, tag, type: native ? el.type : isEditingHost(el) ? "contenteditable" : role, name: native ? attr(el, "name") ?? "" : "", id: attr(el, "id") ?? "", label: "", placeholder: attr(el, "placeholder") ?? attr(el, "aria-placeholder") ?? "" };
  if (f.type !== "hidden") {
    f.n = idOf(el);
    f.label = nameOf(el);
    if (!isVisible(el)) f.hidden = true;
  }
  f.required = (native && tag !== "button" && el.required) || isTrue(attr(el, "aria-required"));
  f.disabled = isDisabled(el);
  f.readonly = (isTextInput(el) && el.readOnly) || isTrue(attr(el, "aria-readonly"));
  const checked = checkedOf(el, role);
  if (checked) f.checked = checked === "mixed" ? checked : checked === "true";
  // The value of a hidden field is data of the page; its name says whether it is secret.
  f.secret = f.type !== "hidden" && tag !== "button" && isSecret(el);
  f.value = fieldContent(el, tag, role, f);
  if (tag === "select") selectFacts(el, f);
  return f;
}

// fieldContent is what a field holds. Of a secret only that it holds something.
function fieldContent(el, tag, role, f) {
  if (f.secret) return (isTextInput(el) ? el.value : textContent(el)) ? "x" : "";
  if (tag === "input") return el.type === "file" ? [...el.files].map((x) => x.name).join(", ") : el.value;
  if (FORM_FIELDS.has(tag)) return el.value;
  return valueOf(el, role);
}

function selectFacts(el, f) {
  const options = el.options, n = Math.min(options.length, MAX_FORM_OPTIONS);
  f.options = [];
  for (let i = 0; i < n; i++) {
    const o = options[i];
    f.options.push({ value: o.value, text: tidy(o.text), selected: o.selected, disabled: o.disabled });
  }
  f.more = options.length - n;
}
