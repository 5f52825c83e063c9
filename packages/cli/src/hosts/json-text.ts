/** A part of a text: from `start` up to, and without, `end`. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Another text for a part of a text. */
export interface TextEdit extends TextRange {
  readonly text: string;
}

/** A value of a JSON text, and where it stands. */
export interface JsonNode extends TextRange {
  readonly kind: "object" | "array" | "string" | "other";
  /** The value of a string, a number, a boolean or null. */
  readonly value?: string | number | boolean | null;
  /** The members of an object, in the order of the text. A name may be there twice. */
  readonly members: readonly JsonMember[];
  /** The items of a list. */
  readonly items: readonly JsonNode[];
}

/** A member of an object. */
export interface JsonMember {
  readonly name: string;
  /** The name with its quotation marks. */
  readonly key: TextRange;
  readonly value: JsonNode;
}

/** What is wrong in a JSON text. */
interface JsonFlaw {
  /** `relaxed`: readers of JSON with comments accept it. `doubtful`: it is valid, but surely a mistake. */
  readonly kind: "wrong" | "relaxed" | "doubtful";
  readonly at: number;
  /** One sentence without a full stop. */
  readonly text: string;
  /** What makes it right, if that is certain. */
  readonly edit?: TextEdit;
}

/** A JSON text that was read as far as possible. */
export interface JsonText {
  /** Undefined if not even the beginning is JSON. */
  readonly root: JsonNode | undefined;
  readonly flaws: readonly JsonFlaw[];
}

const MAX_NESTING = 100;
const MAX_FLAWS = 20;

/** Ends reading at a place after which nothing can be understood. */
class Unreadable extends Error {}

/** Reads JSON as people write it: with comments, and further after a mistake. It never throws. */
export function readJsonText(text: string): JsonText {
  const reader = new TolerantReader(text);
  const root = reader.read();
  return { root, flaws: reader.flaws.toSorted((one, other) => one.at - other.at) };
}

class TolerantReader {
  readonly flaws: JsonFlaw[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonNode | undefined {
    const open: JsonNode[] = [];
    try {
      if (this.#text.startsWith("\ufeff")) {
        this.#flaw("relaxed", 0, "The file begins with a byte order mark", { start: 0, end: 1, text: "" });
        this.#at = 1;
      }
      this.#skipSpace();
      if (this.#at >= this.#text.length) {
        this.#flaw("wrong", 0, "The file is empty");
        return undefined;
      }
      const root = this.#value(0);
      open.push(root);
      this.#skipSpace();
      if (this.#at < this.#text.length) {
        const rest = { start: this.#at, end: this.#text.length, text: "" };
        const isBracket = /^[\s}\]]+$/.test(this.#text.slice(this.#at));
        const what = isBracket ? `There is one ${this.#shown()} too many` : "More text follows after the end";
        this.#flaw("wrong", this.#at, what, isBracket ? { ...rest, start: root.end, text: "\n" } : undefined);
      }
      return root;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return open[0];
    }
  }

  #flaw(kind: JsonFlaw["kind"], at: number, text: string, edit?: TextEdit): void {
    if (this.flaws.length < MAX_FLAWS) this.flaws.push({ kind, at, text, ...(edit !== undefined && { edit }) });
  }

