// Runs in the page's own world, on a value that a script returned (this), and
// makes of it what JSON can hold. Ordinary data comes out as JSON.stringify would
// have it. What has no JSON form is described rather than dropped or refused:
// what refers to itself, bigints, nodes, maps, sets, errors, buffers.
//
// The page may have changed every built-in, so that little is used of them, and
// a getter may throw: its property then says so.
function () {
  const MAX_VALUES = 200000, MAX_DEPTH = 200;
  const tagOf = Object.prototype.toString, keysOf = Object.keys, protoOf = Object.getPrototypeOf;
  const path = [];
  let values = 0;

  const described = (v) => "[" + v + "]";

  function nodeTag(node) {
    if (node.nodeType === 3 || node.nodeType === 8) return String(node.nodeName) + " " + String(node.data).slice(0, 200);
    if (node.nodeType !== 1) return described(node.nodeName);
    let s = "<" + String(node.localName);
    const attributes = node.attributes;
    for (let i = 0; i < attributes.length && s.length < 200; i++) s += " " + attributes[i].name + "=\"" + String(attributes[i].value).slice(0, 100) + "\"";
    return s + ">";
  }

  function listed(list) {
    const out = [];
    for (let i = 0; i < list.length; i++) {
      if (values++ > MAX_VALUES) {
        out[out.length] = described("… " + (list.length - i) + " more");
        break;
      }
      const v = plain(list[i]);
      out[out.length] = v === undefined ? null : v;
    }
    return out;
  }

  function pairs(map) {
    const out = [];
    Map.prototype.forEach.call(map, (v, k) => { if (values++ < MAX_VALUES) out[out.length] = [plain(k) ?? null, plain(v) ?? null]; });
    return out;
  }

  function members(set) {
    const out = [];
    Set.prototype.forEach.call(set, (v) => { if (values++ < MAX_VALUES) out[out.length] = plain(v) ?? null; });
    return out;
  }

  function fields(o) {
    const out = { __proto__: null }, keys = keysOf(o);
    for (let i = 0; i < keys.length; i++) {
      if (values++ > MAX_VALUES) {
        out["…"] = described((keys.length - i) + " more");
        break;
      }
      let v;
      try {
        v = o[keys[i]];
      } catch (e) {
        v = described("getter threw " + String(e));
      }
      v = plain(v);
      if (v !== undefined) out[keys[i]] = v;
    }
    return out;
  }

  function object(o, kind) {
    switch (kind) {
      case "[object Array]": case "[object Arguments]": case "[object NodeList]": case "[object HTMLCollection]": case "[object FileList]":
      case "[object DOMTokenList]": case "[object NamedNodeMap]": case "[object RadioNodeList]": case "[object HTMLOptionsCollection]":
        return listed(o);
      case "[object Map]": return o instanceof Map ? pairs(o) : fields(o);
      case "[object Set]": return o instanceof Set ? members(o) : fields(o);
      case "[object Error]": case "[object DOMException]": return String(o.stack || o);
      case "[object RegExp]": case "[object URL]": case "[object URLSearchParams]": case "[object Location]": return String(o);
      case "[object Boolean]": case "[object Number]": case "[object String]": case "[object BigInt]": return plain(o.valueOf());
      case "[object Window]": case "[object Promise]": case "[object WeakMap]": case "[object WeakSet]": case "[object WeakRef]":
      case "[object Generator]": case "[object global]":
        return described(kind.slice(8, -1));
      case "[object ArrayBuffer]": case "[object SharedArrayBuffer]": case "[object DataView]": case "[object Blob]": case "[object File]":
        return described(kind.slice(8, -1) + " of " + (o.byteLength ?? o.size) + " bytes");
    }
    if (typeof ArrayBuffer === "function" && ArrayBuffer.isView(o)) return listed(o);
    if (typeof Node === "function" && o instanceof Node) return nodeTag(o);
    return fields(o);
  }

  function plain(v) {
    switch (typeof v) {
      case "bigint": return v + "n";
      case "undefined": case "function": case "symbol": return undefined;
      case "number": return v === v && v !== Infinity && v !== -Infinity ? v : null;
      case "object": break;
      default: return v;
    }
    if (v === null) return null;
    for (let i = 0; i < path.length; i++) if (path[i] === v) return described("circular");
    if (path.length >= MAX_DEPTH) return described("deeper than " + MAX_DEPTH);
    path[path.length] = v;
    let out;
    try {
      const kind = tagOf.call(v), array = kind === "[object Array]";
      // Old libraries give arrays a toJSON that makes strings of them.
      const json = array ? undefined : v.toJSON;
      out = typeof json === "function" ? converted(v, json) : object(v, kind);
    } catch (e) {
      out = described("not readable: " + String(e));
    }
    path.length--;
    return out;
  }

  function converted(v, json) {
    const w = json.call(v);
    return w === v ? fields(v) : plain(w);
  }

  return plain(this);
}
