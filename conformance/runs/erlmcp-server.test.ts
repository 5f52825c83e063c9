// A server of the official SDK that is guarded in erlmcp's dialect, over HTTP: what it answers, as bytes on the wire.
import { readFileSync } from "node:fs";
import { erlmcp } from "@recourse/core/dialects";
import { loggerSink } from "@recourse/core/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXAMPLES } from "./erlmcp-examples.ts";
import { documented, META, startErlmcpPeer } from "./erlmcp-peer.ts";

type Peer = Awaited<ReturnType<typeof startErlmcpPeer>>;
let peer: Peer;
beforeAll(async () => {
  peer = await startErlmcpPeer();
});
afterAll(() => peer.close());

describe("every code of the document leaves the server as its example shows it", () => {
  test.each(EXAMPLES)("$error.code from a resource", async ({ error }) => {
    const { message } = await peer.ask("resources/read", { uri: `mcp://fails/${error.code}` });
    expect(documented({ message } as never)).toEqual(error);
  });

  test.each(EXAMPLES.filter(({ error }) => error.code !== -32603))("$error.code from a tool", async ({ error }) => {
    const answer = await peer.ask("tools/call", { name: "fails", arguments: { code: String(error.code) } });
    expect(documented(answer)).toEqual(error);
    expect(answer.message).not.toHaveProperty("result");
  });

  test("there is an example of each code but 1095, which is only read", () => {
    expect(EXAMPLES).toHaveLength(55);
    expect(erlmcp.decode({ error: { code: 1095, message: "Task not found" } })?.reason).toBe("task/not_found");
  });
});

test("an answer has version, id of the request, and an error with integer code, message and data", async () => {
  const { message } = await peer.ask("tools/call", { name: "nonexistent_tool", arguments: {} }, "request-7");
  expect(message).toEqual({
    jsonrpc: "2.0",
    id: "request-7",
    error: { code: -32002, message: "Tool not found", data: { tool: "nonexistent_tool" } },
  });
});

