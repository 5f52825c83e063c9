// Five servers behind one gateway, each with the errors of another system.
import { createServer } from "node:http";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { type Fault, readFault } from "@recourse/core";
import { type Dialect, qaqnuz } from "@recourse/core/dialects";
import { core } from "@recourse/core/reasons";
import { guard, guardHandler, toNodeListener } from "@recourse/core/server";
import {
  KEYS as CRM_KEYS,
  type TestEnvironment as Crm,
  createTestEnvironment as createCrm,
} from "@recourse/reference-crm/test-environment";
import {
  createTestEnvironment as createGtin,
  type TestEnvironment as Gtin,
} from "@recourse/reference-gtin/test-environment";
import {
  createTestEnvironment as createOrders,
  type TestEnvironment as Orders,
} from "@recourse/reference-orders/test-environment";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { misbehave, type Peer } from "@recourse/testing/peer";
import { z } from "zod";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { sha256Hex } from "../../src/call/binding.ts";
import { DIALECT_NAMES, type DialectName, type KeyConfig } from "../../src/config/types.ts";
import { startGateway } from "../../src/gateway.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { MODERN_META, modernHeaders, post } from "../support/post.ts";

/** The five servers, and a client of the gateway before them. */
export interface FiveSystems {
  readonly gtin: Gtin;
  readonly crm: Crm;
  readonly orders: Orders;
  readonly erlmcp: Peer;
  /** Calls a tool as the caller whose failures are written in a dialect, and returns the JSON-RPC response. */
  call(tool: string, args: object, dialect?: DialectName): Promise<Response>;
  close(): Promise<void>;
}

/** A JSON-RPC response to the call of a tool. */
export interface Response {
  readonly result?: Readonly<Record<string, unknown>> & { readonly _meta?: Readonly<Record<string, unknown>> };
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

/** The fault in a response of MCP's own dialect. */
export function faultIn({ result, error }: Response): Fault {
  const fault = readFault(result?._meta?.["recourse/fault"] ?? error?.data?.["recourse/fault"]);
  if (fault === undefined) throw new Error(`no fault in ${JSON.stringify({ result, error })}`);
  return fault;
}

/** The failures of the server that writes qaqnuz. */
const QAQNUZ_FAILURES: Readonly<Record<string, () => Error>> = {
  not_found: () => core.not_found({ what: "dataset 9" }),
  rate_limited: () => core.rate_limited({}, { retry: { allowed: true, afterMs: 2_000 } }),
  unavailable: () => core.unavailable(),
  internal: () => core.internal(),
};

async function startQaqnuz() {
  const dialect = qaqnuz as unknown as Dialect<unknown>;
  const sink = () => {};
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "qaqnuz", version: "1.0.0" });
    server.registerTool("query", { inputSchema: z.object({ fail: z.string() }) }, ({ fail }) => {
      throw QAQNUZ_FAILURES[fail]?.() ?? new Error("unknown");
    });
    return guard(server, { dialect, sink });
  });
  return listenOnLoopback(createServer(toNodeListener(guardHandler(handler, { dialect, sink }))));
}

/** Starts everything. */
export async function startFiveSystems(): Promise<FiveSystems> {
  const [gtin, crm, orders, erlmcp, analytics] = await Promise.all([
    createGtin(),
    createCrm(),
    createOrders(),
    misbehave({ dialect: "erlmcp" }),
    startQaqnuz(),
  ]);
  const callers = Object.fromEntries(DIALECT_NAMES.map((name) => [name, createApiKey().key])) as Record<
    DialectName,
    string
  >;
  const keys = DIALECT_NAMES.map((name): KeyConfig => {
    const shared = { tenant: "acme", tools: ["*"], scopes: [], entitlements: [] };
    return { id: name, sha256: sha256Hex(callers[name]), dialect: name, ...shared };
  });
  const gateway = await startGateway(
    testConfig({
      authentication: "required",
      keys,
      drainMs: 0,
      upstreams: [
        httpUpstream(new URL("/mcp", gtin.url), { name: "gtin", prefix: "gtin__", era: "auto" }),
        httpUpstream(new URL("/mcp", crm.mcp), {
          name: "crm",
          prefix: "crm__",
          era: "auto",
          credential: { kind: "bearer", token: CRM_KEYS.north },
        }),
        httpUpstream(new URL("/postgres", orders.server.url), { name: "orders", prefix: "orders__", era: "auto" }),
        httpUpstream(erlmcp.url, { name: "erlang", prefix: "erlang__", era: "auto", dialect: "erlmcp" }),
        httpUpstream(analytics.url, { name: "analytics", prefix: "analytics__", era: "auto" }),
      ],
    }),
    { sink: () => {} },
  );
  return {
    gtin,
    crm,
    orders,
    erlmcp,
    async call(tool, args, dialect = "mcp") {
      const params = `{"name":"${tool}","arguments":${JSON.stringify(args)},"_meta":{${MODERN_META}}}`;
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
      const headers = { ...modernHeaders("tools/call", tool), authorization: `Bearer ${callers[dialect]}` };
      return (await post(gateway.url, body, headers)).json() as Response;
    },
    async close() {
      await gateway.close();
      await Promise.all([gtin, crm, orders, erlmcp, analytics].map((one) => one.close()));
    },
  };
}
