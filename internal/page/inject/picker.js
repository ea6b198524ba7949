// Lists that are made of other elements than <select>: ARIA listboxes, and
// comboboxes and buttons that open one. The daemon clicks and types; here is said
// what belongs together, and what is chosen.

const LIST_POPUPS = "[role=listbox],[role=menu],[role=tree],[role=grid],[role=dialog]";
// Libraries that draw only a part of a list give its options no role, but say which
// is selected.
const CHOICES = "[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem],[aria-selected]:not([role])";
const OPENERS = "[role=combobox],[aria-haspopup=listbox],[aria-haspopup=menu],[aria-haspopup=true],[aria-haspopup=tree],[aria-haspopup=grid],[aria-haspopup=dialog],input[list]";
const ALWAYS_OPEN = new Set(["listbox", "tree"]);

const named = (el) => (el ? { id: idOf(el), role: roleOf(el), name: nameOf(el), desc: describe(el) } : null);

// openerOf returns what is pressed to open the list that el stands for: el, or the
// only one in it, or around it.
function openerOf(el) {
  const at = fieldOf(el);
  if (matches(at, OPENERS)) return innerOpener(at);
  const inner = findAll(at, OPENERS).filter(isVisible);
  if (inner.length === 1) return inner[0];
  const outer = closestFlat(at, OPENERS);
  return outer && isTextInput(at) ? at : outer;
}

// innerOpener: ARIA 1.1 put the role on what holds the field.
function innerOpener(el) {
  const field = isTextInput(el) ? null : findAll(el, "input").find((f) => isTextInput(f) && isVisible(f));
  return field || el;
}

const isWritable = (el) => !!el && isTextInput(el) && isEditable(el) && !isDisabled(el);

// choicesIn lists the options that a list shows, in tree order.
function choicesIn(list) {
  const all = list ? findAll(list, CHOICES).filter(isVisible) : [];
  return all.length && isCollapsed(all[0]) ? all.filter((o) => !isCollapsed(o)) : all;
}

// isCollapsed: some libraries keep a list without a size for screen readers, beside
// the one that shows.
function isCollapsed(el) {
  for (let n = el, i = 0; n && i < 5; n = parentOf(n), i++) {
    const r = boxOf(n);
    if ((r.width < 2 || r.height < 2) && styleOf(n).overflowY !== "visible") return true;
  }
  return false;
}

// shownPopups are the lists in the document that can be seen.
const shownPopups = () => findAll(null, LIST_POPUPS).filter((el) => isVisible(el) && boxesOf(el).length > 0);

// What was to be seen, and what stood around an opener, before it was pressed.
const before = new WeakMap();

// popupOf returns the list that an opener has opened, null while there is none.
// Authors name it by an attribute; where they do not it is what came.
function popupOf(opener) {
  for (let n = opener, i = 0; n && i < 3; n = parentOf(n), i++) {
    for (const name of ["aria-controls", "aria-owns", "aria-activedescendant"]) {
      for (const id of (attr(n, name) ?? "").trim().split(/\s+/).filter(Boolean)) {
        const el = byId(n, id);
        if (!el || inside(opener, el)) continue;
        const list = name === "aria-activedescendant" ? closestFlat(el, LIST_POPUPS) : el;
        if (list && isVisible(list) && boxesOf(list).length && choicesIn(list).length) return list;
      }
    }
  }
  const popover = opener.popoverTargetElement;
  if (popover && matches(popover, ":popover-open")) return popover;
  const had = before.get(opener);
  const came = shownPopups().filter((el) => !(had && had.lists.has(el)) && !inside(opener, el) && choicesIn(el).length);
  // A dialog that has come may hold the list that has.
  const inner = came.filter((el) => !came.some((o) => o !== el && inside(o, el)));
  if (had && inner.length) return inner[inner.length - 1];
  if (!had && inner.length === 1) return inner[0];
  if (!had) return null;
  const loose = findAll(null, CHOICES).find((o) => isVisible(o) && !had.choices.has(o) && !isCollapsed(o));
  return loose ? parentOf(loose) : null;
}

// ---- what is shown of a choice

