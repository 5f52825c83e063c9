/**
 * Why JSON cannot say an answer, or undefined when it can. A BigInt or a cycle fails inside the transport, which takes no
 * second answer, and the caller would wait for ever; so it is looked for before.
 */
export function unsendable(message: object): unknown {
  if (!("result" in message)) return undefined;
  try {
    JSON.stringify(openParts(message.result));
    return undefined;
  } catch (cause) {
    return cause;
  }
}

/**
 * The parts of an answer that anything could be in. The texts and the data of a tool's content are by far the largest part
 * and surely strings, so they are left out, and a plain result costs next to nothing here.
 */
function openParts(result: unknown): unknown {
  if (typeof result !== "object" || result === null || !("content" in result)) return result;
  const { content, ...rest } = result;
  return [rest, Array.isArray(content) ? content.filter(isOpen) : content];
}

function isOpen(block: unknown): boolean {
  return typeof block !== "object" || block === null || Object.values(block).some((part) => typeof part !== "string");
}
