// Words for values of the API. Tables, so that each value has one.
import type { Effect, Me } from "../api/types.ts";

/** What an effect means. */
export const EFFECT_WORDS = {
  none: "Nothing was done",
  possible: "May have taken effect",
  applied: "Took effect",
} as const satisfies Record<Effect, string>;

/** What a button says that needs a role. */
export function needsRole(role: Me["role"]): string {
  return `Needs the role ${role}`;
}

/** The name of a caller: the last part of its id, which is a JSON list of issuer, tenant and subject. */
export function shortCaller(caller: string): string {
  if (caller.startsWith("sha256:")) return `digest ${caller.slice(7, 11)}…`;
  try {
    const parts: unknown = JSON.parse(caller);
    return Array.isArray(parts) && parts.length > 0 ? String(parts.at(-1)) : caller;
  } catch {
    return caller;
  }
}
