import { countWithheld } from "./counts.ts";
import { toLine, WINDOW, windowOf } from "./line.ts";
import { isKnownSecret } from "./register.ts";
import type { SecretFilter } from "./secrets.ts";
import { type RuleGroup, tripwire } from "./tripwire.ts";

/** What the nets know beyond the process. */
export interface Nets {
  /** Secrets of this request, besides those of the process. */
  readonly secrets?: SecretFilter | undefined;
  /** Groups of rules that the author excuses. */
  readonly allow?: readonly RuleGroup[] | undefined;
}

/** What a dynamic string must pass, and how long it may be. */
export interface NetOptions extends Nets {
  /** The most UTF-16 units that are shown. */
  readonly max: number;
  /** Whether the pattern rules look at it too; a grammar slot passes by its grammar instead. */
  readonly patterns: boolean;
}

/** Returns a dynamic string as one clean line, or undefined when it must be withheld whole. */
export function passNets(text: string, options: NetOptions): string | undefined {
  const head = windowOf(text);
  const line = toLine(text, options.max);
  // Folding white space can put a secret together that the text as it came did not hold.
  const rule =
    findLeak(text, head, options) ?? (line !== text && holdsSecret(line, options.secrets) ? "secret" : undefined);
  if (rule === undefined) return line;
  countWithheld(rule);
  return undefined;
}

/** Tells whether a text has a secret in it, of the process or of the request. */
export function holdsSecret(text: string, secrets?: SecretFilter): boolean {
  return isKnownSecret(text) || secrets?.has(text) === true;
}

function findLeak(text: string, head: string, options: NetOptions): string | undefined {
  if (holdsSecret(head, options.secrets)) return "secret";
  // Padding could push the middle of a secret over the edge of the window and into view.
  if (head.length < text.length && toLine(head, WINDOW).length < WINDOW / 2) return "hostile.padding";
  if (!options.patterns) return undefined;
  return tripwire(head, options.allow ? { allow: options.allow } : undefined);
}
