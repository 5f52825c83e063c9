import type { Defect, Incoming } from "../defect.ts";
import { findsNothing, findsWrongly, resultOf, says, searches, searchesWrongly } from "./calls.ts";
import { argumentsIn } from "./replies.ts";

/** Valid or of a wrong type: a server that does not look answers both alike. */
const findsAnything = (incoming: Incoming | undefined) => findsNothing(incoming) || findsWrongly(incoming);

/** Servers that check arguments too late, or do not say what is wrong. */
export const VALIDATION = {
  "args-checked-first": { on: "both", change: says(findsAnything, "item is a text that the shop does not have.") },
  "args-name-field": { on: "both", change: says(findsWrongly, "The argument must be a string.") },
  "args-name-all": { on: "both", change: says(searchesWrongly, "colour must be a string.") },
  "args-say-expected": { on: "both", change: says(findsWrongly, "item is not right.") },
  "unknown-key-refused": {
    on: "both",
    change: resultOf(
      (incoming) => searches(incoming) && Object.keys(argumentsIn(incoming)).length > 2,
      ({ isError, _meta, ...result }) => ({
        ...result,
        content: [{ type: "text", text: "red lamp" }],
        structuredContent: { items: ["red lamp"] },
      }),
    ),
  },
} as const satisfies Record<string, Defect>;
