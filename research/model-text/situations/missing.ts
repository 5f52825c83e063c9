import { fail } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { ask, call, throwing } from "../shop.ts";
import { group } from "../situation.ts";

export const MISSING = group("missing", [
  { id: "tool-near", what: "a tool whose name is misspelt", run: () => call("creat_order") },
  { id: "tool-far", what: "a tool that does not exist", run: () => call("launch_rocket") },
  {
    id: "resource",
    what: "a resource that does not exist",
    run: () => ask({}, (client) => client.readResource({ uri: "shop://prices" })),
  },
  {
    id: "bad-uri",
    what: "an address that is not a URI",
    run: () => ask({}, (client) => client.readResource({ uri: "the price list" })),
  },
  {
    id: "prompt-near",
    what: "a prompt whose name is misspelt",
    run: () => ask({}, (client) => client.getPrompt({ name: "montly_report" })),
  },
  {
    id: "order",
    what: "an order that does not exist",
    run: () => throwing(fail.not_found`Order ${"7f3c"} does not exist.`),
  },
  {
    id: "order-of-library",
    what: "an order that does not exist, in the words of the library",
    run: () => throwing(core.not_found({ what: "order 7f3c" })),
  },
  {
    id: "nothing-named",
    what: "something does not exist, and the author does not say what",
    run: () => throwing(core.not_found()),
  },
  {
    id: "candidates",
    what: "a channel that does not exist, with the names of others",
    run: () => {
      const recourse = [{ do: "choose_another", candidates: ["general", "random"] }] as const;
      return throwing(fail.not_found({ recourse })`Channel ${"generl"} does not exist.`);
    },
  },
  { id: "unsupported", what: "an operation that is not offered", run: () => throwing(core.unsupported()) },
]);