describe("what goes wrong before a handler", () => {
  const request = (message: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });

  test.each([
    ["wrong syntax", "{oops}"],
    ["a message that is cut off", '{"jsonrpc":"2.0","id":1,"method":'],
  ])("%s is a parse error", async (_about, body) => {
    const { status, message } = await peer.send(body);
    const data = "The message is not valid JSON.";
    expect([status, message.error]).toEqual([400, { code: -32700, message: "Parse error", data }]);
  });

  test("bytes that are not UTF-8 are named with their place", async () => {
    const bytes = Buffer.from(request({ method: "tools/list", params: { a: `${"x".repeat(1_000)}?` } }));
    const position = bytes.indexOf("?");
    bytes[position] = 0xff;
    const { message } = await peer.send(bytes);
    const data = { encoding: "utf-8", position };
    expect(message.error).toEqual({ code: -32015, message: "Invalid encoding", data });
  });

  test.each([
    ["no method", '{"jsonrpc":"2.0","id":1}', 1, "method is required (a string)"],
    ["no version", '{"id":1,"method":"tools/list"}', 1, 'jsonrpc is required ("2.0")'],
    ["another version", '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', 1, 'jsonrpc must be "2.0"'],
    ["a method that is not a string", request({ method: 7 }), 1, "method must be a string"],
    ["parameters in a list", request({ method: "ping", params: [] }), 1, "params must be an object"],
    ["an id that is null", request({ id: null, method: "ping" }), undefined, "id must be a string or an integer"],
    ["a text", '"x"', undefined, "The message is not a valid request."],
    [
      "a batch with an invalid item",
      `[${request({ method: "ping" })},7]`,
      undefined,
      "The message is not a valid request.",
    ],
  ])("%s is an invalid request", async (_about, body, id, data) => {
    const { status, message } = await peer.send(body);
    expect([status, message.error]).toEqual([400, { code: -32600, message: "Invalid Request", data }]);
    expect(message.id).toBe(id);
  });

  test("another content type is named", async () => {
    const { status, message } = await peer.send("<a/>", { "content-type": "application/xml" });
    const data = { content_type: "application/xml" };
    expect([status, message.error]).toEqual([415, { code: -32013, message: "Invalid content type", data }]);
  });

  test("a message above 16 MiB is refused, and one just below is not", async () => {
    const { maxMessageBytes } = erlmcp.defaults;
    const body = request({ method: "ping", params: { pad: "" } });
    const pad = (size: number) => body.replace('"pad":""', `"pad":"${"x".repeat(size - body.length)}"`);
    const large = await peer.send(pad(maxMessageBytes + 1));
    expect([large.status, large.message.error]).toEqual([
      413,
      {
        code: -32012,
        message: "Message size exceeds maximum allowed",
        data: { actual_size: maxMessageBytes + 1, max_size: 16_777_216, unit: "bytes" },
      },
    ]);
    expect((await peer.send(pad(maxMessageBytes))).message.error?.code).not.toBe(-32012);
  });

  test("the snippet of the dialect's page takes messages of 16 MiB", async () => {
    const page = readFileSync(new URL("../../docs/dialects/erlmcp.md", import.meta.url), "utf8");
    const edge = /guardHandler\(createMcpHandler\(createServer\), \{ \.\.\.options(?:, (.*))? \}\);/.exec(page)?.[1];
    expect(edge).toBe("body: { passParsed: true }");
    const plain = await startErlmcpPeer({ edge: { body: { passParsed: false } } });
    const shown = await startErlmcpPeer({ edge: { body: { passParsed: true } } });
    const body = request({ method: "prompts/list", params: { _meta: META, pad: "x".repeat(12_000_000) } });
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "prompts/list" };
    // The limit of the SDK's own handler is lower.
    expect((await plain.send(body, headers)).status).toBe(413);
    expect((await shown.send(body, headers)).message).toHaveProperty("result");
    await Promise.all([plain.close(), shown.close()]);
  });

  test("an unknown version is named with those that are supported", async () => {
    const _meta = { ...META, "io.modelcontextprotocol/protocolVersion": "2020-01-01" };
    const message = { method: "tools/list", params: { _meta } };
    const headers = { "mcp-protocol-version": "2020-01-01", "mcp-method": "tools/list" };
    const { message: answer } = await peer.send(request(message), headers);
    expect(answer.error).toMatchObject({
      code: -32061,
      message: "Unsupported protocol version",
      data: { requested_version: "2020-01-01", supported_versions: expect.arrayContaining(["2026-07-28"]) },
    });
  });

  test("refused credentials get one constant answer, and missing scopes another", async () => {
    const guarded = await startErlmcpPeer({
      edge: {
        auth: {
          authenticate: ({ headers }) => ({ ok: headers.get("authorization") === "Bearer good-enough" }),
          authorize: () => ({ ok: false, challenge: { scopes: ["admin"] } }),
        },
      },
    });
    const refusals = await Promise.all(
      [undefined, "Bearer forged", "Basic eDp5"].map((authorization) =>
        guarded.send(request({ method: "ping" }), authorization === undefined ? {} : { authorization }),
      ),
    );
    const scoped = await guarded.send(request({ method: "ping" }), { authorization: "Bearer good-enough" });
    await guarded.close();
    for (const { status, message } of refusals) {
      expect([status, message]).toEqual([
        401,
        { jsonrpc: "2.0", error: { code: -32051, message: "Authentication failed" } },
      ]);
    }
    expect([scoped.status, scoped.message.error]).toEqual([403, { code: -32052, message: "Authorization failed" }]);
  });
});

