import { distinctNames, shortHash } from "./distinct.ts";

const SAFE = /^[a-zA-Z0-9_.-]{1,64}$/;
const LONGEST = 64;

/** What argument names are made of: the place in the request and the name there. */
export interface Placed {
  readonly in: string;
  /** Undefined for a body as a whole. */
  readonly key: string | undefined;
}

/**
 * Names of arguments, all on one level. Names that hosts do not take are written with the characters that they do take;
 * where two places use one name, each says its place: `id__path`, `id__body`.
 */
export function argumentNames(arguments_: readonly Placed[]): readonly string[] {
  return distinctNames(arguments_, 3, (placed, level) => {
    const { key = "body" } = placed;
    const name = plain(key);
    const suffix = level === 0 ? "" : `__${placed.in}${level === 1 ? "" : `_${shortHash(`${placed.in} ${key}`, 16)}`}`;
    if (name.length + suffix.length <= LONGEST) return name + suffix;
    const digest = suffix === "" ? `_${shortHash(`${placed.in} ${key}`, 8)}` : suffix;
    return name.slice(0, LONGEST - digest.length) + digest;
  });
}

function plain(key: string): string {
  if (SAFE.test(key) && key !== "__proto__") return key;
  const allowed = key.replaceAll(/[^a-zA-Z0-9_.-]+/g, "_").replaceAll(/^_+|_+$/g, "");
  return allowed === "" ? "value" : allowed;
}
