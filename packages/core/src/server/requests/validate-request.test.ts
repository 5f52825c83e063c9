import { createMcpHandler, inputRequired, McpServer, type ServerOptions } from "@modelcontextprotocol/server";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { META, post } from "../../../test/peers/server/guarded-handler.ts";
import { closient, type Dialect, erlmcp, mcp, onx, platica, qaqnuz } from "../../dialects/index.ts";
import type { Incident } from "../../incidents/incident.ts";
import { guard } from "../guard.ts";
import { guardHandler } from "../http/guard-handler.ts";
import type { GuardOptions } from "../options.ts";
import { encodingFault } from "./validate-request.ts";

describe("validate request", () => {
  // What the SDK itself refuses around a handler, in the form that the protocol demands of it.

  const SECRET = "hunter2";

  function build(): McpServer {
    const options: ServerOptions = {
      requestState: {
        verify: () => {
          throw new Error(SECRET);
        },
      },
    };
    const server = guard(new McpServer({ name: "s", version: "1" }, options), { sink: () => {} });
    const messages = [{ role: "user" as const, content: { type: "text" as const, text: "hi" } }];
    server.registerTool("samples", {}, () =>
      inputRequired({ inputRequests: { answer: inputRequired.createMessage({ messages, maxTokens: 1 }) } }),
    );
    server.registerPrompt("demands", {}, () => {
      const data = { requiredCapabilities: { [SECRET]: {}, sampling: { [SECRET]: {} }, elicitation: { url: {} } } };
      throw Object.assign(new Error(SECRET), { name: "ProtocolError", code: -32021, data });
    });
    server.registerResource("there", "res://there", {}, () => ({ contents: [] }));
    return server;
  }

  interface Answer {
    readonly status: number;
    readonly error: { readonly code: number; readonly data: Readonly<Record<string, unknown>> };
  }

  async function ask(method: string, params: Readonly<Record<string, unknown>>): Promise<Answer> {
    const name = String(params["name"] ?? params["uri"]);
    const _meta = { ...META, "io.modelcontextprotocol/clientCapabilities": {} };
    const message = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } };
    const request = post(message, { "mcp-method": method, "mcp-name": name });
    const response = await createMcpHandler(build).fetch(request);
    const text = await response.text();
    expect(text).not.toContain(SECRET);
    return { status: response.status, ...(JSON.parse(text) as Omit<Answer, "status">) };
  }

  const reasonOf = ({ error }: Answer) => (error.data["recourse/fault"] as { readonly reason: string }).reason;

  it("names the capability that a client has to declare", async () => {
    const answer = await ask("tools/call", { name: "samples", arguments: {} });
    expect([answer.status, answer.error.code]).toEqual([400, -32021]);
    expect(answer.error.data["requiredCapabilities"]).toEqual({ sampling: {} });
    expect(reasonOf(answer)).toBe("protocol/missing_client_capability");
  });

  it("names no capability that the protocol does not know", async () => {
    const answer = await ask("prompts/get", { name: "demands" });
    expect(answer.error.code).toBe(-32021);
    expect(answer.error.data["requiredCapabilities"]).toEqual({ sampling: {}, elicitation: { url: {} } });
  });

  it.each([
    ["tools/call", { name: "samples", arguments: {} }],
    ["prompts/get", { name: "demands" }],
    ["resources/read", { uri: "res://there" }],
  ])("refuses a state that is not its own as an error of the protocol: %s", async (method, params) => {
    const answer = await ask(method, { ...params, requestState: "forged", inputResponses: {} });
    expect(answer.error.code).toBe(-32602);
    expect(reasonOf(answer)).toBe("protocol/request_state_invalid");
  });

  it("names the resource that is not there, in the form that clients know it by", async () => {
    const answer = await ask("resources/read", { uri: "res://gone" });
    expect(answer.error.code).toBe(-32602);
    expect(answer.error.data).toEqual({ uri: "res://gone" });
  });

  const bytes = (...parts: readonly (string | number)[]) =>
    new Uint8Array(
      Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part)))),
    );

  test.each([
    ["the first byte", bytes(0xff), 0],
    ["after letters of one and more bytes", bytes("aé€😀", 0xff, "b"), 10],
    ["after a byte order mark", bytes("\ufeffa", 0xc3, "("), 4],
    ["a sequence that is cut off", bytes("ab", 0xe2, 0x82), 2],
    ["after a replacement character that was sent", bytes("x\ufffd\ufffd", 0x80), 7],
    ["no wrong byte", bytes("a\ufffd"), undefined],
  ])("%s", (_about, content, position) => {
    expect(encodingFault(content).params).toEqual({ encoding: "utf-8", ...(position !== undefined && { position }) });
  });
});

