import { peek, peekString } from "../../reasons/unknown/peek.ts";
import { holdsSecret } from "../../safety/nets.ts";
import type { SecretFilter } from "../../safety/secrets.ts";

/** How far a chain of causes is followed, and how much is written of all of it. */
const DEEPEST = 5;
const LONGEST = 16_384;
const WITHHELD = "(withheld: holds a secret)";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they could move the cursor of the operator's terminal.
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * What was thrown, as lines for the operator: the stack of each error in the chain of causes.
 * A line with a known secret is withheld, and nothing of the thrown value's own is run.
 */
export function describeCause(of: {
  readonly cause?: unknown;
  readonly secrets?: SecretFilter | undefined;
}): readonly string[] {
  if (of.cause === undefined) return [];
  const text = chainOf(of.cause).map(stackOf).join("\ncaused by ").slice(0, LONGEST);
  const lines = text.replaceAll(CONTROLS, " ").split("\n");
  if (!holdsSecret(text, of.secrets)) return lines;
  const kept = lines.map((line) => (holdsSecret(line, of.secrets) ? WITHHELD : line));
  // A secret may run over several lines.
  return holdsSecret(kept.join("\n"), of.secrets) ? [WITHHELD] : kept;
}

function chainOf(cause: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let at = cause; at !== undefined && at !== null && chain.length < DEEPEST; at = peek(at, "cause")) {
    if (chain.includes(at)) break;
    chain.push(at);
  }
  return chain.length === 0 ? [cause] : chain;
}

function stackOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return `thrown ${typeof value}: ${String(value)}`;
  const stack = value instanceof Error ? ownStack(value) : peekString(value, "stack");
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
