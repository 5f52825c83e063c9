// One client, one gateway, and five servers that speak of their failures in five ways: the client reads one contract.
import { tokenBuckets } from "@recourse/reference-shared";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FiveSystems, faultIn, startFiveSystems } from "./five-systems.ts";

let systems: FiveSystems;
beforeAll(async () => {
  systems = await startFiveSystems();
}, 180_000);
afterAll(() => systems?.close());

interface Case {
  readonly what: string;
  readonly tool: string;
  readonly args: object;
  readonly kind: string;
  readonly effect: string;
  readonly move: string;
  /** Causes the failure, and returns what undoes it. */
  readonly arrange?: () => Promise<() => unknown> | (() => unknown);
}

const none = { effect: "none" } as const;
const missing = { what: "not found", kind: "not_found", move: "choose_another", ...none } as const;
const invalid = { what: "wrong arguments", kind: "invalid_input", move: "fix_input", ...none } as const;
const limited = { what: "a rate limit", kind: "rate_limited", move: "retry", ...none } as const;
const OATS = "09520123456788";

/** No call is left in the share of the server. */
const usedUp = (server: "gtin" | "crm") => async () => {
  const environment = systems[server];
  const { limiter } = environment;
  const empty = tokenBuckets({ calls: 1, windowMs: 30_000, now: () => 0 });
  const take: typeof empty.take = (share) => {
    empty.take(share);
    return empty.take(share);
  };
  environment.limiter = { quota: empty.quota, take };
  return () => {
    environment.limiter = limiter;
  };
};

const CASES: readonly Case[] = [
  { ...missing, tool: "gtin__resolve_gtin", args: { gtin: "00614141123452" } },
  { ...invalid, tool: "gtin__lookup_product", args: { gtin: "00614141123453" } },
  { ...limited, tool: "gtin__resolve_gtin", args: { gtin: OATS }, arrange: usedUp("gtin") },
  {
    what: "the database is away, for which its document has one code with every other bug",
    tool: "gtin__lookup_product",
    args: { gtin: OATS },
    kind: "internal",
    effect: "none",
    move: "retry",
    arrange: () => {
      systems.gtin.proxy.disconnect();
      return () => systems.gtin.proxy.reconnect();
    },
  },
  { ...missing, tool: "crm__getClient", args: { id: "99" } },
  {
    ...invalid,
    tool: "crm__createCampaign",
    args: { name: "Autumn", agent_id: "1", starts_on: "2027-09-30", ends_on: "2027-09-01" },
  },
  { ...limited, tool: "crm__getClient", args: { id: "1" }, arrange: usedUp("crm") },
  {
    what: "its service is away",
    tool: "crm__getClient",
    args: { id: "1" },
    kind: "unavailable",
    effect: "none",
    move: "retry",
    arrange: () => systems.crm.stopRest(),
  },
  { ...missing, tool: "orders__get_order", args: { order_id: "ORD-9999" } },
  { ...invalid, tool: "orders__get_order", args: {} },
  {
    what: "the database is away",
    tool: "orders__get_order",
    args: { order_id: "ORD-1001" },
    kind: "unavailable",
    effect: "none",
    move: "retry",
    arrange: () => {
      systems.orders.databaseProxy.disconnect();
      return () => systems.orders.databaseProxy.reconnect();
    },
  },
  { ...invalid, tool: "erlang__divide", args: { a: 1 } },
  { what: "a bug", tool: "erlang__divide", args: { a: 1, b: 0 }, kind: "internal", effect: "possible", move: "stop" },
  {
    ...limited,
    tool: "erlang__divide",
    args: { a: 1, b: 2 },
    arrange: () => {
      systems.erlmcp.next("429-seconds");
      return () => {};
    },
  },
  {
    what: "not found, which is one of all failures that no repetition helps against",
    tool: "analytics__query",
    args: { fail: "not_found" },
    kind: "precondition_failed",
    effect: "none",
    move: "stop",
  },
  { ...invalid, tool: "analytics__query", args: {} },
  { ...limited, tool: "analytics__query", args: { fail: "rate_limited" } },
  {
    what: "a service is away",
    tool: "analytics__query",
    args: { fail: "unavailable" },
    kind: "upstream_failed",
    effect: "possible",
    move: "refresh",
  },
];

