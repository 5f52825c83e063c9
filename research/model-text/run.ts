import type { Situation } from "./situation.ts";
import { ARGUMENTS } from "./situations/arguments.ts";
import { CLIENT } from "./situations/client.ts";
import { CONFLICTS } from "./situations/conflicts.ts";
import { DIALECTS } from "./situations/dialects.ts";
import { FOREIGN } from "./situations/foreign.ts";
import { MISSING } from "./situations/missing.ts";
import { OUTAGES } from "./situations/outages.ts";
import { REFERENCE, stopReferenceServers } from "./situations/reference.ts";
import { REFUSALS } from "./situations/refusals.ts";
import { REST } from "./situations/rest.ts";

/** All situations, in the order of the page. */
export const SITUATIONS: readonly Situation[] = [
  ...ARGUMENTS,
  ...MISSING,
  ...REFUSALS,
  ...CONFLICTS,
  ...OUTAGES,
  ...CLIENT,
  ...FOREIGN,
  ...REST,
  ...DIALECTS,
  ...REFERENCE,
];

/** The name of a situation in the data. */
export const keyOf = ({ group, id }: Pick<Situation, "group" | "id">): string => `${group}/${id}`;

/** Causes every failure, and returns the texts by the names of the situations. */
export async function runSituations(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  try {
    for (const situation of SITUATIONS) {
      const key = keyOf(situation);
      if (key in texts) throw new Error(`two situations are named ${key}`);
      texts[key] = await situation.run().catch((cause: unknown) => {
        throw new Error(`${key} could not be caused`, { cause });
      });
    }
  } finally {
    await stopReferenceServers();
  }
  return texts;
}
