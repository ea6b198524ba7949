// browse.inspected and browse.inspect: an element for the protocol, and what can
// be said about it without.

browse.inspected = (id) => elementOf(id);

// The properties that a report shows, where they say something.
const REPORTED = `display position top right bottom left z-index float clear box-sizing width height min-width min-height max-width max-height
margin padding border border-radius overflow visibility opacity color background-color background-image font-family font-size font-weight
font-style line-height letter-spacing text-align text-decoration-line text-transform white-space-collapse text-wrap-mode word-break vertical-align
flex-direction flex-wrap justify-content align-items align-self flex-grow flex-shrink flex-basis gap grid-template-columns grid-template-rows
order cursor pointer-events user-select box-shadow transform transition-property animation-name filter content-visibility`.split(/\s+/);
const EMPTY_CSS = new Set(["none", "auto", "normal", "0s", ""]);

// browse.inspect returns {tag, selector, width, height, box, computed, inline}
// of an element. Lengths are CSS pixels; width and height are content and padding.
browse.inspect = (id, shown) => {
  const got = askedOf(id, shown);
  if (!got.el) return got;
  const el = got.el, style = styleOf(el);
  const sides = (prefix, suffix = "") => ["top", "right", "bottom", "left"].map((s) => style.getPropertyValue(`${prefix}-${s}${suffix}`));
  const isBox = isHTML(el) && style.display !== "inline" && style.display !== "contents", box = elementBox.call(el);
  const content = (axis) => {
    const all = [axis === "width" ? box.width : box.height, ...(axis === "width" ? ["left", "right"] : ["top", "bottom"]).map((s) => -parseFloat(style.getPropertyValue(`border-${s}-width`)))];
    return Math.round(all.reduce((a, b) => a + (b || 0), 0) * 100) / 100;
  };
  const computed = [];
  for (const name of REPORTED) {
    const value = style.getPropertyValue(name);
    if (!EMPTY_CSS.has(value)) computed.push([name, cut(value, 120)]);
  }
  return {
    tag: describe(el), selector: cssPath(el), width: isBox ? getClientWidth.call(el) : content("width"), height: isBox ? getClientHeight.call(el) : content("height"),
    box: { margin: sides("margin"), border: sides("border", "-width"), padding: sides("padding"), content: [style.width, style.height] },
    computed,
  };
};
