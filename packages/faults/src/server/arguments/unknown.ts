import { unknownKey } from "../../fault/unknown-key.ts";
import { keysKnown, LAST } from "./child.ts";
import { below, type Place, type Problem, problemAt } from "./place.ts";
import { has } from "./read.ts";
import { spend, type Walk } from "./walk.ts";
import { sayList } from "./words.ts";

/** More names than this are not compared with a slip. */
const COMPARED = 100;

/**
 * The problem with a key that the schema does not have: told of its parent, with the key that it is a slip of.
 * Where it is near to none, the keys that exist are told instead.
 */
export function unknownAt(
  walk: Walk,
  place: Place,
  { node, value }: { node: unknown; value: unknown },
  key: string,
): Problem {
  const known = keysKnown(walk, node, value);
  // A key that was given too is not the one that was meant.
  const free = known.filter((name) => !has(value, name)).slice(0, COMPARED);
  const mayCompare = key.length <= 128 && spend(walk, free.length * 64);
  const { suggestion } = unknownKey(place.path, key, mayCompare ? free : []);
  const list = sayList(known, 80);
  const expected = suggestion !== undefined ? undefined : list === "" ? "no keys" : `only ${list}`;
  const { issue } = problemAt(place, { rule: "unknown", expected, suggestion });
  return { issue, rank: below(place, "", { rank: LAST, named: true }).rank };
}
