// What clients of both SDKs read when handlers of a guarded server throw errors that are, or are not, for callers.
import Boom from "@hapi/boom";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { ProtocolError } from "@modelcontextprotocol/server";
import { openPair } from "@recourse/test-kit/fixtures";
import { type AnyServer, ERAS, type Era, sdkVersion } from "@recourse/test-kit/sdk-pairs";
import { TRPCError } from "@trpc/server";
import { HTTPException } from "hono/http-exception";
import createError from "http-errors";
import { describe, expect, test } from "vitest";
import type { Fault } from "../../../src/fault/fault.ts";
import { type ForeignText, guard, type Incident } from "../../../src/server/index.ts";

const S = "Order id must be positive";
const PRIVATE = "connect to db_private failed";

const protocolError = (era: Era, code: number, text: string) =>
  sdkVersion(era) === "v1" ? new McpError(code, text) : new ProtocolError(code, text);

/** Thrown values by the name of their tool. */
const THROWN: Readonly<
  Record<
    string,
    { readonly error: (era: Era) => unknown; readonly kind: string; readonly shown: boolean; readonly told?: number }
  >
> = {
  params: { error: (era) => protocolError(era, ErrorCode.InvalidParams, S), kind: "invalid_input", shown: true },
  http: { error: () => createError(404, S), kind: "not_found", shown: true },
  hono: { error: () => new HTTPException(409, { message: S }), kind: "conflict", shown: true },
  trpc: { error: () => new TRPCError({ code: "FORBIDDEN", message: S }), kind: "forbidden", shown: true },
  boom: { error: () => Boom.badRequest(S), kind: "invalid_input", shown: true },
  internal: { error: (era) => protocolError(era, ErrorCode.InternalError, S), kind: "internal", shown: true, told: 1 },
  status: { error: () => Object.assign(new Error(PRIVATE), { status: 404 }), kind: "not_found", shown: false },
  engine: { error: () => new TypeError(PRIVATE), kind: "internal", shown: false },
  plain: { error: () => new Error(S), kind: "unknown", shown: true, told: 1 },
};

function throwing(era: Era, incidents: Incident[], foreignText?: ForeignText): (server: AnyServer) => AnyServer {
  return (server) => {
    for (const [name, { error }] of Object.entries(THROWN)) {
      server.registerTool(name, {}, () => {
        throw error(era);
      });
    }
    const refuse = () => {
      throw protocolError(era, ErrorCode.InvalidParams, S);
    };
    server.registerResource("order", "order://0", {}, refuse as never);
    server.registerPrompt("order", {}, refuse as never);
    return guard(server, { sink: (incident) => incidents.push(incident), ...(foreignText && { foreignText }) });
  };
}

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly _meta: Readonly<Record<string, Fault>>;
}

describe.each(ERAS)("%s", (era) => {
  test("the message of a library about a reply without a body is filtered where it is quoted", async () => {
    const pair = await openPair(era, (server) => {
      server.registerTool("order", {}, () => {
        const text = "The order service refused the order of today, since password=hunter2secret is old.";
        throw Object.assign(new Error(text), { status: 409 });
      });
      return guard(server, { sink: () => {}, foreignText: "quote" });
    });
    const answer = JSON.stringify(await pair.client.callTool({ name: "order" }));
    expect(answer).toContain("since password=[removed]");
    expect(answer).not.toContain("hunter2secret");
  });

  test.each(Object.keys(THROWN))("the tool %s", async (tool) => {
    const incidents: Incident[] = [];
    const pair = await openPair(era, throwing(era, incidents));
    const { kind, shown, told = shown ? 0 : 1 } = THROWN[tool] as (typeof THROWN)[string];
    const { content, _meta } = (await pair.client.callTool({ name: tool })) as ToolResult;
    expect(_meta["recourse/fault"]?.kind).toBe(kind);
    expect(content[0]?.text.includes(S)).toBe(shown);
    expect(JSON.stringify({ content, _meta })).not.toMatch(/private|MCP error/);
    // A mistake of the caller that the caller reads about is no incident. What the author threw goes to the log.
    expect(incidents).toHaveLength(told);
  });
});