test.each(CASES)("$tool: $what", async ({ tool, args, kind, effect, move, arrange }) => {
  const undo = await arrange?.();
  try {
    const fault = faultIn(await systems.call(tool, args));
    const [upstream] = tool.split("__");
    expect({ kind: fault.kind, effect: fault.effect, move: fault.recourse[0].do, origin: fault.origin }).toEqual({
      kind,
      effect,
      move,
      origin: { layer: "upstream", name: upstream },
    });
  } finally {
    await undo?.();
  }
});

/** What each caller reads of one call, in the dialect of its key. */
async function inEveryDialect(tool: string, args: object) {
  return {
    closient: (await systems.call(tool, args, "closient")).result?.["error"],
    onx: (await systems.call(tool, args, "onx")).result?.["error"],
    erlmcp: (await systems.call(tool, args, "erlmcp")).error,
    qaqnuz: (await systems.call(tool, args, "qaqnuz")).result?._meta,
    platica: (await systems.call(tool, args, "platica")).result?.["structuredContent"],
  };
}

describe("a caller reads the dialect of its key, whichever server has failed", () => {
  // A failure that the backend of an onX server has identified has the code 4001, and keeps it.
  test.each([
    ["gtin__resolve_gtin", { gtin: "00614141123452" }, "No product found for GTIN 00614141123452", 3004],
    ["crm__getClient", { id: "99" }, "Client not found", 3004],
    ["orders__get_order", { order_id: "ORD-9999" }, 'Order "ORD-9999" does not exist.', 4001],
  ] as const)("not found: %s", async (tool, args, said, onxCode) => {
    const text = expect.stringContaining(said);
    expect(await inEveryDialect(tool, args)).toMatchObject({
      closient: {
        code: -32200,
        message: "Not Found",
        data: { status: 404, error_code: "not_found", retryable: false, detail: text },
      },
      onx: { code: onxCode, retryable: false, message: text },
      erlmcp: { code: -32001, message: text },
      qaqnuz: { "recourse/error_class": "terminal" },
      platica: { code: 404, error: text },
    });
  });

  test("a rate limit", async () => {
    expect(await inEveryDialect("analytics__query", { fail: "rate_limited" })).toMatchObject({
      closient: { code: -32003, data: { status: 429, error_code: "rate_limited", retryable: true, retry_after: 2 } },
      onx: { code: 3001, retryable: true, details: { context: { retryAfterMs: 2_000 } } },
      erlmcp: { code: -32010, data: { retry_after: 2 } },
      qaqnuz: { "recourse/error_class": "retryable", "recourse/retry_hint": { retry_after_ms: 2_000 } },
      platica: { code: 429, error: "The rate limit is reached." },
    });
  });

  test("wrong arguments", async () => {
    expect(await inEveryDialect("analytics__query", {})).toMatchObject({
      closient: { code: -32101, data: { status: 422, error_code: "validation_error", retryable: false } },
      onx: { code: 2002, retryable: false },
      erlmcp: { code: -32034 },
      qaqnuz: { "recourse/error_class": "validation" },
      platica: { issues: [{ path: ["fail"], code: "invalid_type", expected: "a string" }] },
    });
  });

  test("a bug, with the name of the tool as the caller knows it", async () => {
    expect(await inEveryDialect("erlang__divide", { a: 1, b: 0 })).toMatchObject({
      closient: { code: -32300, data: { status: 500, error_code: "internal_error" } },
      onx: { code: 4000, retryable: false, details: { context: { tool: "erlang__divide", reason: "RangeError" } } },
      erlmcp: { code: -32031, data: { tool: "erlang__divide", reason: "RangeError" } },
      qaqnuz: { "recourse/error_class": "terminal", "recourse/effect": "possible" },
      platica: { code: 500, error: 'The tool "erlang__divide" failed: "RangeError".' },
    });
  });
});
