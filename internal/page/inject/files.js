// Files: which input takes them, what it has taken, and pasting.

// See dom.js for why methods are taken from prototypes.
const dispatch = EventTarget.prototype.dispatchEvent;

const isFileInput = (el) => el instanceof HTMLInputElement && el.type === "file";

// fileInputOf returns the file input that el stands for: el, the control of a
// label, or the only one in it. A drop zone or button often hides one.
function fileInputOf(el) {
  if (isFileInput(el)) return el;
  if (el instanceof HTMLLabelElement && isFileInput(el.control)) return el.control;
  const label = closestFlat(el, "label");
  if (label && isFileInput(label.control)) return label.control;
  const inner = [];
  for (const n of findAll(el, "input[type=file]")) inner.push(n);
  return inner.length === 1 ? inner[0] : null;
}

// browse.fileInput tells which input takes files for an element: {id, accept,
// multiple, folder, desc}, {none: true} when it is not known without a click,
// or {why, …}.
browse.fileInput = (id, o) => {
  const el = elementOf(id);
  if (!el) return { why: "gone" };
  const other = o.shown && changed(el, o.shown.role, o.shown.name);
  if (other) return other;
  const input = fileInputOf(el);
  if (!input) {
    const what = disabledBy(el);
    return what ? { why: "disabled", what } : { none: true };
  }
  return browse.fileFacts(input);
};

// browse.fileFacts describes a file input.
browse.fileFacts = (input) => {
  if (!isFileInput(input)) return { why: "unknown", what: describe(input) };
  const what = disabledBy(input);
  if (what) return { why: "disabled", what };
  return { id: idOf(input), accept: attr(input, "accept") || "", multiple: input.multiple, folder: hasAttr(input, "webkitdirectory"), desc: describe(input) };
};

// browse.fileElement returns the input itself, to be held.
browse.fileElement = (id) => elementById[id]?.deref();

// browse.scratchFiles returns a file input that is in no document.
browse.scratchFiles = () => {
  const input = documentCreate.call(document, "input");
  input.type = "file";
  input.multiple = true;
  return input;
};

const filesSeen = new WeakMap();

// browse.watchFiles records what an input holds when the page learns of it.
browse.watchFiles = (input) => {
  const seen = { events: 0, files: 0, bytes: 0 };
  const told = new Promise((tell) => { seen.tell = tell; });
  filesSeen.set(input, { seen, told });
  listenOn.call(input, "change", () => {
    seen.events++;
    seen.files = input.files.length;
    seen.bytes = [...input.files].reduce((n, f) => n + f.size, 0);
    seen.tell();
  }, { capture: true, once: true });
};

// browse.filesTaken tells what the page was told of, and what the input holds
// once the page has had its turn. The browser lists a folder on its own time, for
// which it waits at most limit ms.
browse.filesTaken = async (input, limit) => {
  const { seen, told } = filesSeen.get(input);
  if (limit && !seen.events) await Promise.race([told, delay(limit)]);
  await later();
  const { events, files, bytes } = seen;
  return { events, files, bytes, held: input.files.length, connected: getIsConnected.call(input) };
};

// browse.paste gives what has the focus a paste event with a text and the files
// of a held input. Result: {prevented} – whether the page took it – and what has
// the focus: {kind} as of fieldKind.
browse.paste = (input, seq, text) => {
  const at = deepFocus() || getBody.call(document) || getDocumentElement.call(document);
  const data = new DataTransfer();
  if (text) data.setData("text/plain", text);
  for (const f of input.files) data.items.add(f);
  const e = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true, composed: true });
  const was = holding(at);
  dispatch.call(at, e);
  const kind = fieldKind(at);
  return later().then(() => ({ prevented: e.defaultPrevented, changed: holding(at) !== was, kind, editable: (kind === "text" || kind === "rich") && isEditable(at) }));
};
