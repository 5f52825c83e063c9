import { choicesOf, isChoice } from "./choices.ts";
import { partsOf } from "./parts.ts";
import { at, has, isObject, keysOf } from "./read.ts";
import { identityOf } from "./same.ts";
import { isOfType, typesOf } from "./types.ts";
import { spend, type Walk } from "./walk.ts";

/** The branches of a choice that a value can be meant for. */
interface Narrowed {
  readonly fitting: readonly unknown[];
  /** The key whose value tells the branches apart, when none has the value that was given. */
  readonly by?: { readonly key: string; readonly choices: readonly unknown[] };
}

/** Narrows a choice by the type of the value, then by the key that tells the branches apart. */
export function narrow(walk: Walk, branches: readonly unknown[], value: unknown): Narrowed {
  const fitting = branches.filter((branch) => {
    const types = typesOf(walk, branch);
    if (types !== undefined) return isOfType(value, types);
    const choices = choicesOf(walk, branch);
    return choices === undefined || typeof value === "object" || isChoice(walk, value, choices);
  });
  if (fitting.length < 2 || !isObject(value)) return { fitting };
  const tag = tagOf(walk, fitting);
  if (tag === undefined) return { fitting };
  const given = at(value, tag.key);
  const meant = fitting.filter((_, index) => isChoice(walk, given, tag.choices[index] ?? []));
  return has(value, tag.key) && meant.length > 0
    ? { fitting: meant }
    : { fitting, by: { key: tag.key, choices: tag.choices.flat() } };
}

interface Tag {
  readonly key: string;
  /** What each branch allows there. */
  readonly choices: readonly (readonly unknown[])[];
}

/** The first key for which every branch lists values that no other branch has. */
function tagOf(walk: Walk, branches: readonly unknown[]): Tag | undefined {
  const first = partsOf(walk, branches[0]).all.flatMap((part) => keysOf(at(part, "properties")));
  for (const key of first.slice(0, 32)) {
    if (!spend(walk, branches.length)) return undefined;
    const choices = branches.map((branch) => choicesOf(walk, propertyOf(walk, branch, key)) ?? []);
    const all = choices.flat().map((choice) => identityOf(choice));
    if (choices.every((some) => some.length > 0) && new Set(all).size === all.length) return { key, choices };
  }
  return undefined;
}

function propertyOf(walk: Walk, node: unknown, key: string): unknown {
  const holder = partsOf(walk, node).all.find((part) => has(at(part, "properties"), key));
  return at(at(holder, "properties"), key);
}
