import { fail } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { call, throwing } from "../shop.ts";
import { group } from "../situation.ts";

const never = () => new Promise(() => {});
const late = (tool: string) => () => call(tool, {}, { does: never, options: { deadlineMs: 20 } });
const limited = (afterMs: number) => () =>
  throwing(core.rate_limited({ limit: 100, windowMs: 60_000 }, { retry: { allowed: true, afterMs } }));

export const OUTAGES = group("outages", [
  { id: "timeout-write", what: "a writing tool does not end in time", run: late("save_order") },
  { id: "timeout-read", what: "a read-only tool does not end in time", run: late("read_order") },
  { id: "wait-1ms", what: "a rate limit, with a wait of 1 ms", run: limited(1) },
  { id: "wait-250ms", what: "a rate limit, with a wait of 250 ms", run: limited(250) },
  { id: "wait-30s", what: "a rate limit, with a wait of 30 s", run: limited(30_000) },
  { id: "wait-90s", what: "a rate limit, with a wait of 90 s", run: limited(90_000) },
  { id: "wait-1h23", what: "a rate limit, with a wait of 4,980,500 ms", run: limited(4_980_500) },
  { id: "wait-2h", what: "a rate limit, with a wait of 2 h", run: limited(7_200_000) },
  { id: "overloaded", what: "the service is too busy", run: () => throwing(core.overloaded()) },
  {
    id: "refused-connection",
    what: "a read-only tool cannot reach its database",
    run: () => {
      const cause = Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:5432"), { code: "ECONNREFUSED" });
      return throwing(cause, { tool: "read_order" });
    },
  },
  {
    id: "reset-write",
    what: "a writing tool lost its database in the middle",
    run: () => throwing(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })),
  },
  {
    id: "upstream-failed",
    what: "the author reports that a payment service failed",
    run: () => throwing(fail.upstream_failed`The payment service refused to book order ${"7f3c"}.`),
  },
  { id: "bug-write", what: "a writing tool throws by accident", run: () => throwing(new TypeError("x is undefined")) },
  {
    id: "bug-read",
    what: "a read-only tool throws by accident",
    run: () => throwing(new TypeError("x is undefined"), { tool: "read_order" }),
  },
  { id: "output-read", what: "a read-only tool returns something other than declared", run: () => call("sum_orders") },
  { id: "output-write", what: "a writing tool returns something other than declared", run: () => call("sum_and_save") },
  {
    id: "unsendable-read",
    what: "a read-only tool returns what JSON cannot encode",
    run: () => call("read_order", {}, { does: () => ({ content: [], structuredContent: { n: 1n } }) }),
  },
  {
    id: "unsendable-write",
    what: "a writing tool returns what JSON cannot encode",
    run: () => call("save_order", {}, { does: () => ({ content: [], structuredContent: { n: 1n } }) }),
  },
]);
