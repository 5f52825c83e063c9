import { at, isObject, listAt, type Members, stringAt } from "./read.ts";
import { spend, type Walk } from "./walk.ts";

/** More schemas than this never apply to one place together. */
const MOST = 64;

/** A choice between more schemas than this is taken to allow anything, since half of it would forbid too much. */
const MOST_BRANCHES = 512;

/** What applies at one place all together; `never` when nothing can satisfy it. */
interface Parts {
  readonly all: readonly Members[];
  readonly never: boolean;
}

/** The schema at a place, what it refers to, and its `allOf`: each object once, so loops of references end. */
export function partsOf(walk: Walk, node: unknown): Parts {
  const seen = new Set<Members>();
  let never = false;
  const queue: unknown[] = [node];
  for (let next = 0; next < queue.length && next < MOST; next++) {
    const one = queue[next];
    if (one === false) never = true;
    if (!isObject(one) || seen.has(one) || !spend(walk, 1)) continue;
    seen.add(one);
    const ref = stringAt(one, "$ref");
    if (ref !== undefined) queue.push(targetOf(walk.root, ref));
    queue.push(...listAt(one, "allOf").slice(0, MOST));
  }
  return { all: [...seen], never };
}

/** What a reference within the document points to; others, such as to a file, allow anything. */
function targetOf(root: unknown, ref: string): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#/") || ref.length > 512) return undefined;
  let target: unknown = root;
  for (const token of ref.slice(2).split("/")) target = at(target, unescaped(token));
  return target;
}

function unescaped(token: string): string {
  const plain = token.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** The choices between schemas that a part offers. */
export function unionsOf(part: Members): readonly (readonly unknown[])[] {
  return ["anyOf", "oneOf"]
    .map((keyword) => listAt(part, keyword))
    .filter((branches) => branches.length > 0 && branches.length <= MOST_BRANCHES);
}

/** Schemas that apply to a place only under a condition. */
export function conditionalsOf(part: Members): readonly unknown[] {
  return ["then", "else"].map((keyword) => at(part, keyword)).filter(isObject);
}
