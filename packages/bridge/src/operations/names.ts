import { createHash } from "node:crypto";

/** Of tools and arguments. */
const MAX_TOOL_NAME_LENGTH = 64;
/** A longer prefix would leave no room for the name. */
const MAX_PREFIX_LENGTH = 24;
/** Digits of the suffix at each level of `distinctNames`; the first level has none. */
const SUFFIX_DIGITS = [0, 8, 16, 32] as const;

export interface NameSource {
  readonly id: string | undefined;
  readonly method: string;
  readonly path: string;
}

export function isToolName(text: string): boolean {
  return text.length <= MAX_TOOL_NAME_LENGTH && /^[a-zA-Z0-9_-]+$/.test(text);
}

/**
 * Unique names for tools, from the `operationId`s of the document or else from method and path. A suffix depends on method
 * and path alone, so reordering a document renames nothing.
 */
export function toolNames(operations: readonly NameSource[], prefix = ""): readonly string[] {
  const safePrefix = prefix === "" ? "" : safeToolName(prefix, { trim: false }).slice(0, MAX_PREFIX_LENGTH);
  return distinctNames(operations, SUFFIX_DIGITS.length, (operation, level) => {
    const name = safePrefix + (safeToolName(operation.id ?? "") || nameFromPath(operation));
    if (level === 0 && name.length <= MAX_TOOL_NAME_LENGTH) return name;
    // A name that was cut needs its suffix at once.
    const digits = SUFFIX_DIGITS[Math.max(level, 1)] ?? 0;
    const suffix = `_${shortHash(`${operation.method} ${operation.path}`, digits)}`;
    return name.slice(0, MAX_TOOL_NAME_LENGTH - suffix.length).replace(/[_-]+$/, "") + suffix;
  });
}

function nameFromPath({ method, path }: NameSource): string {
  const words = path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => `_by_${name}_`);
  return safeToolName(`${method.toLowerCase()}_${words}`);
}

function safeToolName(text: string, { trim = true } = {}): string {
  const allowed = text.replaceAll(/[^a-zA-Z0-9_-]+/g, "_");
  return trim && allowed !== text ? allowed.replaceAll(/_{2,}/g, "_").replaceAll(/^_+|_+$/g, "") : allowed;
}

const SAFE_ARGUMENT_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

export interface ArgumentSource {
  readonly in: string;
  /** The name in the request; undefined for the whole body. */
  readonly key: string | undefined;
}

/**
 * Unique names for the arguments of a tool. Characters that hosts do not accept are replaced. If two parts of the request
 * use one name, each argument names its part: `id__path`, `id__body`.
 */
export function argumentNames(arguments_: readonly ArgumentSource[]): readonly string[] {
  return distinctNames(arguments_, 3, ({ in: part, key = "body" }, level) => {
    const name = safeArgumentName(key);
    const suffix = level === 0 ? "" : `__${part}${level === 1 ? "" : `_${shortHash(`${part} ${key}`, 16)}`}`;
    if (name.length + suffix.length <= MAX_TOOL_NAME_LENGTH) return name + suffix;
    const digest = suffix === "" ? `_${shortHash(`${part} ${key}`, 8)}` : suffix;
    return name.slice(0, MAX_TOOL_NAME_LENGTH - digest.length) + digest;
  });
}

function safeArgumentName(key: string): string {
  if (SAFE_ARGUMENT_NAME.test(key) && key !== "__proto__") return key;
  const allowed = key.replaceAll(/[^a-zA-Z0-9_.-]+/g, "_").replaceAll(/^_+|_+$/g, "");
  return allowed === "" ? "value" : allowed;
}

/**
 * Gives each item a unique name, ignoring case. An item proposes a name for each level, from the shortest to one that is
 * certainly unique. All items that propose the same name go one level up, so their order does not matter.
 */
function distinctNames<T>(
  items: readonly T[],
  levels: number,
  propose: (item: T, level: number) => string,
): readonly string[] {
  const named = items.map((item) => ({ item, level: 0, name: propose(item, 0) }));
  for (;;) {
    const groups = Map.groupBy(named, (one) => one.name.toLowerCase());
    const clashing = [...groups.values()].filter((group) => group.length > 1).flat();
    const raised = clashing.filter((one) => one.level < levels - 1);
    if (raised.length === 0) return named.map((one) => one.name);
    for (const one of raised) {
      one.level += 1;
      one.name = propose(one.item, one.level);
    }
  }
}

function shortHash(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}