// textAround is what a person reads in and around an opener: of itself, and of
// what holds it, as long as that is small and does not hold the list. What is
// announced is left out, and what hidden fields hold is added.
function textAround(opener, list) {
  let around = opener;
  for (let n = parentOf(opener), i = 0; n && i < 4; n = parentOf(n), i++) {
    if (n === getBody.call(document) || findAll(n, OPENERS).length > 1 || localName(n) === "form" || findAll(n, "label").length > 1) break;
    around = n;
  }
  const out = [];
  const read = (n) => {
    if (n === list || matches(n, "[aria-live],[role=log],[role=status],[role=alert]")) return;
    if (isTextInput(n)) {
      if (!isSecret(n)) out.push(n.value);
      return;
    }
    if (localName(n) === "input" && isHTML(n) && n.type === "hidden") out.push("\u0000" + n.value);
    if (!isShown(n)) return;
    const kids = childrenOf(n);
    if (kids.length === 0) out.push(textContent(n));
    else {
      for (const c of (shadowOf(n) || n).childNodes) if (c.nodeType === 3) out.push(c.data);
      kids.forEach(read);
    }
  };
  read(around);
  return out.map(collapse).filter(Boolean);
}

// ownText is what an opener itself shows.
const ownText = (opener) => (isTextInput(opener) ? (isSecret(opener) ? "" : opener.value) : collapse(visibleText(opener)));

const isChosen = (o) => {
  const role = roleOf(o);
  return selectedOf(o, role) || checkedOf(o, role) === "true" || (!hasAttr(o, "role") && isTrue(attr(o, "aria-selected")));
};

const labelsOfChoice = (o) => [...new Set([nameOf(o), collapse(visibleText(o))])].filter(Boolean);
const valueOfChoice = (o) => attr(o, "data-value") ?? attr(o, "value") ?? attr(o, "data-key") ?? "";

// pickChoice finds what want names among choices, as pickAmong does for options.
function pickChoice(all, want) {
  const said = /^(value|label|index)=(.*)$/s.exec(want);
  const text = said ? said[2] : want, plain = collapse(text), low = plain.toLowerCase();
  const index = (o) => (hasAttr(o, "aria-posinset") ? +attr(o, "aria-posinset") - 1 : all.indexOf(o));
  const finders = {
    value: (o) => text !== "" && valueOfChoice(o) === text,
    label: (o) => labelsOfChoice(o).includes(plain),
    index: (o) => String(index(o)) === text,
  };
  if (said) return all.find(finders[said[1]]);
  const fold = all.filter((o) => labelsOfChoice(o).some((l) => l.toLowerCase() === low));
  return all.find(finders.label) || all.find(finders.value) || (fold.length === 1 ? fold[0] : undefined);
}

// ---- calls

// browse.picker tells what el is for choosing: {why: ""|…} as browse.ready, and
// {kind: ""} for what is no list at all, "datalist" with the value that want
// names, "list" for one that always shows, or "opener" with what opens it.
browse.picker = (id, wants, o) => {
  const el = elementOf(id);
  if (!el) return { why: "gone" };
  const other = o.shown && changed(el, o.shown.role, o.shown.name);
  if (other) return other;
  const at = fieldOf(el), list = ALWAYS_OPEN.has(roleOf(at)) ? at : null;
  const opener = list ? null : openerOf(at);
  const target = list || opener;
  if (!target) return { kind: "" };
  if (!surfaceOf(target)) return { why: "hidden" };
  const what = disabledBy(target);
  if (what) return { why: "disabled", what };
  if (opener && isTextInput(opener) && opener.list) {
    const have = [...opener.list.options];
    const found = wants.length === 1 ? pickAmong(have, wants[0]) : null;
    return { kind: "datalist", opener: named(opener), value: found ? found.value : "", known: !!found, have: have.slice(0, 12).map(labelOf), total: have.length };
  }
  if (list) return { kind: "list", list: named(list), multi: attr(list, "aria-multiselectable") === "true" };
  const open = expandedOf(opener, roleOf(opener)) !== "false" && before.has(opener) ? popupOf(opener) : attr(opener, "aria-expanded") === "true" ? popupOf(opener) : null;
  if (!open) before.set(opener, { lists: new Set(shownPopups()), choices: new Set(findAll(null, CHOICES).filter(isVisible)) });
  return {
    kind: "opener", opener: named(opener), writable: isWritable(opener), held: ownText(opener), secret: isSecret(opener),
    list: named(open), multi: !!open && attr(open, "aria-multiselectable") === "true",
  };
};

