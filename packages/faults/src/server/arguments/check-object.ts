import { MAX } from "../../fault/fault.ts";
import { isInBounds, sizesOf } from "./bounds.ts";
import { childOf, LAST, patternsOf, widthOf } from "./child.ts";
import { describe } from "./describe.ts";
import { matches } from "./pattern.ts";
import { below, type Problem, problemAt } from "./place.ts";
import { at, has, isObject, keysOf, listAt, type Members } from "./read.ts";
import { unknownAt } from "./unknown.ts";
import { type Check, downTo, type Visit } from "./visit.ts";
import { spend } from "./walk.ts";
import { sayCount } from "./words.ts";

interface Seen {
  readonly node: unknown;
  readonly value: Members;
  readonly parts: readonly Members[];
}

/** Unknown keys of one object that are told one by one, since each may be a slip of another name. */
const SLIPS = 10;

/** The keys that are missing, those that are there, and those that must not be. */
export function checkObject(visit: Visit, seen: Seen, check: Check): Problem[] {
  const { place } = visit;
  const problems: Problem[] = [];
  let offset = visit.offset;
  for (const part of seen.parts) {
    problems.push(...checkNamed({ ...visit, offset }, part, seen, check));
    offset += widthOf(visit.walk, part);
    if (problems.length > MAX.issues) return problems;
  }
  for (const part of seen.parts) problems.push(...checkOthers(visit, part, seen, check));
  const sizes = sizesOf(seen.parts, "minProperties", "maxProperties");
  if (!isInBounds(keysOf(seen.value).length, sizes)) {
    const count = sayCount(sizes, "key", "keys");
    problems.push(problemAt(place, { rule: "length", expected: `an object with ${count ?? "other keys"}` }));
  }
  return problems;
}

/** The keys that a part names, in its order, then those that it only requires. */
function checkNamed(visit: Visit, part: Members, { value, parts }: Seen, check: Check): Problem[] {
  const { walk, place } = visit;
  const problems: Problem[] = [];
  const properties = at(part, "properties");
  const named = keysOf(properties);
  // Another part may require what this one describes, or describe what this one requires.
  const isRequired = (key: string) => parts.some((other) => listAt(other, "required").includes(key));
  const isDescribed = (key: string) => parts.some((other) => has(at(other, "properties"), key));
  for (const [rank, key] of [...named, ...listAt(part, "required")].entries()) {
    if (typeof key !== "string" || !spend(walk, 1) || problems.length > MAX.issues) continue;
    const here = below(place, key, { rank: visit.offset + rank, named: true });
    const isNamed = rank < named.length;
    if (has(value, key)) {
      if (isNamed && visit.deep) problems.push(...check(downTo(visit, here), at(properties, key), at(value, key)));
    } else if (isNamed ? isRequired(key) : !isDescribed(key)) {
      // A branch may only require what the schema around it describes.
      const node = isNamed ? at(properties, key) : childOf(walk, visit.whole, value, key)?.node;
      problems.push(problemAt(here, { rule: "required", expected: describe(walk, node) }));
    }
  }
  return problems;
}

/** The keys that a part does not name: allowed with a schema of their own, or not at all. */
function checkOthers(visit: Visit, part: Members, { node, value }: Seen, check: Check): Problem[] {
  const { walk, place } = visit;
  const [others, names] = [at(part, "additionalProperties"), at(part, "propertyNames")];
  const patterns = patternsOf(part);
  const problems: Problem[] = [];
  const hasOthers = others === false || isObject(others) || isObject(names) || patterns.length > 0;
  for (const key of hasOthers ? keysOf(value) : []) {
    if (!spend(walk, 1) || problems.length > MAX.issues) break;
    if (has(at(part, "properties"), key)) continue;
    const verdicts = patterns.map((source) => matches(walk, source, key));
    const pattern = patterns[verdicts.indexOf(true)];
    const isUnknown =
      pattern === undefined &&
      ((others === false && !verdicts.includes(undefined)) || isMisnamed(visit, names, key, check));
    if (isUnknown) {
      if (problems.length < SLIPS) problems.push(unknownAt(walk, place, { node, value }, key));
      continue;
    }
    const child = pattern === undefined ? others : at(at(part, "patternProperties"), pattern);
    const isNamed = listAt(part, "required").includes(key) || listAt(names, "enum").includes(key);
    const here = below(place, key, { rank: LAST, named: isNamed });
    if (visit.deep && isObject(child)) problems.push(...check(downTo(visit, here), child, at(value, key)));
  }
  return problems;
}

function isMisnamed(visit: Visit, names: unknown, key: string, check: Check): boolean {
  return isObject(names) && check({ ...visit, deep: false, depth: visit.depth + 1 }, names, key).length > 0;
}
