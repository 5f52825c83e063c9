type Loose = Readonly<Record<string, unknown>>;

/** Longer texts are results, not excuses. */
const LONGEST_LOOKED_AT = 2_000;

/** Tells a result that says it failed without the flag that says so: `{ success: false }`, `{ error: … }` and the like. */
export function looksFailed(result: unknown): boolean {
  if (!isLoose(result) || result["isError"] === true) return false;
  return saysFailed(result["structuredContent"]) || saysFailed(soleJson(result["content"]));
}

function saysFailed(value: unknown): boolean {
  if (!isLoose(value)) return false;
  if (value["success"] === false || value["ok"] === false || value["isError"] === true) return true;
  if (value["status"] === "error" || value["status"] === "failed") return true;
  const error = value["error"];
  return (typeof error === "string" && error !== "") || isLoose(error);
}

/** The JSON of a result that is one short text. */
function soleJson(content: unknown): unknown {
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const text: unknown = isLoose(content[0]) ? content[0]["text"] : undefined;
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
