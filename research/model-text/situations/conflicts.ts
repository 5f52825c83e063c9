import { fail } from "@recourse/core";
import { core, idempotency, rest } from "@recourse/core/reasons";
import { throwing } from "../shop.ts";
import { group } from "../situation.ts";

export const CONFLICTS = group("conflicts", [
  {
    id: "conflict",
    what: "an order was changed by someone else",
    run: () => throwing(core.conflict({ what: "order 7f3c has a newer version" })),
  },
  {
    id: "conflict-tool",
    what: "the same, and the author names the tool that shows the state",
    run: () => {
      const recourse = [{ do: "refresh", tool: "read_order" }] as const;
      return throwing(fail.conflict({ recourse })`Order ${"7f3c"} was changed by somebody else.`);
    },
  },
  { id: "stale", what: "the change is based on an old version", run: () => throwing(rest.stale()) },
  { id: "key-reused", what: "an idempotency key with other arguments", run: () => throwing(idempotency.key_reused()) },
  { id: "in-progress", what: "the first call with the key still runs", run: () => throwing(idempotency.in_progress()) },
  {
    id: "do-first",
    what: "another tool has to be called first",
    run: () => {
      const recourse = [{ do: "do_first", tool: "open_cart" }] as const;
      return throwing(fail.precondition_failed({ recourse })`Cart ${"c-9"} is closed.`);
    },
  },
  { id: "precondition", what: "something has to happen first", run: () => throwing(core.precondition_failed()) },
  {
    id: "shipped",
    what: "an order has already been shipped",
    run: () => throwing(fail.precondition_failed`Order ${"7f3c"} is shipped already.`),
  },
  { id: "locked", what: "a locked item", run: () => throwing(rest.locked()) },
]);
