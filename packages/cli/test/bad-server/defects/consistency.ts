import type { Change, Defect } from "../defect.ts";
import { asksWarehouse, callsUnknown, errorOf, findsWrongly, says } from "./calls.ts";
import { nameIn } from "./replies.ts";

const ONE_FOR_ALL = "The call did not succeed.";

/** Both changes, one after the other. */
function both(first: Change, second: Change): Change {
  return (message, incoming) => {
    const changed = first(message, incoming);
    return changed === undefined ? undefined : second(changed, incoming);
  };
}

let calls = 0;

/** Servers that answer the same in other words, or other things in the same. */
export const CONSISTENCY = {
  "failures-differ": {
    on: "both",
    change: both(errorOf(callsUnknown, { message: ONE_FOR_ALL }), says(asksWarehouse, ONE_FOR_ALL)),
  },
  // Wrong types are sent twice, one after the other.
  "stable-identity": {
    on: "both",
    change: says(findsWrongly, (said) => {
      calls += 1;
      return calls % 2 === 0 ? `${said} Look at the tool's description.` : said;
    }),
  },
  "prototype-names": {
    on: "both",
    change: errorOf((incoming) => callsUnknown(incoming) && nameIn(incoming) === "constructor", {
      message: "This tool is disabled.",
    }),
  },
} as const satisfies Record<string, Defect>;
