import type { Fault } from "@recourse/faults";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Route } from "../../catalog/route.ts";
import type { Call } from "../call.ts";
import type { Step } from "../step.ts";

/** Finds out where the message goes. Unknown, hidden and out of scope are one answer. */
export function resolve(catalog: Catalog): Step {
  return (call) => {
    const found = catalog.routeOf(call);
    return found instanceof Promise ? found.then((outcome) => accept(call, outcome)) : accept(call, found);
  };
}

function accept(call: Call, found: Route | Fault): Fault | undefined {
  // The kinds of faults and those of routes have no name in common.
  if ("reason" in found) return found;
  call.route = found;
  return undefined;
}
