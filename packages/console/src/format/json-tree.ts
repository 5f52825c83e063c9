// JSON as a tree that keeps what was written: numbers digit for digit, members in their order, names that come twice.

/** A value of a JSON text. */
export type JsonTree =
  | { readonly type: "object"; readonly entries: readonly (readonly [string, JsonTree])[] }
  | { readonly type: "array"; readonly items: readonly JsonTree[] }
  | { readonly type: "string"; readonly value: string }
  /** A number, `true`, `false` or `null`, as it was written. */
  | { readonly type: "plain"; readonly text: string };

/** Deeper texts are shown as text. */
const MAX_TREE_DEPTH = 200;

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Reads a text. Undefined: it is not JSON, or deeper than anybody reads. */
export function readJsonTree(text: string): JsonTree | undefined {
  try {
    // From here on the text is known to be JSON, so that the reader below need not look for mistakes.
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(JSON_TOKEN) ?? [];
  let at = 0;
  const next = (): string => tokens[at++] ?? "";
  const readValue = (depth: number): JsonTree | undefined => {
    if (depth > MAX_TREE_DEPTH) return undefined;
    const token = next();
    if (token === "[") {
      const items: JsonTree[] = [];
      while (tokens[at] !== "]") {
        const item = readValue(depth + 1);
        if (item === undefined) return undefined;
        items.push(item);
        if (tokens[at] === ",") at += 1;
      }
      at += 1;
      return { type: "array", items };
    }
    if (token === "{") {
      const entries: [string, JsonTree][] = [];
      while (tokens[at] !== "}") {
        const name = JSON.parse(next()) as string;
        at += 1; // the colon
        const value = readValue(depth + 1);
        if (value === undefined) return undefined;
        entries.push([name, value]);
        if (tokens[at] === ",") at += 1;
      }
      at += 1;
      return { type: "object", entries };
    }
    return token.startsWith('"')
      ? { type: "string", value: JSON.parse(token) as string }
      : { type: "plain", text: token };
  };
  return readValue(0);
}
