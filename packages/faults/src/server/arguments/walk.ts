/** A JSON Schema: an object of keywords, or `true` and `false` for anything and nothing. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** One look at arguments: the schema that references point into, and the work that may still be done. */
export interface Walk {
  readonly root: unknown;
  left: number;
}

/** Schemas and arguments deeper than this are not followed. */
export const DEEPEST = 48;

/** What one look may cost, in visits of a schema, a key or an item: enough for any call that a model writes. */
const WORK = 100_000;

/** Begins a look. */
export function startWalk(root: unknown): Walk {
  return { root, left: WORK };
}

/** Takes from the work that is left; false once it is used up. */
export function spend(walk: Walk, cost: number): boolean {
  walk.left -= cost;
  return walk.left > 0;
}
