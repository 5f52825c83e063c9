import {
  Client,
  ProtocolError,
  ResourceNotFoundError,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as OldMemory } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as OldServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { toSentFault } from "../../fault/amend.ts";
import type * as faults from "../../index.ts";
import { core, elicitation, protocol, resource } from "../../reasons/index.ts";
import { render } from "../../render/render.ts";
import { FIXED_STATUS, LATEST_REVISION, LEGAL_CODES, REVISIONS, type Revision } from "../../wire/revisions.ts";
import { type McpContext, type McpWire, mcp } from "./dialect.ts";

type Sent = Extract<McpWire, { error: unknown }>;
type Failed = Extract<McpWire, { result: unknown }>;
const errorOf = (fault: faults.Fault, context: McpContext) => (mcp.encode(fault, context) as Sent).error;
const resultOf = (fault: faults.Fault, context: McpContext) => (mcp.encode(fault, context) as Failed).result;

describe("codes", () => {
  it("are those of the revisions", () => {
    expect(LEGAL_CODES).toEqual({
      "2025-06-18": [-32700, -32600, -32601, -32602, -32603, -32002],
      "2025-11-25": [-32700, -32600, -32601, -32602, -32603, -32002, -32042],
      "2026-07-28": [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022],
    });
    expect(LATEST_REVISION).toBe("2026-07-28");
  });

  it("have status 200 unless the revision requires another", () => {
    const status = (fault: faults.Fault, revision: Revision) =>
      (mcp.encode(fault, { revision, method: "x" }) as Sent).status;
    expect(status(protocol.method_not_found.fault(), "2026-07-28")).toBe(404);
    expect(status(protocol.header_mismatch.fault(), "2026-07-28")).toBe(400);
    expect(status(protocol.missing_client_capability.fault(), "2026-07-28")).toBe(400);
    expect(status(protocol.version_unsupported.fault(), "2026-07-28")).toBe(400);
    expect(status(protocol.invalid_params.fault(), "2026-07-28")).toBeUndefined();
    expect(status(protocol.method_not_found.fault(), "2025-11-25")).toBeUndefined();
    expect(FIXED_STATUS["2025-06-18"]).toEqual({});
  });
});

describe("a failed result", () => {
  const fault = core.rate_limited.fault({ limit: 5 }, { retry: { allowed: true, afterMs: 100 } });

  it("carries the fault beside the text for the model", () => {
    const result = resultOf(fault, { revision: "2025-06-18", method: "tools/call" });
    expect(result).toEqual({
      content: [{ type: "text", text: render(fault, { for: "model" }) }],
      isError: true,
      _meta: {
        "recourse/fault": {
          v: 1,
          kind: "rate_limited",
          class: "retryable",
          reason: "core/rate_limited",
          message: "The rate limit of 5 is reached.",
          params: { limit: 5 },
          effect: "none",
          retry: { allowed: true, afterMs: 100 },
          origin: { layer: "server" },
          basis: "stated",
        },
      },
    });
    expect(mcp.decode({ result })).toEqual(fault);
  });

  it("has resultType complete where the revision requires it", () => {
    expect(resultOf(fault, { revision: "2026-07-28" })["resultType"]).toBe("complete");
    expect(resultOf(fault, { revision: "2025-11-25" })).not.toHaveProperty("resultType");
  });

  it.each([true, false, undefined])("has the fault once, whether the tool has an output schema: %s", (outputSchema) => {
    expect(Object.keys(resultOf(fault, { outputSchema }))).toEqual(["resultType", "content", "isError", "_meta"]);
  });

  it("is read from structured content, where an older server wrote it too", () => {
    expect(mcp.decode({ isError: true, structuredContent: { fault } })).toEqual(fault);
  });

  it("is read by its text when it contains no fault", () => {
    const result = { content: [{ type: "image" }, { type: "text", text: "It broke" }], isError: true };
    expect(mcp.decode({ result })).toMatchObject({
      reason: "tool/failed",
      quote: { text: "It broke", from: "peer" },
      basis: "mapped",
      recourse: [{ do: "refresh" }, { do: "stop" }],
    });
    expect(mcp.decode({ result: { isError: true } })?.quote).toBeUndefined();
  });

  it("is a result even with a code or an error object in it", () => {
    const bare = { content: [], isError: true, code: -32601, error: { code: -32601, message: "x" } };
    expect(mcp.decode(bare)?.reason).toBe("tool/failed");
    expect(mcp.decode({ result: bare })).toEqual(mcp.decode(bare));
  });
});

