import { isInstance, peek, peekString } from "../errors/peek.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import { containsSecret } from "../safety/secrets.ts";

const MAX_CAUSES_SHOWN = 5;
const MAX_CAUSE_TEXT = 16_384;
/** Stands for a text, or a line of it, that contains a secret. */
export const REMOVED = "(removed: contains a secret)";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they could move the cursor of the operator's terminal.
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * The thrown error as lines for an operator: the stack of each error in the chain of causes. Lines that contain a known
 * secret are replaced. It runs no code of the thrown value.
 */
export function describeCause(of: {
  readonly cause?: unknown;
  readonly secrets?: SecretFilter | undefined;
}): readonly string[] {
  if (of.cause === undefined) return [];
  const text = causesOf(of.cause).map(stackOf).join("\ncaused by ").slice(0, MAX_CAUSE_TEXT);
  return redactLines(text, (one) => containsSecret(one, of.secrets));
}

/** The lines of a text, without those that `isSecret` finds something in. */
export function redactLines(text: string, isSecret: (text: string, line?: number) => boolean): readonly string[] {
  const lines = text.replaceAll(CONTROLS, " ").split("\n");
  const kept = lines.map((line, at) => (isSecret(line, at) ? REMOVED : line));
  // A secret may span several lines.
  return isSecret(kept.join("\n")) ? [REMOVED] : kept;
}

/** The chain of causes, the thrown value first. */
export function causesOf(cause: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let at = cause; at !== undefined && at !== null && chain.length < MAX_CAUSES_SHOWN; at = peek(at, "cause")) {
    if (chain.includes(at)) break;
    chain.push(at);
  }
  return chain.length === 0 ? [cause] : chain;
}

/** The stack of a thrown value, or what stands for it. */
export function stackOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return `thrown ${typeof value}: ${String(value)}`;
  const stack = isInstance(value, Error) ? ownStack(value) : peekString(value, "stack");
  if (stack !== undefined && stack !== "") return stack;
  return `thrown ${peekString(value, "name") ?? "object"}: ${peekString(value, "message") ?? ""}`;
}

/** Some engines compute the stack when it is first read. */
function ownStack(error: Error): string | undefined {
  try {
    return typeof error.stack === "string" ? error.stack : undefined;
  } catch {
    return undefined;
  }
}
