import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { call, guarded, incidents, META, post } from "../../../test/peers/server/guarded-handler.ts";
import { closient, type Dialect, erlmcp, http, mcp, onx, platica, qaqnuz } from "../../dialects/index.ts";
import { template_not_found } from "../../reasons/library/resource.ts";
import { guard } from "../guard.ts";
import { guardHandler } from "./guard-handler.ts";
import type { HandlerOptions } from "./options.ts";

interface Answer {
  readonly id?: unknown;
  readonly error?: { readonly code: number; readonly message?: string; readonly data?: unknown };
}

const refuse = { auth: { authenticate: () => ({ ok: false }) } } as const;
const broken = new Request("http://127.0.0.1/mcp", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: "{",
});
const unknownVersion = { ...META, "io.modelcontextprotocol/protocolVersion": "2020-01-01" };

/** A refusal at the edge, and what each dialect answers. */
interface Situation {
  readonly about: string;
  readonly status: number;
  readonly options?: HandlerOptions;
  readonly request: () => Request;
  /** In the dialects mcp, onX, erlmcp and Platica. */
  readonly codes: readonly [number, number, number, number];
}

const SITUATIONS: readonly Situation[] = [
  {
    about: "refused credentials",
    status: 401,
    options: refuse,
    request: () => post(),
    codes: [-32603, -32603, -32051, -32001],
  },
  {
    about: "another method than POST",
    status: 405,
    request: () => new Request("http://127.0.0.1/mcp", { method: "PUT" }),
    codes: [-32603, -32600, -32601, -32000],
  },
  {
    about: "another content type",
    status: 415,
    request: () => post(call(), { "content-type": "application/xml" }),
    codes: [-32602, -32602, -32013, -32602],
  },
  {
    about: "too many bytes",
    status: 413,
    options: { body: { maxBytes: 10 } },
    request: () => post(),
    codes: [-32602, -32600, -32012, -32602],
  },
  { about: "broken JSON", status: 400, request: () => broken.clone(), codes: [-32700, -32700, -32700, -32602] },
  {
    about: "missing scopes",
    status: 403,
    options: { auth: { authorize: () => ({ ok: false, challenge: { scopes: ["x"] }, auth: {} }) } },
    request: () => post(),
    codes: [-32603, -32603, -32052, -32603],
  },
  {
    about: "an unknown method",
    status: 404,
    request: () =>
      post(
        { jsonrpc: "2.0", id: 1, method: "nowhere/at_all", params: { _meta: META } },
        { "mcp-method": "nowhere/at_all" },
      ),
    codes: [-32601, -32601, -32601, -32601],
  },
  {
    about: "an unknown version",
    status: 400,
    request: () =>
      post(
        { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: unknownVersion } },
        { "mcp-protocol-version": "2020-01-01", "mcp-method": "tools/list" },
      ),
    codes: [-32022, -32022, -32061, -32022],
  },
  {
    about: "an unknown version in the header alone",
    status: 400,
    request: () => post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { "mcp-protocol-version": "2020-01-01" }),
    // As revisions before 2026-07-28 have it.
    codes: [-32602, -32602, -32061, -32602],
  },
  {
    about: "a header that differs from the message",
    status: 400,
    request: () => post(call(), { "mcp-method": "tools/list" }),
    codes: [-32020, -32020, -32020, -32020],
  },
];

const WITH_ERRORS = [mcp, onx, erlmcp, platica] as unknown as readonly Dialect<unknown>[];

describe.each(SITUATIONS)("$about", ({ about, status, options, request, codes }) => {
  test.each(WITH_ERRORS.map((dialect, at) => ({ dialect, code: codes[at] })))(
    "is an error of $dialect.name",
    async ({ dialect, code }) => {
      const response = await guarded({ ...options, dialect }).fetch(request());
      const { error } = (await response.json()) as Answer;
      expect([response.status, error?.code]).toEqual([status, code]);
    },
  );

  test.each([closient, qaqnuz, http] as Dialect<unknown>[])(
    "is an error of MCP where $name has only results",
    async (dialect) => {
      const response = await guarded({ ...options, dialect }).fetch(request());
      const answer = (await response.json()) as Answer;
      if (about === "too many bytes" && dialect === qaqnuz) {
        // In this dialect every call of a tool has an answer.
        expect([response.status, answer.id]).toEqual([200, 7]);
        expect(qaqnuz.decode(answer)).toMatchObject({ class: "validation" });
        return;
      }
      expect([response.status, answer.error?.code]).toEqual([status, codes[0]]);
      expect(answer).not.toHaveProperty("result");
    },
  );
});

