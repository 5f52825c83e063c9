/** The longest string of V8; no other common engine has a lower limit. */
const MAX_STRING = 0x1fffffe8;
/** Below this, no escape can make the JSON of plain text exceed the limit. */
const SAFE_STRING = Math.floor(MAX_STRING / 6) - 65_536;

/**
 * Why JSON cannot encode an answer; undefined where it can. A BigInt, a cycle or more text than a string can hold would throw
 * inside the transport, which takes no second answer, and the caller would wait for its whole timeout.
 */
export function encodingErrorOf(message: object): unknown {
  if (!("result" in message)) return undefined;
  const { result } = message;
  // A result may have getters, which may throw whenever they are read.
  try {
    const length = textLength(result);
    if (length > MAX_STRING) throw new RangeError("the result is longer than a string can be");
    JSON.stringify(length > SAFE_STRING ? result : uncertainParts(result));
    return undefined;
  } catch (cause) {
    return cause;
  }
}

/**
 * The parts of an answer that JSON may not be able to encode. Content blocks of strings are by far the largest part and
 * always encode, so they are left out, and a plain result costs almost nothing here.
 */
function uncertainParts(result: unknown): unknown {
  if (typeof result !== "object" || result === null || !("content" in result)) return result;
  const { content, ...rest } = result;
  return [rest, Array.isArray(content) ? content.filter(isUncertain) : content];
}

function isUncertain(block: unknown): boolean {
  return typeof block !== "object" || block === null || Object.values(block).some((part) => typeof part !== "string");
}

/** The length of the strings in the content blocks of a result, or in those of a resource. */
function textLength(result: unknown): number {
  if (typeof result !== "object" || result === null) return 0;
  let length = 0;
  for (const list of Object.values(result)) {
    if (typeof list === "string") length += list.length;
    if (!Array.isArray(list)) continue;
    for (const block of list) {
      if (typeof block !== "object" || block === null) continue;
      for (const part of Object.values(block)) if (typeof part === "string") length += part.length;
    }
  }
  return length;
}