  #stop(text: string): never {
    this.#flaw("wrong", this.#at, text);
    throw new Unreadable();
  }

  /** The character here, for a sentence. */
  #shown(): string {
    const one = this.#text[this.#at];
    return one === undefined ? "the end of the file" : one === '"' ? "a quotation mark" : `"${one}"`;
  }

  #skipSpace(): void {
    for (;;) {
      while (/^[ \t\r\n\u00a0]$/.test(this.#text[this.#at] ?? "")) this.#at += 1;
      const two = this.#text.slice(this.#at, this.#at + 2);
      if (two !== "//" && two !== "/*") return;
      const start = this.#at;
      const close = this.#text.indexOf(two === "//" ? "\n" : "*/", start + 2);
      this.#at = close === -1 ? this.#text.length : close + (two === "//" ? 0 : 2);
      this.#flaw("relaxed", start, "A comment stands here", { start, end: this.#at, text: "" });
    }
  }

  #value(depth: number): JsonNode {
    if (depth > MAX_NESTING) this.#stop("It is nested too deep");
    const start = this.#at;
    const first = this.#text[start] ?? "";
    if (first === "{") return this.#object(depth);
    if (first === "[") return this.#array(depth);
    if (QUOTE_PAIRS.has(first)) return leaf("string", { start, end: this.#at }, this.#string(), () => this.#at);
    const [word = ""] = /^[^\s,:[\]{}"]{1,200}/.exec(this.#text.slice(start, start + 200)) ?? [];
    if (word === "") this.#stop(`A value is missing before ${this.#shown()}`);
    this.#at += word.length;
    const range = { start, end: this.#at };
    if (WORDS.has(word)) return leaf("other", range, WORDS.get(word) ?? null);
    if (/^-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,4})?$/.test(word)) return leaf("other", range, Number(word));
    const python = { True: "true", False: "false", None: "null" }[word];
    this.#flaw("wrong", start, "This value has no quotation marks around it", {
      ...range,
      text: python ?? JSON.stringify(word),
    });
    return leaf("string", range, word);
  }

  #object(depth: number): JsonNode {
    const start = this.#at;
    const members: JsonMember[] = [];
    this.#sequence("}", "member", () => {
      const keyStart = this.#at;
      const name = this.#name();
      const key = { start: keyStart, end: this.#at };
      this.#skipSpace();
      if (this.#text[this.#at] === ":") this.#at += 1;
      else if (this.#text[this.#at] === "=")
        this.#flaw("wrong", this.#at, 'A ":" is needed here instead of "="', {
          start: this.#at,
          end: ++this.#at,
          text: ":",
        });
      else if (/^["{[]$/.test(this.#text[this.#at] ?? ""))
        this.#flaw("wrong", key.end, `The ":" after "${name.slice(0, 40)}" is missing`, {
          start: key.end,
          end: key.end,
          text: ":",
        });
      else this.#stop(`The ":" after "${name.slice(0, 40)}" is missing`);
      this.#skipSpace();
      members.push({ name, key, value: this.#value(depth + 1) });
      return members.at(-1)?.value.end ?? this.#at;
    });
    return { kind: "object", start, end: this.#at, members, items: [] };
  }

  #array(depth: number): JsonNode {
    const start = this.#at;
    const items: JsonNode[] = [];
    this.#sequence("]", "item", () => {
      items.push(this.#value(depth + 1));
      return items.at(-1)?.end ?? this.#at;
    });
    return { kind: "array", start, end: this.#at, members: [], items };
  }

  /** Reads what stands between brackets, with commas between. `one` reads one of them and returns where it ended. */
  #sequence(close: "}" | "]", what: "member" | "item", one: () => number): void {
    const open = this.#at;
    this.#at += 1;
    let before: number | undefined;
    let comma: number | undefined;
    for (;;) {
      this.#skipSpace();
      const here = this.#text[this.#at];
      if (here === undefined) {
        this.#flaw(
          "wrong",
          this.#at,
          `The "${close}" that ends the "${this.#text[open]}" in line ${positionAt(this.#text, open).line} is missing`,
          {
            start: this.#at,
            end: this.#at,
            text: close,
          },
        );
        return;
      }
      if (here === close) {
        if (comma !== undefined)
          this.#flaw("relaxed", comma, `A comma stands before "${close}"`, { start: comma, end: comma + 1, text: "" });
        this.#at += 1;
        return;
      }
      if (here === ",") {
        const extra = comma !== undefined || before === undefined;
        if (extra)
          this.#flaw("wrong", this.#at, "There is one comma too many", {
            start: this.#at,
            end: this.#at + 1,
            text: "",
          });
        else comma = this.#at;
        this.#at += 1;
        continue;
      }
      if (here === "}" || here === "]") this.#stop(`"${close}" is needed here, and "${here}" stands here`);
      if (before !== undefined && comma === undefined)
        this.#flaw("wrong", before, `A comma is missing after this ${what}`, { start: before, end: before, text: "," });
      before = one();
      comma = undefined;
    }
  }

  #name(): string {
    const start = this.#at;
    if (QUOTE_PAIRS.has(this.#text[start] ?? "")) return this.#string();
    const [word] = /^[\w$.@/-]{1,200}/.exec(this.#text.slice(start, start + 200)) ?? [];
    if (word === undefined) this.#stop(`A name in quotation marks is needed here, and ${this.#shown()} stands here`);
    this.#at += word.length;
    this.#flaw("wrong", start, `The name ${word.slice(0, 40)} has no quotation marks around it`, {
      start,
      end: this.#at,
      text: JSON.stringify(word),
    });
    return word;
  }

  #string(): string {
    const start = this.#at;
    const open = this.#text[start] ?? '"';
    const close = QUOTE_PAIRS.get(open) ?? '"';
    let end = start + 1;
    while (end < this.#text.length && this.#text[end] !== close && this.#text[end] !== "\n")
      end += this.#text[end] === "\\" && this.#text[end + 1] !== "\n" ? 2 : 1;
    if (end >= this.#text.length || this.#text[end] === "\n") {
      // The comma of a forgotten quotation mark does not belong to the text.
      const line = this.#text.slice(start + 1, Math.min(end, this.#text.length));
      const text = line.replace(/[\s,]{1,20}$/, "");
      this.#at = start + 1 + text.length;
      this.#flaw("wrong", start, "The quotation mark that ends this text is missing");
      return text;
    }
    this.#at = end + 1;
    const raw = this.#text.slice(start + 1, end);
    const range = { start, end: this.#at };
    const doubled = `"${raw.replaceAll(/\\\\|\\(?!")/g, "\\\\")}"`;
    if (open !== '"') {
      this.#flaw("wrong", start, `${open === "'" ? "Single" : "Curly"} quotation marks are not allowed`, {
        ...range,
        text: JSON.stringify(raw),
      });
      return raw;
    }
    const decoded = decodeString(raw);
    if (decoded === undefined) {
      this.#flaw("wrong", start + 1 + raw.search(/\\/), String.raw`A backslash has to be written as \\ in JSON`, {
        ...range,
        text: doubled,
      });
      return raw;
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what the escapes of C:\new\table become.
    if (/^[A-Za-z]:/.test(raw) && /[\u0008\u0009\u000a\u000c\u000d]/.test(decoded)) {
      this.#flaw("doubtful", start, String.raw`The backslashes of this path are read as other characters; write \\`, {
        ...range,
        text: doubled,
      });
      return raw;
    }
    return decoded;
  }
}

