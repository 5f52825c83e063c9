/**
 * The same text for the same JSON value: members sorted by name, no white space, strings with the fewest escapes, and
 * of a repeated member the last, as `JSON.parse` takes it. Numbers stay as they were written, so that none loses a
 * digit. Throws if the text is not JSON.
 */
export function canonicalJson(text: string): string {
  return new CanonicalWriter(text).write();
}

/** Whether a JSON text has more than this many members and elements. An empty object or array counts as one too. */
export function hasMoreValues(text: string, max: number): boolean {
  let found = 0;
  for (let at = 0; at < text.length; at++) {
    const mark = text.charAt(at);
    if (mark === '"') at = endOfString(text, at);
    else if ((mark === "," || mark === "[" || mark === "{") && ++found > max) return true;
  }
  return false;
}

/**
 * Where the string that begins at a place ends: its second quotation mark, or the end of the text if that is missing.
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charAt(end - 1 - slashes) === "\\") slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** What may have to be escaped in a string, or was. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has them only as escapes.
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;
const LITERALS = ["true", "false", "null"];

/** Reads the text once. Parsing it to objects costs a multiple of that if they have many members. */
class CanonicalWriter {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  write(): string {
    const written = this.#value();
    this.#skipSpace();
    return this.#at === this.#text.length ? written : this.#fail();
  }

  #value(): string {
    this.#skipSpace();
    switch (this.#text.charAt(this.#at)) {
      case "{":
        return this.#object();
      case "[":
        return this.#array();
      case '"':
        return quoteJson(this.#string());
      default:
        return this.#scalar();
    }
  }

  #object(): string {
    const members = new Map<string, string>();
    this.#at += 1;
    if (this.#takes("}")) return "{}";
    do {
      this.#skipSpace();
      const name = this.#string();
      if (!this.#takes(":")) this.#fail();
      members.set(name, this.#value());
    } while (this.#takes(","));
    if (!this.#takes("}")) this.#fail();
    // Without a function, names are sorted by code units, so that no locale changes the order.
    const names = [...members.keys()].sort();
    return `{${names.map((name) => `${quoteJson(name)}:${members.get(name)}`).join(",")}}`;
  }

  #array(): string {
    const items: string[] = [];
    this.#at += 1;
    if (this.#takes("]")) return "[]";
    do items.push(this.#value());
    while (this.#takes(","));
    if (!this.#takes("]")) this.#fail();
    return `[${items.join(",")}]`;
  }

  /** The value of a string. */
  #string(): string {
    const start = this.#at;
    if (this.#text.charAt(start) !== '"') this.#fail();
    const end = endOfString(this.#text, start);
    if (end === this.#text.length) this.#fail();
    this.#at = end + 1;
    const value = this.#text.slice(start + 1, end);
    return SPECIAL.test(value) ? (JSON.parse(`"${value}"`) as string) : value;
  }

  #scalar(): string {
    NUMBER.lastIndex = this.#at;
    const written =
      NUMBER.exec(this.#text)?.[0] ?? LITERALS.find((literal) => this.#text.startsWith(literal, this.#at));
    if (written === undefined) return this.#fail();
    this.#at += written.length;
    return written;
  }

  /** Takes a mark if it comes next. */
  #takes(mark: string): boolean {
    this.#skipSpace();
    if (this.#text.charAt(this.#at) !== mark) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.#at += 1;
    }
  }

  #fail(): never {
    throw new SyntaxError("this is not JSON");
  }
}

function quoteJson(value: string): string {
  return SPECIAL.test(value) ? JSON.stringify(value) : `"${value}"`;
}
