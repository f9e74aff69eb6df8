// The part of YAML in which the contract is written. What is not of that part is an error, so that a test finds it: anchors, tags, folded
// blocks, documents, keys of several lines.

const blank = /^\s*(?:#.*)?$/;
const keyed = /^(?:'((?:[^']|'')*)'|"([^"\\]*)"|([^\s'"{}[\]&*!|>%@`#,-][^#]*?)) *:(?: +(.*))?$/;
const unknown = /^(?:[&*!>%@`]|\? |---)/;

/** @returns the value of a document, made of objects, arrays, strings, numbers, booleans and null; throws a SyntaxError with the line */
export function parseYAML(text) {
  const reader = new Reader(text);
  const value = reader.block(0);
  if (!reader.isAtEnd) reader.fail("belongs to nothing");
  return value;
}

class Reader {
  #lines;
  #at = 0;

  constructor(text) { this.#lines = text.replace(/\r\n/g, "\n").split("\n"); }

  fail(why) { throw new SyntaxError(`line ${this.#at + 1} ${why}: ${this.#lines[this.#at]?.trim()}`); }

  get #line() { return this.#lines[this.#at]; }

  get #indent() { return this.#line.length - this.#line.trimStart().length; }

  /** Skips what says nothing. */
  get isAtEnd() {
    while (this.#at < this.#lines.length && blank.test(this.#line)) this.#at += 1;
    return this.#at >= this.#lines.length;
  }

  /** The value of lines that are indented by at least as much; null if there are none. */
  block(least) {
    if (this.isAtEnd || this.#indent < least) return null;
    const indent = this.#indent;
    const text = this.#line.trim();
    if (isElement(text)) return this.#sequence(indent);
    if (keyed.test(text)) return this.#mapping(indent);
    return this.#inline(text, indent - 1);
  }

  #sequence(indent) {
    const elements = [];
    while (!this.isAtEnd && this.#indent === indent && isElement(this.#line.trim())) {
      // What follows the dash is a block of its own, indented by its place.
      this.#lines[this.#at] = this.#line.replace("-", " ");
      elements.push(this.block(indent + 1));
    }
    return elements;
  }

  #mapping(indent) {
    const members = {};
    while (!this.isAtEnd && this.#indent === indent && !isElement(this.#line.trim())) {
      const match = keyed.exec(this.#line.trim()) ?? this.fail("has no key");
      const key = match[1]?.replaceAll("''", "'") ?? match[2] ?? match[3];
      if (Object.hasOwn(members, key)) this.fail("has a key that was there before");
      members[key] = this.#member(match[4] ?? "", indent);
    }
    if (!this.isAtEnd && this.#indent > indent) this.fail("is indented too far");
    return members;
  }

  #member(rest, indent) {
    if (blank.test(rest)) {
      this.#at += 1;
      if (!this.isAtEnd && this.#indent === indent && isElement(this.#line.trim())) return this.#sequence(indent);
      return this.block(indent + 1);
    }
    const literal = /^\|(-?)$/.exec(rest);
    return literal ? this.#literal(indent, literal[1]) : this.#inline(rest, indent);
  }

  /** Lines as they are, below a bar. */
  #literal(indent, chomping) {
    const lines = [];
    this.#at += 1;
    let inner = null;
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const isBlank = this.#line.trim() === "";
      if (!isBlank && this.#indent <= indent) break;
      if (!isBlank) inner ??= this.#indent;
      lines.push(this.#line.slice(inner ?? 0));
    }
    return lines.join("\n").replace(/\n+$/, "") + (chomping === "-" ? "" : "\n");
  }

  /** A value that begins in this line, and may go on in lines that are indented further than `indent`. */
  #inline(text, indent) {
    if (unknown.test(text)) this.fail("has a form that this reader does not know");
    if (/^[{['"]/.test(text)) {
      const flow = new Flow(text, () => { this.#at += 1; return this.#at < this.#lines.length ? this.#line.trim() : this.fail("ends too early"); });
      const value = flow.value();
      if (!blank.test(flow.rest)) this.fail("has more than one value");
      this.#at += 1;
      return value;
    }
    const words = [text.replace(/\s#.*$/, "").trim()];
    for (this.#at += 1; !this.isAtEnd && this.#indent > indent; this.#at += 1) {
      if (keyed.test(this.#line.trim())) this.fail("has a key within a text");
      words.push(this.#line.trim());
    }
    return plain(words.join(" "));
  }
}

const isElement = (text) => text === "-" || text.startsWith("- ");

/** Values in one or several lines: in braces, brackets or quotes. */
class Flow {
  #text;
  #at = 0;
  #more;

  constructor(text, more) { this.#text = text; this.#more = more; }

  get rest() { return this.#text.slice(this.#at); }

  value() {
    this.#space();
    const first = this.#text[this.#at];
    if (first === "{") return this.#members();
    if (first === "[") return this.#elements();
    if (first === "'" || first === '"') return this.#quoted(first);
    const match = /^(?:[^,:{}[\]#]|:(?=[^\s,{}[\]])|(?<=\S)#)+/.exec(this.rest);
    if (!match || unknown.test(match[0])) throw new SyntaxError(`not a value: ${this.rest.slice(0, 40)}`);
    this.#at += match[0].length;
    return plain(match[0].trim());
  }

  #members() {
    const members = {};
    this.#at += 1;
    while (!this.#takes("}")) {
      const key = String(this.value());
      this.#space();
      members[key] = this.#takes(":") ? this.value() : null;
      if (!this.#takes(",") && !this.#next("}")) throw new SyntaxError(`no comma or brace: ${this.rest.slice(0, 40)}`);
    }
    return members;
  }

  #elements() {
    const elements = [];
    this.#at += 1;
    while (!this.#takes("]")) {
      const value = this.value();
      // One member may do without braces.
      elements.push(this.#takes(":") ? { [value]: this.value() } : value);
      if (!this.#takes(",") && !this.#next("]")) throw new SyntaxError(`no comma or bracket: ${this.rest.slice(0, 40)}`);
    }
    return elements;
  }

  #quoted(quote) {
    const form = quote === "'" ? /^'((?:[^']|'')*)'(?!')/ : /^"((?:[^"\\]|\\.)*)"/;
    let match = form.exec(this.rest);
    for (; !match; match = form.exec(this.rest)) {
      const next = this.#more();
      if (quote === '"' && /(?<!\\)(?:\\\\)*\\$/.test(this.#text)) this.#text = this.#text.slice(0, -1) + next;
      else this.#text += next === "" ? "\n" : this.#text.endsWith("\n") ? next : ` ${next}`;
    }
    this.#at += match[0].length;
    if (quote === "'") return match[1].replaceAll("''", "'");
    return JSON.parse(`"${match[1].replace(/\n|\\(.)/g, (whole, escaped) => (escaped ? (escaped === " " ? " " : whole) : "\\n"))}"`);
  }

  #space() {
    while (blank.test(this.rest)) this.#text = `${this.#text.slice(0, this.#at)} ${this.#more()}`;
    this.#at += this.rest.length - this.rest.trimStart().length;
  }

  #next(mark) { this.#space(); return this.#text[this.#at] === mark; }

  #takes(mark) {
    const isThere = this.#next(mark);
    if (isThere) this.#at += 1;
    return isThere;
  }
}

function plain(text) {
  if (/^(?:~|null|Null|NULL|)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  return /^[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/.test(text) ? Number(text) : text;
}
