// Reads parameter styles, written from the specification alone.
import type { Location, Style } from "../src/operations/operation.ts";

/** A value whose texts are all strings. */
export type Value = string | readonly string[] | Readonly<Record<string, string>>;

/** How a parameter was written. */
export interface Writing {
  readonly in: Location;
  readonly style: Style;
  readonly explode: boolean;
  readonly key: string;
  /** The type that the reader expects, as servers know it from their schema. */
  readonly kind: "one" | "many" | "pairs";
}

/** Reads a parameter; `raw` is the path segment, the query, the header or the cookie header as it was sent. */
export function readStyle(raw: string, writing: Writing): Value {
  const { style, kind, key, explode } = writing;
  if (style === "deepObject") return deep(raw, key);
  const decode = writing.in === "header" ? (text: string) => text : decodeURIComponent;
  const lead = style === "label" ? "." : style === "matrix" ? ";" : "";
  if (!raw.startsWith(lead)) throw new Error(`no ${lead} before ${raw}`);
  const text = raw.slice(lead.length);
  const named = writing.in === "query" || writing.in === "cookie" || style === "matrix";
  const apart = explode ? separatorExploded(writing) : separator(style);
  if (kind === "one") return decode(named ? textAfter(text, key) : text);
  if (explode && (named || kind === "pairs")) {
    const pairs = text.split(apart).map((piece) => [decode(before(piece)), decode(after(piece))] as const);
    return kind === "pairs" ? Object.fromEntries(pairs) : pairs.map(([name, value]) => checked(name, key, value));
  }
  const pieces = (named ? textAfter(text, key) : text).split(apart).map(decode);
  if (kind === "many") return pieces;
  return Object.fromEntries(pieces.flatMap((piece, i) => (i % 2 === 0 ? [[piece, pieces[i + 1] ?? ""]] : [])));
}

function separator(style: Style): string {
  if (style === "spaceDelimited") return "%20";
  return style === "pipeDelimited" ? "%7C" : ",";
}

function separatorExploded(writing: Writing): string {
  if (writing.in === "cookie") return "; ";
  if (writing.in === "query") return "&";
  return writing.style === "label" ? "." : writing.style === "matrix" ? ";" : ",";
}

const before = (piece: string) => piece.split("=", 1)[0] ?? "";
const after = (piece: string) => (piece.includes("=") ? piece.slice(piece.indexOf("=") + 1) : "");

function textAfter(text: string, key: string): string {
  return checked(decodeURIComponent(before(text)), key, after(text));
}

function checked(name: string, key: string, value: string): string {
  if (name !== key) throw new Error(`${name} instead of ${key}`);
  return value;
}

function deep(raw: string, key: string): Value {
  const pairs = raw.split("&").map((piece) => [decodeURIComponent(before(piece)), decodeURIComponent(after(piece))]);
  const members = pairs.map(([name = "", value = ""]) => {
    const [, own = "", member = ""] = /^(.*)\[([^[\]]*)\]$/s.exec(name) ?? [];
    return [member, checked(own, key, value)] as const;
  });
  return members.every(([member]) => member === "") ? members.map(([, value]) => value) : Object.fromEntries(members);
}