describe("wrong params", () => {
  const CLIENT = { name: "c", version: "1" };
  const INIT = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: CLIENT };

  /** Parameters that any stranger can send, and what is said about them. */
  const WRONG: readonly (readonly [about: string, method: string, params: unknown, details: string])[] = [
    ["no name of a tool", "tools/call", {}, "name is required (the name of a tool)"],
    ["a name that is a number", "tools/call", { name: 5 }, "name must be the name of a tool"],
    ["arguments in a list", "tools/call", { name: "echo", arguments: [1] }, "arguments must be an object"],
    ["nothing to initialize with", "initialize", {}, "protocolVersion is required (a string)"],
    ["a version that is a number", "initialize", { ...INIT, protocolVersion: 5 }, "protocolVersion must be a string"],
    ["no capabilities", "initialize", { ...INIT, capabilities: undefined }, "capabilities is required (an object)"],
    [
      "a capability that is none",
      "initialize",
      { ...INIT, capabilities: { sampling: 5 } },
      "capabilities.sampling has the wrong type",
    ],
    ["no client", "initialize", { ...INIT, clientInfo: undefined }, "clientInfo is required (an object with name and"],
    [
      "a client without a name",
      "initialize",
      { ...INIT, clientInfo: {} },
      "clientInfo must be an object with name and",
    ],
    ["an unknown level", "logging/setLevel", { level: "zzz" }, "level must be one of debug, info, notice"],
    ["no level", "logging/setLevel", {}, "level is required (one of debug, info, notice"],
  ];

  async function ask(method: string, params: unknown, options: GuardOptions) {
    const handler = guardHandler(
      createMcpHandler(() => {
        const server = guard(new McpServer({ name: "s", version: "1" }, { capabilities: { logging: {} } }), options);
        server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, () => ({ content: [] }));
        return server;
      }),
      options,
    );
    const version = method === "initialize" ? {} : { "mcp-protocol-version": "2025-06-18" };
    const request = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...version },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const text = await (await handler.fetch(request)).text();
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as {
      readonly error?: unknown;
      readonly result?: unknown;
    };
  }

  describe.each(WRONG)("%s", (_about, method, params, details) => {
    test("is said in erlmcp as wrong parameters", async () => {
      const incidents: Incident[] = [];
      const answer = await ask(method, params, { dialect: erlmcp, sink: (incident) => incidents.push(incident) });
      expect(answer.error).toEqual({
        code: -32602,
        message: "Invalid params",
        data: { details: expect.stringContaining(details) as string },
      });
      expect(incidents).toEqual([]);
    });

    test.each([mcp, onx, platica, closient, qaqnuz] as Dialect<unknown>[])(
      "is no internal error and no incident in $name",
      async (dialect) => {
        const incidents: Incident[] = [];
        const answer = await ask(method, params, { dialect, sink: (incident) => incidents.push(incident) });
        expect(incidents).toEqual([]);
        expect(JSON.stringify(answer)).not.toContain("-32603");
        if (dialect.name === "mcp") expect(answer.error).toMatchObject({ code: -32602 });
      },
    );
  });

  test("an operator who wants to know of callers' mistakes is not alarmed by them", async () => {
    const incidents: Incident[] = [];
    const options = { dialect: erlmcp, reportCallerErrors: true, sink: (one: Incident) => incidents.push(one) };
    await ask("tools/call", {}, options);
    await ask("initialize", {}, options);
    expect(incidents.map(({ code, severity }) => [code, severity])).toEqual([
      [-32602, "error"],
      [-32602, "error"],
    ]);
  });
});