describe("what goes wrong at a handler", () => {
  test("an unknown method is named", async () => {
    const { status, message } = await peer.ask("nonexistent/method");
    const data = { method: "nonexistent/method" };
    expect([status, message.error]).toEqual([404, { code: -32601, message: "Method not found", data }]);
  });

  test.each([
    ["mcp:// ", { uri: "mcp://" }],
    ["x:y", { uri: "x:y" }],
    ["x:", undefined],
  ])("a resource of an unusual form, %j, is missing like any other", async (uri, data) => {
    const headers = { "mcp-protocol-version": "2025-06-18" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } });
    const { message } = await peer.send(body, headers);
    expect(message.error).toEqual({ code: -32001, message: "Resource not found", ...(data && { data }) });
  });

  test("an unknown resource is named", async () => {
    const { message } = await peer.ask("resources/read", { uri: "mcp://nonexistent" });
    const data = { uri: "mcp://nonexistent" };
    expect(message.error).toEqual({ code: -32001, message: "Resource not found", data });
  });

  test("an unknown prompt is named", async () => {
    const { message } = await peer.ask("prompts/get", { name: "nonexistent_prompt" });
    const data = { prompt: "nonexistent_prompt" };
    expect(message.error).toEqual({ code: -32003, message: "Prompt not found", data });
  });

  test("a missing argument of a prompt is named", async () => {
    const { message } = await peer.ask("prompts/get", { name: "write_essay", arguments: {} });
    const data = { prompt: "write_essay", argument: "topic" };
    expect(message.error).toEqual({ code: -32043, message: "Prompt argument missing", data });
  });

  test.each([
    [
      "not-a-valid-uri",
      { code: -32022, message: "Invalid URI", data: { uri: "not-a-valid-uri", reason: "missing_scheme" } },
    ],
    ["http://[", { code: -32023, message: "URI syntax error" }],
    ["mcp://a%zz", { code: -32023, message: "URI syntax error" }],
    ["mcp://a%2", { code: -32023, message: "URI syntax error" }],
    ["mcp://a%2Fb", { code: -32001, message: "Resource not found", data: { uri: "mcp://a%2Fb" } }],
  ])("the URI %s", async (uri, error) => {
    expect((await peer.ask("resources/read", { uri })).message.error).toEqual(error);
  });

  test("parameters of the wrong type are wrong parameters", async () => {
    const { message } = await peer.ask("prompts/get", { name: 7 });
    expect([message.error?.code, message.error?.message]).toEqual([-32602, "Invalid params"]);
  });

  test("a cursor that is none", async () => {
    const { message } = await peer.ask("tools/list", { cursor: 7 });
    const data = { details: "cursor must be a cursor" };
    expect(message.error).toEqual({ code: -32071, message: "Invalid cursor", data });
  });

  test("a cursor that this server never made", async () => {
    for (const method of ["tools/list", "prompts/list", "resources/list", "resources/templates/list"]) {
      const { message } = await peer.ask(method, { cursor: "invalid_cursor_string" });
      const data = { cursor: "invalid_cursor_string" };
      expect(message.error, method).toEqual({ code: -32071, message: "Invalid cursor", data });
    }
  });

  test.each([
    ["an unknown prompt", { type: "ref/prompt", name: "nobody" }, -32110],
    ["no reference", { type: "ref/nothing" }, -32111],
    ["a completion that breaks", { type: "ref/prompt", name: "write_essay" }, -32113],
  ])("a completion for %s", async (_about, ref, code) => {
    const { message } = await peer.ask("completion/complete", { ref, argument: { name: "topic", value: "a" } });
    expect(message.error?.code).toBe(code);
  });

  test("wrong arguments of a tool are described", async () => {
    const { message } = await peer.ask("tools/call", { name: "calculate", arguments: { a: 1 } });
    expect(message.error).toMatchObject({
      code: -32034,
      message: "Invalid tool arguments",
      data: { tool: "calculate", details: expect.stringContaining("b") },
    });
  });

  test.each([
    ["a tool", "tools/call", { name: "database_query", arguments: {} }, -32031, "Tool execution failed"],
    ["a resource", "resources/read", { uri: "mcp://broken" }, -32603, "Internal error"],
    ["a template", "resources/read", { uri: "mcp://fails/accident" }, -32029, "Template render failed"],
    ["a prompt", "prompts/get", { name: "write_essay", arguments: { topic: "x" } }, -32044, "Prompt render failed"],
  ])("%s that throws has its own code, and nothing of what it threw", async (_about, method, params, code, text) => {
    const answer = await peer.ask(method, params);
    const data = { [-32031]: { tool: "database_query" }, [-32029]: { uri_template: "mcp://fails/{code}" } }[code];
    expect(documented(answer)).toEqual({ code, message: text, ...(data && { data }) });
    expect(JSON.stringify(answer.message)).not.toMatch(/hunter2|10\.0\.0\.5|ECONNREFUSED/);
    expect(String(peer.incidents.at(-1)?.cause)).toContain("hunter2");
  });

  test("a tool and a resource that take too long", async () => {
    const hasty = await startErlmcpPeer({ guard: { deadlineMs: 60 } });
    const tool = await hasty.ask("tools/call", { name: "long_operation", arguments: {} });
    const resource = await hasty.ask("resources/read", { uri: "mcp://slow" });
    await hasty.close();
    expect(documented(tool)).toEqual({
      code: -32032,
      message: "Tool execution timeout",
      data: { tool: "long_operation", timeout_ms: 60 },
    });
    expect(documented(resource)).toEqual({
      code: -32009,
      message: "Request timeout",
      data: { timeout_ms: 60, elapsed_ms: expect.any(Number) },
    });
    const data = resource.message.error?.data as { readonly elapsed_ms?: number } | undefined;
    expect(data?.elapsed_ms).toBeGreaterThanOrEqual(50);
  });

  test("a description of more than 10,000 characters is reported to the operator", async () => {
    peer.incidents.length = 0;
    const { message } = await peer.ask("tools/list");
    expect(message).toHaveProperty("result");
    const params = { actualLength: 15_000, maxLength: 10_000 };
    expect(peer.incidents).toMatchObject([
      { tool: "wordy", code: -32011, severity: "warning", fault: { reason: "tool/description_too_long", params } },
    ]);
  });
});

