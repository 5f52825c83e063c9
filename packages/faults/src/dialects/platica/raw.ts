import { countWithheld } from "../../safety/counts.ts";
import { isKnownSecret } from "../../safety/register.ts";
import type { SecretFilter } from "../../safety/secrets.ts";
import { isJson, type Json, parseJson } from "../wire.ts";

/** Longer bodies are not relayed. */
const MAX_RAW = 262_144;

/** A REST body as it may be relayed, and parsed where it is an object. */
export interface Relayed {
  readonly text: string;
  readonly body: Json | undefined;
}

/**
 * The body of a REST answer without known secrets, or undefined when it cannot be relayed.
 * A string that holds one becomes null, so that JSON stays JSON; a text that is none is withheld whole.
 */
export function relay(raw: string, secrets: SecretFilter | undefined): Relayed | undefined {
  const holds = (text: string): boolean => isKnownSecret(text) || secrets?.has(text) === true;
  if (raw.length > MAX_RAW) return undefined;
  const parsed = parseJson(raw, MAX_RAW);
  const cleaner = new Cleaner(holds);
  const clean = cleaner.clean(parsed, 0);
  // Escapes could hide a member from the look at the text below, where the parser has kept only its namesake.
  const verbatim = parsed === undefined || (!cleaner.changed && !raw.includes("\\u"));
  const text = verbatim ? raw : JSON.stringify(clean);
  if (!holds(text)) return { text, body: isJson(clean) ? clean : undefined };
  countWithheld("secret");
  return undefined;
}

/** Deeper values are dropped: nobody reads them, and looking must end. */
const MAX_DEPTH = 64;

/** Copies JSON without the strings, numbers and names that hold a secret. */
class Cleaner {
  readonly #holds: (text: string) => boolean;
  changed = false;

  constructor(holds: (text: string) => boolean) {
    this.#holds = holds;
  }

  clean(value: unknown, depth: number): unknown {
    if (typeof value === "string" || typeof value === "number") return this.#withheld(String(value)) ? null : value;
    if (typeof value !== "object" || value === null) return value;
    if (depth === MAX_DEPTH) {
      this.changed = true;
      return null;
    }
    if (Array.isArray(value)) return value.map((item) => this.clean(item, depth + 1));
    const members = Object.entries(value).filter(([key]) => !this.#withheld(key));
    return Object.fromEntries(members.map(([key, member]) => [key, this.clean(member, depth + 1)]));
  }

  #withheld(text: string): boolean {
    const hit = this.#holds(text);
    if (hit) {
      this.changed = true;
      countWithheld("secret");
    }
    return hit;
  }
}