const QUOTE_PAIRS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["\u201c", "\u201d"],
  ["\u201d", "\u201d"],
]);

const WORDS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function leaf(
  kind: "string" | "other",
  { start, end }: TextRange,
  value: string | number | boolean | null,
  endAt: () => number = () => end,
): JsonNode {
  return { kind, start, end: endAt(), value, members: [], items: [] };
}

/** The text that a JSON string means. Undefined if an escape is wrong. */
function decodeString(raw: string): string | undefined {
  if (!raw.includes("\\") && !/[\t\r]/.test(raw)) return raw;
  try {
    return String(JSON.parse(`"${raw.replaceAll("\t", "\\t").replaceAll("\r", "\\r")}"`));
  } catch {
    return undefined;
  }
}

/** Line and column of a place, both from 1. */
export function positionAt(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return { line, column: at - before.lastIndexOf("\n") };
}

/** The text after all edits. Of two that touch the same place the first in the text counts. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end, text: put } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < copied) continue;
    parts.push(text.slice(copied, start), put);
    copied = end;
  }
  return [...parts, text.slice(copied)].join("");
}

/** A member by its name; of several the last, as hosts read it. */
export function lastMember(node: JsonNode | undefined, name: string): JsonMember | undefined {
  return node?.members.findLast((member) => member.name === name);
}