test.each(WITH_ERRORS)("refused credentials are one constant answer in $name", async (dialect) => {
  const now = () => 1_000_000_000_000 + Math.random() * 1e9;
  const bytes = await Promise.all(
    [{ authorization: "Bearer a" }, { authorization: "Basic b" }].map(async (headers) => {
      const handler = guarded({
        ...refuse,
        dialect,
        testing: { clock: { now, monotonic: now } },
      });
      return (await handler.fetch(post(call(), headers))).text();
    }),
  );
  expect(new Set(bytes).size).toBe(1);
});

describe("a dialect that is chosen by request", () => {
  const choose: HandlerOptions["dialect"] = ({ method }) =>
    (method === "edge" ? erlmcp : mcp) as unknown as Dialect<unknown>;

  it("sees the method once it is known", async () => {
    const refused = await guarded({ ...refuse, dialect: choose }).fetch(post());
    expect(await refused.json()).toMatchObject({ error: { code: -32051 } });
    const known = await guarded({ dialect: choose, auth: { authorize: () => ({ ok: false }) } }).fetch(post());
    expect(await known.json()).toMatchObject({ error: { code: -32603 } });
  });

  it("does not prevent the answer when it cannot rank a code", async () => {
    const errorSeverity = () => {
      throw new Error("no such code");
    };
    const handler = guarded({
      dialect: { ...erlmcp, errorSeverity },
      body: { maxBytes: 10 },
      reportCallerErrors: true,
    });
    incidents.length = 0;
    expect(await (await handler.fetch(post())).json()).toMatchObject({ error: { code: -32012 } });
    expect(incidents).toMatchObject([{ code: -32012, isError: false, severity: "info" }]);
  });

  it("does not prevent the answer when it throws", async () => {
    const dialect = () => {
      throw new Error("no such dialect");
    };
    const response = await guarded({ ...refuse, dialect }).fetch(post());
    expect([response.status, await response.json()]).toMatchObject([401, { error: { code: -32603 } }]);
  });
});

it("writes what a handler answers in the dialect too, without its text", async () => {
  const init = { status: 503, headers: { "retry-after": "30" } };
  const inner = (_: Request) => new Response("<html>db-7.internal is down</html>", init);
  const response = await guardHandler(inner, { dialect: erlmcp, sink: () => {} })(post());
  expect(response.headers.get("retry-after")).toBe("30");
  const { error } = (await response.json()) as Answer;
  expect(error).toMatchObject({ code: -32008, data: { retry_after: 30 } });
  expect(JSON.stringify(error)).not.toContain("db-7");
});

it("names the version of a header, and those that are served", async () => {
  const request = post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { "mcp-protocol-version": "2020-01-01" });
  expect(await (await guarded({ dialect: erlmcp }).fetch(request)).json()).toEqual({
    jsonrpc: "2.0",
    id: 1,
    error: {
      code: -32061,
      message: "Unsupported protocol version",
      data: {
        requested_version: "2020-01-01",
        supported_versions: expect.arrayContaining(["2025-11-25", "2025-06-18"]) as string[],
      },
    },
  });
});

it("takes no code of a dialect for one of MCP", async () => {
  const handler = guardHandler(
    createMcpHandler(() => {
      const server = guard(new McpServer({ name: "s", version: "1" }), { dialect: erlmcp });
      // -32021 is a missing capability of the client for MCP, and the SDK answers it with status 400.
      server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, () => {
        throw template_not_found({ uriTemplate: "logs://{date}" });
      });
      return server;
    }),
    { dialect: erlmcp },
  );
  const response = await handler.fetch(post());
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { id: 7, error: { code: -32021, message: "Resource template not found", data: { uri_template: "logs://{date}" } } },
  ]);
});
