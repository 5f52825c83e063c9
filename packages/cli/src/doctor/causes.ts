import type { Cause } from "./cause.ts";
import { HTTP_CAUSES } from "./http-causes.ts";
import { PROGRAM_CAUSES } from "./program-causes.ts";

/** Every cause by its id. Ids are for ever: `recourse explain D10`, the docs and the answers of `--json` name them. */
export const CAUSES = { ...PROGRAM_CAUSES, ...HTTP_CAUSES } as const satisfies Record<string, Cause>;

/** The id of a cause, such as `D10`. */
export type CauseId = keyof typeof CAUSES;

/** Every id in the order of its number. */
export const CAUSE_IDS: readonly CauseId[] = (Object.keys(CAUSES) as CauseId[]).sort(
  (one, other) => Number(one.slice(1)) - Number(other.slice(1)),
);

/** The cause with this id, in any case of letters. Undefined if there is none. */
export function causeOf(id: string): (Cause & { readonly id: CauseId }) | undefined {
  const found = CAUSE_IDS.find((one) => one === id.toUpperCase());
  return found === undefined ? undefined : { id: found, ...CAUSES[found] };
}