describe("what the operator gets", () => {
  const levels: [string, number | undefined][] = [];
  const log = (level: string) => (fields: object) => levels.push([level, (fields as { code?: number }).code]);
  const logger = { fatal: log("fatal"), error: log("error"), warn: log("warn"), info: log("info") };

  test("every error is logged before it is answered, at the level of its severity; critical ones raise an alert", async () => {
    const alerts: (number | undefined)[] = [];
    const write = loggerSink(logger);
    const order: string[] = [];
    const sink = (incident: Parameters<typeof write>[0]) => {
      order.push(`logged ${incident.code}`);
      write(incident);
      if (incident.severity === "critical") alerts.push(incident.code);
    };
    const loud = await startErlmcpPeer({
      guard: { sink, reportCallerErrors: true },
      edge: { sink, reportCallerErrors: true },
    });
    const answered = async (asked: ReturnType<Peer["ask"]>) =>
      order.push(`answered ${(await asked).message.error?.code}`);
    await answered(loud.send("{"));
    await answered(loud.send("{}"));
    await answered(loud.ask("nonexistent/method"));
    await answered(loud.ask("tools/call", { name: "nonexistent_tool", arguments: {} }));
    for (const code of [-32603, -32007, -32010, -32021, -32071, -32081, 1090]) {
      await answered(loud.ask("resources/read", { uri: `mcp://fails/${code}` }));
    }
    await loud.close();
    const codes = [-32700, -32600, -32601, -32002, -32603, -32007, -32010, -32021, -32071, -32081, 1090];
    expect(order).toEqual(codes.flatMap((code) => [`logged ${code}`, `answered ${code}`]));
    expect(levels).toEqual([
      ["fatal", -32700],
      ["fatal", -32600],
      ["error", -32601],
      ["error", -32002],
      ["fatal", -32603],
      ["error", -32007],
      ["error", -32010],
      ["warn", -32021],
      ["warn", -32071],
      ["info", -32081],
      ["info", 1090],
    ]);
    expect(alerts).toEqual([-32700, -32600, -32603]);
  });

  test("the incident of every code has the severity of the document's table", async () => {
    const loud = await startErlmcpPeer({ guard: { reportCallerErrors: true } });
    for (const { error } of EXAMPLES) await loud.ask("resources/read", { uri: `mcp://fails/${error.code}` });
    await loud.close();
    const codesOf = (severity: string) =>
      loud.incidents.filter((one) => one.severity === severity).map(({ code = 0 }) => code);
    const defined = EXAMPLES.map(({ error }) => error.code);
    const within = (from: number, to: number) => defined.filter((code) => code <= from && code >= to);
    expect(codesOf("critical")).toEqual([-32700, -32600, -32603]);
    expect(codesOf("error")).toEqual([-32601, -32602, ...within(-32001, -32010)]);
    expect(codesOf("warning")).toEqual(within(-32011, -32080));
    expect(codesOf("info")).toEqual([...within(-32081, -32599), 1090, 1091]);
  });

  test("without reportCallerErrors only what a caller cannot mend is reported", async () => {
    const quiet = await startErlmcpPeer();
    await quiet.ask("tools/call", { name: "nonexistent_tool", arguments: {} });
    await quiet.ask("tools/call", { name: "database_query", arguments: {} });
    await quiet.close();
    expect(quiet.incidents).toMatchObject([
      { code: -32031, isError: false, severity: "warning", tool: "database_query" },
    ]);
    expect(quiet.incidents[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });
});