// browse.pickerOpened waits, at most ms, until an opener has opened its list:
// {list, multi}, list null when it has not.
browse.pickerOpened = async (id, ms) => {
  const end = performance.now() + ms;
  for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
    const opener = elementOf(id);
    const list = opener && popupOf(opener);
    if (list) return { list: named(list), multi: attr(list, "aria-multiselectable") === "true" || choicesIn(list).some((c) => hasAttr(c, "aria-checked")) };
    const left = end - performance.now();
    if (left <= 0 || !opener) return { list: null };
    await delay(Math.min(pause, left));
  }
};

// listNow is the list that an id names, or, when the page has made it anew, the one
// that the opener has opened since.
function listNow(listID, openerID) {
  const list = elementOf(listID);
  if (list && isVisible(list) && choicesIn(list).length) return list;
  const opener = elementOf(openerID);
  return (opener && popupOf(opener)) || list;
}

function found(list, want) {
  const all = choicesIn(list), choice = pickChoice(all, want);
  if (!choice) return null;
  return { option: named(choice), label: labelsOfChoice(choice)[0] ?? "", chosen: isChosen(choice), list: named(list) };
}

// browse.pickerFind looks, at most ms, for what want names in a list: {option,
// label, chosen, list}, or {option: null, have, total, search} with what it has
// instead, and the field, if the focus is on one, that narrows it.
browse.pickerFind = async (listID, openerID, want, ms) => {
  const end = performance.now() + ms;
  for (let pause = 10; ; pause = Math.min(pause * 2, 60)) {
    const list = listNow(listID, openerID);
    const got = list && found(list, want);
    if (got) return got;
    const left = end - performance.now();
    if (left <= 0) return { option: null, ...instead(list, openerID) };
    await delay(Math.min(pause, left));
  }
};

// searchOf returns the field that narrows a list: its opener, one in it, or the one
// beside it that has got the focus when it was opened.
function searchOf(list, opener) {
  if (isWritable(opener)) return opener;
  const inner = list && findAll(list, "input").find((el) => isVisible(el) && isWritable(el));
  const focused = deepFocus(), beside = list && parentOf(list);
  if (inner || !isWritable(focused)) return inner || null;
  if (opener && inside(focused, opener)) return focused;
  return opener && beside && inside(focused, beside) && !inside(opener, beside) ? focused : null;
}

function instead(list, openerID) {
  const all = choicesIn(list), search = searchOf(list, elementOf(openerID));
  return { list: named(list), have: all.slice(0, 12).map((o) => labelsOfChoice(o)[0] ?? ""), total: all.length, search: named(search), scrolls: !!(list && scrollerOfList(list)) };
}

// scrollerOfList returns what scrolls the options of a list.
function scrollerOfList(list) {
  const first = choicesIn(list)[0];
  for (let n = first && parentOf(first); n; n = parentOf(n)) {
    if (n.scrollHeight > n.clientHeight + 1 && /auto|scroll|hidden/.test(styleOf(n).overflowY)) return n;
    if (n === parentOf(list)) break;
  }
  return null;
}

// How long the end of a list is given to grow, in milliseconds.
const growLimit = 400;

// firstLabel tells whether a list that draws only what shows has been drawn anew.
function firstLabel(list) {
  const first = list && choicesIn(list)[0];
  return first ? textContent(first) : "";
}