describe("a missing resource", () => {
  const fault = resource.not_found.fault({ uri: "res://none" });

  it.each(REVISIONS)("has data of exactly its URI on %s", (revision) => {
    const error = errorOf(fault, { revision, method: "resources/read" });
    expect(error.data).toEqual({ uri: "res://none" });
    expect(mcp.decode({ error })).toMatchObject({ reason: "resource/not_found", params: { uri: "res://none" } });
    const known = ProtocolError.fromError(error.code, error.message, error.data);
    expect(ResourceNotFoundError.isInstance(known)).toBe(true);
  });

  it("carries the fault where the URI alone would claim more than is known", () => {
    for (const doubtful of [
      resource.not_found.fault(),
      resource.not_found.fault({ uri: "res://none" }, { effect: "possible" }),
      resource.not_found.fault({ uri: "res://none" }, { basis: "guessed" }),
    ]) {
      const error = errorOf(doubtful, { method: "resources/read" });
      expect(error.data).toEqual({ "recourse/fault": toSentFault(doubtful) });
      expect(mcp.decode({ error })).toEqual(doubtful);
    }
  });
});

describe("data that MCP requires", () => {
  it("names the missing capabilities, nested ones too", () => {
    const capabilities = ["sampling", "elicitation/form", "elicitation/url", "extensions/io.example/tasks"];
    const error = errorOf(protocol.missing_client_capability.fault({ capabilities }), { revision: "2026-07-28" });
    expect(error.data["requiredCapabilities"]).toEqual({
      sampling: {},
      elicitation: { form: {}, url: {} },
      extensions: { "io.example/tasks": {} },
    });
    const { requiredCapabilities } = error.data;
    expect(mcp.decode({ error: { ...error, data: { requiredCapabilities } } })?.params).toEqual({ capabilities });
  });

  it("names the versions", () => {
    const fault = protocol.version_unsupported.fault({ requested: "1900-01-01", supported: ["2026-07-28"] });
    const { code, data } = errorOf(fault, { revision: "2026-07-28" });
    expect(data).toMatchObject({ supported: ["2026-07-28"], requested: "1900-01-01" });
    const { supported, requested } = data;
    expect(mcp.decode({ error: { code, data: { supported, requested } } })?.params).toEqual(fault.params);
    expect(errorOf(protocol.version_unsupported.fault(), { revision: "2026-07-28" }).data).toMatchObject({
      supported: [],
      requested: "",
    });
  });

  it("names the link to open", () => {
    const recourse = [{ do: "ask_user", approval: "e1", link: "https://example.com/sign" }] as const;
    const fault = elicitation.url_required.fault({}, { recourse });
    const { code, data } = errorOf(fault, { revision: "2025-11-25" });
    const { elicitations } = data;
    expect(elicitations).toEqual([{ mode: "url", elicitationId: "e1", url: recourse[0].link, message: fault.message }]);
    expect(mcp.decode({ error: { code, data: { elicitations } } })?.recourse).toEqual(recourse);
    expect(errorOf(elicitation.url_required.fault(), { revision: "2025-11-25" }).data["elicitations"]).toEqual([]);
  });

  it("may have names of Object.prototype", () => {
    const fault = protocol.missing_client_capability.fault({ capabilities: ["constructor/x", "toString"] });
    const { requiredCapabilities } = errorOf(fault, { revision: "2026-07-28" }).data;
    expect(requiredCapabilities).toEqual({ constructor: { x: {} }, toString: {} });
  });
});

describe("through the official SDK", () => {
  const fault = core.rate_limited.fault({ limit: 5 }, { retry: { allowed: true, afterMs: 100 } });
  const info = { name: "demo", version: "1" };
  const failing = () => resultOf(fault, { revision: "2025-11-25", method: "tools/call" }) as never;

  it("a fault survives version 1", async () => {
    const server = new OldServer(info);
    server.registerTool("busy", {}, failing);
    const [near, far] = OldMemory.createLinkedPair();
    const client = new OldClient(info);
    await server.connect(far);
    await client.connect(near);
    expect(mcp.decode(await client.callTool({ name: "busy", arguments: {} }))).toEqual(fault);
    await client.close();
  });

  it.each(["legacy", "2026-07-28"])("a fault survives version 2 over HTTP: %s", async (mode) => {
    const handler = createMcpHandler(() => {
      const server = new McpServer(info);
      server.registerTool("busy", {}, () => resultOf(fault, { revision: "2026-07-28", method: "tools/call" }) as never);
      return server;
    });
    const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    });
    const client = new Client(info, mode === "legacy" ? {} : { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(transport);
    expect(mcp.decode(await client.callTool({ name: "busy", arguments: {} }))).toEqual(fault);
    await client.close();
    await handler.close();
  });
});
