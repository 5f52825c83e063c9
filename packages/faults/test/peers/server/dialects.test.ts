// A guarded server can speak any dialect, for all its requests or for some, and what arrives is what the dialect says.
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { closient, type Dialect, erlmcp, http, mcp, onx, platica, qaqnuz } from "../../../src/dialects/index.ts";
import { auth, core, type Fault } from "../../../src/index.ts";
import { type GuardOptions, guard } from "../../../src/server/index.ts";
import { ERAS, type Era, type Pair, pairOf } from "../peers.ts";

const limited = (): never => {
  throw core.rate_limited({}, { retry: { allowed: true, afterMs: 30_000 } });
};
const WHOLE = { "recourse/fault": { reason: "core/rate_limited", retry: { allowed: true, afterMs: 30_000 } } };
/** What a dialect that knows only results of tools leaves to the protocol's own. */
const PLAIN = { error: { code: -32603, data: WHOLE } };

interface Row {
  readonly dialect: Dialect<unknown>;
  /** A tool that hit a limit. */
  readonly call: object;
  /** The same in a resource, where no result can tell of a failure. */
  readonly resource: object;
}

const ROWS: readonly Row[] = [
  { dialect: mcp as Dialect<unknown>, call: { result: { isError: true, _meta: WHOLE } }, resource: PLAIN },
  {
    dialect: closient,
    call: { result: { isError: true, error: { code: -32003, data: { error_code: "rate_limited", retry_after: 30 } } } },
    resource: PLAIN,
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
    resource: PLAIN,
  },
  {
    dialect: platica as Dialect<unknown>,
    call: { result: { isError: true, structuredContent: { code: 429, error: "The rate limit is reached." } } },
    resource: PLAIN,
  },
];

let pair: Pair | undefined;
afterEach(() => pair?.close());

/** Connects to a server with a tool, a resource and a schema that fail; the faults are those that went out, in their order. */
async function connect(era: Era, options: GuardOptions): Promise<{ pair: Pair; faults: Fault[] }> {
  const faults: Fault[] = [];
  pair = await pairOf(era, (server) => {
    guard(server, { ...options, recorded: true, sink: ({ fault }) => faults.push(fault) });
    server.registerTool("limited", { inputSchema: z.object({}) }, limited);
    server.registerTool("wants", { inputSchema: z.object({ n: z.number() }) }, () => ({ content: [] }));
    server.registerTool("never", { inputSchema: z.object({}) }, () => new Promise(() => {}));
    server.registerTool("off", { inputSchema: z.object({}), outputSchema: z.object({ n: z.number() }) }, () => ({
      content: [],
    }));
    server.registerResource("r", "res://r", {}, limited);
    return server;
  });
  return { pair, faults };
}

/** Asks, and gives the answer as it came, whatever the client makes of it. */
async function messageOf({ take }: Pair, asked: Promise<unknown>): Promise<unknown> {
  const error = await asked.then(
    () => undefined,
    (thrown: { readonly data?: { readonly text?: string } }) => thrown,
  );
  return take().message ?? JSON.parse(error?.data?.text ?? "{}");
}

describe.each(ROWS)("$dialect.name", ({ dialect, call, resource }) => {
  test.each(ERAS)("through the official client: %s", async (era) => {
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

  test.each(ERAS)("what arrives of a tool's failure is what survives the dialect: %s", async (era) => {
    const { pair, faults } = await connect(era, { dialect, deadlineMs: 50 });
    for (const tool of ["limited", "wants", "never", "off", "nowhere"]) {
      const message = await messageOf(pair, pair.client.callTool({ name: tool, arguments: {} }));
      const context = { method: "tools/call", tool };
      const [fault] = faults.splice(0);
      expect(fault).toBeDefined();
      expect(dialect.decode(message, context), tool).toEqual(dialect.keeps(fault as Fault, context));
    }
  });
});

test.each(ERAS)(
  "a refused credential has no time of its own, but a system that demands one gets it: %s",
  async (era) => {
    const now = () => Date.UTC(2026, 1, 3);
    pair = await pairOf(era, (server) => {
      guard(server, { dialect: closient, now });
      server.registerTool("locked", { inputSchema: z.object({}) }, () => {
        throw auth.unauthorized();
      });
      return server;
    });
    const message = await messageOf(pair, pair.client.callTool({ name: "locked", arguments: {} }));
    expect(message).toMatchObject({ result: { error: { data: { timestamp: "2026-02-03T00:00:00+00:00" } } } });
  },
);

describe("by request", () => {
  const byMeta: GuardOptions["dialect"] = ({ method, meta }) => {
    const wire = (meta as Record<string, unknown>)["shop/wire"];
    if (wire === "broken") throw new Error("no such wire");
    return (wire === "erlmcp" && method === "tools/call" ? erlmcp : onx) as Dialect<unknown>;
  };

  test.each(ERAS)("each caller is answered in its own: %s", async (era) => {
    const { pair } = await connect(era, { dialect: byMeta });
    const ask = (wire: string) => {
      const params = { name: "limited", arguments: {}, _meta: { "shop/wire": wire } };
      return messageOf(pair, pair.client.callTool(params));
    };
    expect(await ask("erlmcp")).toMatchObject({ error: { code: -32010 } });
    expect(await ask("onx")).toMatchObject({ result: { isError: true, error: { code: 3001 } } });
    // A choice that fails does not take the answer with it.
    expect(await ask("broken")).toMatchObject({ result: { isError: true, _meta: WHOLE } });
  });

  test.each(ERAS)("a request that no handler took has its own too: %s", async (era) => {
    const { pair } = await connect(era, {
      dialect: ({ method }) => (method === "nowhere/at_all" ? erlmcp : mcp) as Dialect<unknown>,
    });
    const asked = pair.client.request({ method: "nowhere/at_all" }, z.looseObject({}));
    const error = { code: -32601, message: "Method not found", data: { method: "nowhere/at_all" } };
    expect(await messageOf(pair, asked)).toMatchObject({ error });
  });
});

test.each(ERAS)("a wire that is none of JSON-RPC's is not answered with: %s", async (era) => {
  const { pair } = await connect(era, { dialect: http as Dialect<unknown> });
  const message = await messageOf(pair, pair.client.callTool({ name: "limited", arguments: {} }));
  expect(message).toMatchObject({ result: { isError: true, _meta: WHOLE } });
});
