// A guarded server encodes faults in any dialect, for all requests or for some, and clients receive what the dialect encodes.

import { openPair } from "@recourse/test-kit/fixtures";
import { ERAS, type Era, type SdkPair } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { closient, type Dialect, erlmcp, http, mcp, onx, platica, qaqnuz } from "../../../src/dialects/index.ts";
import type { Fault } from "../../../src/index.ts";
import { auth, core } from "../../../src/reasons/index.ts";
import { type GuardOptions, guard } from "../../../src/server/index.ts";

const throwRateLimited = (): never => {
  throw core.rate_limited({}, { retry: { allowed: true, afterMs: 30_000 } });
};
const WHOLE_FAULT = { "recourse/fault": { reason: "core/rate_limited", retry: { allowed: true, afterMs: 30_000 } } };
/** The standard MCP form, for dialects that have no form for a failed resource. */
const STANDARD_ERROR = { error: { code: -32603, data: WHOLE_FAULT } };

interface DialectCase {
  readonly dialect: Dialect<unknown>;
  /** The answer of a tool that hit a rate limit. */
  readonly call: object;
  /** The answer of a resource that hit a rate limit. A resource has no failed result. */
  readonly resource: object;
}

const DIALECT_CASES: readonly DialectCase[] = [
  {
    dialect: mcp as Dialect<unknown>,
    call: { result: { isError: true, _meta: WHOLE_FAULT } },
    resource: STANDARD_ERROR,
  },
  {
    dialect: closient,
    call: { result: { isError: true, error: { code: -32003, data: { error_code: "rate_limited", retry_after: 30 } } } },
    resource: STANDARD_ERROR,
  },
  {
    dialect: onx,
    call: { result: { isError: true, error: { code: 3001, message: "The rate limit is reached.", retryable: true } } },
    resource: { error: { code: -32603, message: "The rate limit is reached." } },
  },
  {
    dialect: erlmcp as Dialect<unknown>,
    call: { error: { code: -32010, message: "Rate limit exceeded", data: { retry_after: 30 } } },
    resource: { error: { code: -32010, message: "Rate limit exceeded", data: { retry_after: 30 } } },
  },
  {
    dialect: qaqnuz,
    call: {
      result: {
        isError: true,
        content: [{ type: "text", text: "The rate limit is reached." }],
        _meta: { "recourse/error_class": "retryable", "recourse/retry_hint": { retry_after_ms: 30_000 } },
      },
    },
    resource: STANDARD_ERROR,
  },
  {
    dialect: platica as Dialect<unknown>,
    call: { result: { isError: true, structuredContent: { code: 429, error: "The rate limit is reached." } } },
    resource: STANDARD_ERROR,
  },
];

/** Connects to a server whose tools and resource fail. `faults` are the faults that it sent, in order. */
async function connect(era: Era, options: GuardOptions): Promise<{ pair: SdkPair; faults: Fault[] }> {
  const faults: Fault[] = [];
  const pair = await openPair(era, (server) => {
    guard(server, { ...options, reportCallerErrors: true, sink: ({ fault }) => faults.push(fault) });
    server.registerTool("limited", { inputSchema: z.object({}) }, throwRateLimited);
    server.registerTool("wants", { inputSchema: z.object({ n: z.number() }) }, () => ({ content: [] }));
    server.registerTool("never", { inputSchema: z.object({}) }, () => new Promise(() => {}));
    server.registerTool("off", { inputSchema: z.object({}), outputSchema: z.object({ n: z.number() }) }, () => ({
      content: [],
    }));
    server.registerResource("r", "res://r", {}, throwRateLimited);
    return server;
  });
  return { pair, faults };
}

/** Sends a request and returns the answer on the wire, whether the client accepts it or not. */
async function messageOf({ take }: SdkPair, asked: Promise<unknown>): Promise<unknown> {
  const error = await asked.then(
    () => undefined,
    (thrown: { readonly data?: { readonly text?: string } }) => thrown,
  );
  return take().message ?? JSON.parse(error?.data?.text ?? "{}");
}

describe.each(DIALECT_CASES)("$dialect.name", ({ dialect, call, resource }) => {
  test.each(ERAS)("reaches the official client: %s", async (era) => {
    const { pair, faults } = await connect(era, { dialect });
    const { client } = pair;
    expect(await messageOf(pair, client.callTool({ name: "limited", arguments: {} }))).toMatchObject(call);
    expect(await messageOf(pair, client.readResource({ uri: "res://r" }))).toMatchObject(resource);
    const unknown = await messageOf(pair, client.request({ method: "nowhere/at_all" }, z.looseObject({})));
    expect(unknown).toMatchObject({ error: { code: -32601 } });
    expect(faults.map((fault) => fault.reason)).toEqual([
      "core/rate_limited",
      "core/rate_limited",
      "protocol/method_not_found",
    ]);
  });

  test.each(ERAS)("a failure of a tool is read as its fault was written: %s", async (era) => {
    const { pair, faults } = await connect(era, { dialect, deadlineMs: 50 });
    for (const tool of ["limited", "wants", "never", "off", "nowhere"]) {
      const message = await messageOf(pair, pair.client.callTool({ name: tool, arguments: {} }));
      const context = { method: "tools/call", tool };
      const [fault] = faults.splice(0);
      expect(fault).toBeDefined();
      expect(dialect.decode(message, context), tool).toEqual(
        dialect.decode(dialect.encode(fault as Fault, context), context),
      );
    }
  });
});

test.each(ERAS)("a dialect that requires a timestamp gets it, even for a fault without one: %s", async (era) => {
  const now = () => Date.UTC(2026, 1, 3);
  const pair = await openPair(era, (server) => {
    guard(server, { dialect: closient, testing: { clock: { now, monotonic: now } } });
    server.registerTool("locked", { inputSchema: z.object({}) }, () => {
      throw auth.unauthorized();
    });
    return server;
  });
  const message = await messageOf(pair, pair.client.callTool({ name: "locked", arguments: {} }));
  expect(message).toMatchObject({ result: { error: { data: { timestamp: "2026-02-03T00:00:00+00:00" } } } });
});

describe("a dialect per request", () => {
  const byMeta: GuardOptions["dialect"] = ({ method, meta }) => {
    const wire = (meta as Record<string, unknown>)["shop/wire"];
    if (wire === "broken") throw new Error("no such wire");
    return (wire === "erlmcp" && method === "tools/call" ? erlmcp : onx) as Dialect<unknown>;
  };

  test.each(ERAS)("answers each caller in its dialect: %s", async (era) => {
    const { pair } = await connect(era, { dialect: byMeta });
    const ask = (wire: string) => {
      const params = { name: "limited", arguments: {}, _meta: { "shop/wire": wire } };
      return messageOf(pair, pair.client.callTool(params));
    };
    expect(await ask("erlmcp")).toMatchObject({ error: { code: -32010 } });
    expect(await ask("onx")).toMatchObject({ result: { isError: true, error: { code: 3001 } } });
    // A function that throws does not prevent the answer.
    expect(await ask("broken")).toMatchObject({ result: { isError: true, _meta: WHOLE_FAULT } });
  });
});

test.each(ERAS)("a dialect that is not JSON-RPC is replaced by the standard form: %s", async (era) => {
  const { pair } = await connect(era, { dialect: http as Dialect<unknown> });
  const message = await messageOf(pair, pair.client.callTool({ name: "limited", arguments: {} }));
  expect(message).toMatchObject({ result: { isError: true, _meta: WHOLE_FAULT } });
});
