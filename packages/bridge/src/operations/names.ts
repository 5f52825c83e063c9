import { distinctNames, shortHash } from "./distinct.ts";

const LONGEST = 64;
/** Short enough to leave room for the name itself. */
const LONGEST_PREFIX = 24;
/** Digits of the suffix at each level; the first level has none. */
const DIGITS = [0, 8, 16, 32] as const;

/** What names are made of. */
export interface Nameable {
  readonly id: string | undefined;
  readonly method: string;
  readonly path: string;
}

/**
 * Names of tools: unique, of at most 64 letters, digits, `_` and `-`. They come from the document's own names, else from
 * method and path, and a suffix depends on these two alone: reordering a document renames nothing.
 */
export function toolNames(operations: readonly Nameable[], { prefix = "" } = {}): readonly string[] {
  const before = prefix === "" ? "" : plain(prefix, { trim: false }).slice(0, LONGEST_PREFIX);
  return distinctNames(operations, DIGITS.length, (operation, level) => {
    const name = before + (plain(operation.id ?? "") || fromPath(operation));
    if (level === 0 && name.length <= LONGEST) return name;
    // A name that was cut needs its suffix at once.
    const digits = DIGITS[Math.max(level, 1)] ?? 0;
    const suffix = `_${shortHash(`${operation.method} ${operation.path}`, digits)}`;
    return name.slice(0, LONGEST - suffix.length).replace(/[_-]+$/, "") + suffix;
  });
}

function fromPath({ method, path }: Nameable): string {
  const words = path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => `_by_${name}_`);
  return plain(`${method.toLowerCase()}_${words}`);
}

function plain(text: string, { trim = true } = {}): string {
  const allowed = text.replaceAll(/[^a-zA-Z0-9_-]+/g, "_");
  return trim && allowed !== text ? allowed.replaceAll(/_{2,}/g, "_").replaceAll(/^_+|_+$/g, "") : allowed;
}
