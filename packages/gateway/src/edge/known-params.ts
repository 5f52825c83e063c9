/**
 * The members of the params of each method that is routed to an upstream. Nothing else that a caller writes there reaches it,
 * but `_meta` and the answers of a round, which have rules of their own.
 */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  "tools/call": ["name", "arguments"],
  "prompts/get": ["name", "arguments"],
  "resources/read": ["uri"],
  "completion/complete": ["ref", "argument", "context"],
};

/** Whether a method has a member of this name in its params. */
export function isKnownParam(method: string, name: string): boolean {
  return Object.hasOwn(KNOWN, method) && KNOWN[method]?.includes(name) === true;
}