// browse.pickerScroll scrolls a list, from its beginning with first, until want is
// in it, its end is reached, or ms have passed: as browse.pickerFind, with end.
browse.pickerScroll = async (listID, openerID, want, first, ms) => {
  const limit = performance.now() + ms;
  for (let go = first; ; go = false) {
    const list = listNow(listID, openerID), at = list && scrollerOfList(list);
    if (!at) return { option: null, end: true, ...instead(list, openerID) };
    const top = at.scrollTop, high = at.scrollHeight;
    at.scrollTo({ top: go ? 0 : top + Math.max(at.clientHeight * 0.8, 1), behavior: "instant" });
    const had = firstLabel(list);
    for (let i = 0; i < 3 && (i === 0 || (at.scrollTop !== top && firstLabel(list) === had)); i++) {
      await nextFrame();
      await later();
    }
    let now = listNow(listID, openerID), got = now && found(now, want);
    const grown = performance.now() + growLimit;
    while (!got && !go && at.scrollTop === top && at.scrollHeight === high && performance.now() < Math.min(grown, limit)) {
      await delay(40);
      now = listNow(listID, openerID);
      got = now && found(now, want);
    }
    if (got) return got;
    if (!go && at.scrollTop === top && at.scrollHeight === high) return { option: null, end: true, ...instead(now, openerID) };
    if (performance.now() >= limit) return { option: null, end: false, ...instead(now, openerID) };
  }
};

// browse.pickerAround is what stands in and around an opener.
browse.pickerAround = (openerID, listID) => {
  const opener = elementOf(openerID);
  return opener ? { text: textAround(opener, elementOf(listID)) } : { text: [] };
};

// browse.pickerHeld tells, at most ms later, whether a choice has been taken: it is
// marked as chosen, what stands around the opener says it, or a hidden field holds
// something new. had is what stood there. Result: {kept, shows, open, gone}.
browse.pickerHeld = async (openerID, listID, optionID, label, had, ms) => {
  const end = performance.now() + ms;
  await later();
  for (let pause = 10; ; pause = Math.min(pause * 2, 60)) {
    const r = heldNow(openerID, listID, optionID, label, had);
    const left = end - performance.now();
    if (r.kept || left <= 0) return r;
    await delay(Math.min(pause, left));
  }
};

function heldNow(openerID, listID, optionID, label, had) {
  const opener = elementOf(openerID), list = elementOf(listID), option = elementOf(optionID);
  const shown = !!list && isVisible(list);
  let marked = !!option && isChosen(option);
  if (!option && shown) {
    const again = pickChoice(choicesIn(list), "label=" + label);
    marked = !!again && isChosen(again);
  }
  if (!opener) return { kept: marked, shows: "", open: shown, gone: openerID !== 0 };
  const now = textAround(opener, list), low = label.toLowerCase();
  const same = (texts) => texts.some((t) => t.toLowerCase() === low);
  const count = (texts) => texts.filter((t) => !t.startsWith("\u0000") && t.toLowerCase().includes(low)).length;
  const hidden = (texts) => texts.filter((t) => t.startsWith("\u0000")).join();
  const says = count(now) > count(had) || ownText(opener).toLowerCase() === low || (!shown && same(had) && same(now));
  // A list that still shows and marks nothing has only been filtered by what was
  // typed, which is no choice.
  const typed = isTextInput(opener) && shown && !marked;
  return { kept: marked || (says && !typed) || hidden(now) !== hidden(had), shows: ownText(opener), open: shown && !!popupOf(opener), gone: false };
}

// browse.pickerKept returns those of labels that neither the opener nor the list
// shows any more.
browse.pickerKept = async (listID, openerID, labels) => {
  await later();
  const opener = elementOf(openerID), list = listNow(listID, openerID);
  const around = opener ? textAround(opener, list).join("\n").toLowerCase() : "", chosen = choicesIn(list).filter(isChosen).flatMap(labelsOfChoice);
  return labels.filter((l) => !around.includes(l.toLowerCase()) && !chosen.includes(l));
};

// browse.pickerChosen compares what a list shows as chosen with labels.
browse.pickerChosen = async (listID, openerID, labels) => {
  await later();
  const all = choicesIn(listNow(listID, openerID)), wanted = (o) => labelsOfChoice(o).some((l) => labels.includes(l));
  return {
    missing: all.filter((o) => wanted(o) && !isChosen(o)).map(named),
    extra: all.filter((o) => isChosen(o) && !wanted(o)).map(named),
  };
};
