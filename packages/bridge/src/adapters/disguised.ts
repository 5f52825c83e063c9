type Loose = Readonly<Record<string, unknown>>;

/** Longer texts are results, not excuses. */
const LONGEST_LOOKED_AT = 2_000;

/** Tells a result that says it failed, such as `{ success: false }`, but is not marked as a failure. */
export function isDisguised(result: unknown): boolean {
  if (!isLoose(result) || result["isError"] === true) return false;
  return saysFailed(result["structuredContent"]) || saysFailed(soleJson(result["content"]));
}

function saysFailed(value: unknown): boolean {
  return isLoose(value) && (value["success"] === false || value["ok"] === false);
}

/** The JSON of a result that is one short text. */
function soleJson(content: unknown): unknown {
  const text = Array.isArray(content) && content.length === 1 && isLoose(content[0]) ? content[0]["text"] : undefined;
  if (typeof text !== "string" || text.length > LONGEST_LOOKED_AT || !text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isLoose(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
