import { isMap, isScalar, parseDocument, visit } from "yaml";
import { type Loaded, problem } from "./document.ts";

/** How often one anchor may be used: enough for people, too few to blow a document up. */
const MOST_ALIASES = 100;

/** The value of a JSON or YAML text. */
export function parseText(text: string): Loaded<unknown> {
  if (text.trimStart().startsWith("{")) {
    try {
      return { ok: true, value: JSON.parse(text) };
    } catch {
      // YAML may start with a brace too.
    }
  }
  try {
    return parseYaml(text);
  } catch (error) {
    // Nesting that exhausts the stack ends here; everything else is told of as an error of the document.
    return problem(error instanceof RangeError ? "too_deep" : "malformed");
  }
}

function parseYaml(text: string): Loaded<unknown> {
  const document = parseDocument(text, {
    schema: "core",
    customTags: [],
    resolveKnownTags: false,
    stringKeys: true,
    // The parser's own check compares every key with every other; ours is below.
    uniqueKeys: false,
    logLevel: "error",
    prettyErrors: false,
  });
  if ([...document.errors, ...document.warnings].some((one) => one.code === "TAG_RESOLVE_FAILED"))
    return problem("custom_tag");
  if (document.errors.length > 0) return problem("malformed");
  let isAmbiguous = false;
  visit(document, {
    Map(_, map) {
      const keys = new Set(map.items.map((pair) => (isScalar(pair.key) ? String(pair.key.value) : pair.key)));
      isAmbiguous ||= isMap(map) && keys.size < map.items.length;
    },
  });
  if (isAmbiguous) return problem("ambiguous");
  try {
    return { ok: true, value: document.toJS({ maxAliasCount: MOST_ALIASES }) };
  } catch (error) {
    return problem(error instanceof ReferenceError ? "aliases" : "malformed");
  }
}
