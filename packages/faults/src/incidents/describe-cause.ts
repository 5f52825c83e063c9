import { peek, peekString } from "../errors/peek.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import { containsSecret } from "../safety/secrets.ts";

const MAX_CAUSES_SHOWN = 5;
/** The most that is shown of a text. */
const MAX_SHOWN = 16_384;
/** The most that is searched: a secret at the end of what is shown must be whole to be found. */
export const MAX_SEARCHED: number = MAX_SHOWN + 4_096;
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
  const text = causesOf(of.cause).map(stackOf).join("\ncaused by ");
  return redactLines(text, (one) => containsSecret(one, of.secrets));
}

/** The first lines of a text, without those that one of the tests finds something in. */
export function redactLines(
  text: string,
  ...tests: readonly ((text: string, line?: number) => boolean)[]
): readonly string[] {
  const lines = text.slice(0, MAX_SEARCHED).split("\n");
  let kept: readonly string[] = lines;
  for (const test of tests) {
    // A secret may itself have characters that are not shown.
    const finds = (part: string, line?: number) =>
      test(part, line) || (shown(part) !== part && test(shown(part), line));
    kept = kept.map((line, at) => (finds(line, at) ? REMOVED : line));
    // A secret may span several lines.
    if (finds(kept.join("\n"))) return [REMOVED];
  }
  let left = MAX_SHOWN;
  return kept.flatMap((line, at) => {
    const room = left;
    left -= (lines[at] as string).length + 1;
    return room > 0 ? [line === REMOVED ? line : shown(line).slice(0, room)] : [];
  });
}

function shown(text: string): string {
  return text.replaceAll(CONTROLS, " ");
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
  const stack = ownStack(value);
  if (stack) return stack;
  return `thrown ${peekString(value, "name") ?? "object"}: ${peekString(value, "message") ?? ""}`;
}

/** Some engines compute the stack of an error when it is first read. A proxy may throw. */
function ownStack(value: object): string | undefined {
  try {
    const stack: unknown = value instanceof Error ? value.stack : peek(value, "stack");
    return typeof stack === "string" ? stack : undefined;
  } catch {
    return undefined;
  }
}
