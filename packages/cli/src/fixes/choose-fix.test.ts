import type { JsonObject } from "@recourse/core/wire";
import { describe, expect, it, test } from "vitest";
import {
  bodyAnswer,
  exchangeOf,
  OVER_HTTP,
  rpcError,
  rpcResult,
  silence,
  toolFailure,
  viewOf,
} from "../../test/support/make-recording.ts";
import { PROBE_CHECKS } from "../checks/catalogue.ts";
import type { RecordedExchange, RecordedTarget, Recording } from "../recording/recording.ts";
import { ADVICE } from "./advice.ts";
import { chooseFix } from "./choose-fix.ts";
import { answerLayer, fixCalls, fixReach } from "./fix-calls.ts";
import { detectServerKind } from "./server-kind.ts";

const recordingOf = (exchanges: readonly RecordedExchange[], target: Partial<RecordedTarget> = {}): Recording =>
  viewOf(exchanges, { target }).recording;

const unknownTool = (answer: RecordedExchange["answer"]) => exchangeOf("unknown-tool", answer);
const wrongArguments = (text: string) => exchangeOf("wrong-arguments", toolFailure(text), { tool: "get_order" });

/** One server for each kit, by an answer that it gave. */
const SERVERS = {
  "typescript-1": unknownTool(toolFailure("MCP error -32602: Tool x not found")),
  "typescript-2": unknownTool(rpcError(-32602, "Tool x not found")),
  "typescript-low": exchangeOf("malformed-params", rpcError(-32603, '[\n  {\n    "code": "invalid_type"\n')),
  "typescript-fastmcp": unknownTool(rpcError(-32601, "MCP error -32601: Unknown tool: x")),
  "python-fastmcp": wrongArguments("Error executing tool get_order: 1 validation error for get_orderArguments"),
  "python-standalone": unknownTool(toolFailure("Unknown tool: 'x'")),
  "python-low": exchangeOf("unknown-method", rpcError(-32602, "Invalid request parameters", { data: "" })),
  "go-mark3labs": unknownTool(rpcError(-32602, "tool 'x' not found: tool not found")),
  "go-official": unknownTool(rpcError(-32602, 'unknown tool "x"')),
  dotnet: unknownTool(rpcError(-32602, "Unknown tool: 'x'")),
  java: unknownTool(rpcError(-32602, "Unknown tool: invalid_tool_name", { data: "Tool not found: x" })),
  rust: unknownTool(rpcError(-32602, "tool not found")),
} as const;

describe("what a server is written with", () => {
  it.each(Object.entries(SERVERS))("%s by its answers", (kit, exchange) => {
    expect(detectServerKind(recordingOf([exchange])).kit).toBe(kit);
  });

  it.each<[readonly string[], string | undefined]>([
    [["uvx", "mcp-server-git"], "python"],
    [["/usr/bin/python3.12", "-u", "server.py"], "python"],
    [["npx", "-y", "@acme/mcp"], "typescript"],
    [["C:\\Program Files\\nodejs\\node.exe", "a.js"], "typescript"],
    [["dotnet", "run"], "csharp"],
    [["java", "-jar", "shop.jar"], "java"],
    [["go", "run", "."], "go"],
    [["./shop-server"], undefined],
    [["docker", "run", "-i", "shop"], undefined],
  ])("the language by the command %j", (command, language) => {
    const kind = detectServerKind(recordingOf([], { command }));
    expect([kind.language, kind.kit]).toEqual([language, undefined]);
  });

  it("the language by the header of its HTTP server", () => {
    const answer = { ...bodyAnswer(404, ""), http: { status: 404, headers: { server: "uvicorn" }, streamed: false } };
    const recording = recordingOf([exchangeOf("http-edge", answer as RecordedExchange["answer"])], OVER_HTTP);
    expect(detectServerKind(recording).language).toBe("python");
  });

  it("nothing, if answers could come from anything", () => {
    const recording = recordingOf([unknownTool(rpcError(-32602, "There is no such tool."))]);
    expect(detectServerKind(recording)).toEqual({ isGuarded: false, hasExpress: false });
  });
});

const checkOf = (id: string) => PROBE_CHECKS.find((one) => one.id === id) ?? expect.fail(`no check ${id}`);
const TYPESCRIPT = /import \{|const server =|registerTool|guard\w*\(/;

test("no server in another language gets a line of TypeScript", () => {
  for (const kit of [
    "python-fastmcp",
    "python-low",
    "go-mark3labs",
    "go-official",
    "dotnet",
    "java",
    "rust",
  ] as const) {
    const recording = recordingOf([SERVERS[kit]]);
    for (const check of PROBE_CHECKS) expect(chooseFix(check, recording).fix.code ?? "").not.toMatch(TYPESCRIPT);
  }
});

test("a server over stdio gets nothing for HTTP, and the other way round", () => {
  for (const kit of ["typescript-1", "typescript-2", "typescript-low"] as const)
    for (const check of PROBE_CHECKS) {
      const edge = exchangeOf("malformed-message", rpcError(-32700, "x"), { id: "edge" });
      const overStdio = chooseFix(check, recordingOf([SERVERS[kit], edge]), ["edge"]).fix;
      if (check.transport !== "http") expect(overStdio.code ?? "").not.toMatch(/guardHandler|edgeErrorHandler|app\./);
      const overHttp = chooseFix(check, recordingOf([SERVERS[kit], edge], OVER_HTTP), ["edge"]).fix;
      if (check.transport !== "stdio") expect(overHttp.code ?? "").not.toMatch(/guardStd/);
    }
});

test("Express is named only where it was seen", () => {
  const page = exchangeOf("malformed-message", bodyAnswer(400, "<pre>SyntaxError: x<br>   at JSON.parse</pre>"), {
    id: "p",
  });
  const seen = chooseFix(checkOf("leak-stack"), recordingOf([SERVERS["typescript-2"], page], OVER_HTTP), ["p"]);
  expect(seen.fix.code).toContain("edgeErrorHandler()");
  const plain = exchangeOf("malformed-message", rpcError(-32603, "x"), { id: "p" });
  const unseen = chooseFix(checkOf("leak-stack"), recordingOf([SERVERS["typescript-2"], plain], OVER_HTTP), ["p"]);
  expect(unseen.fix.code).not.toContain("edgeErrorHandler");
});

test.each<[kit: keyof typeof SERVERS, check: string, source: "yours" | "sdk", code: string | undefined]>([
  ["python-fastmcp", "unknown-method-code", "sdk", undefined],
  ["python-fastmcp", "resource-not-found-code", "sdk", undefined],
  ["python-fastmcp", "leak-runtime-text", "yours", "ToolError"],
  ["python-low", "resource-not-found-code", "yours", "McpError"],
  ["python-low", "unknown-tool-suggests", "yours", undefined],
  ["python-standalone", "leak-path", "yours", "mask_error_details=True"],
  ["go-mark3labs", "args-refused", "yours", "WithInputSchemaValidation"],
  ["dotnet", "annotations-present", "yours", "ReadOnly = true"],
  ["typescript-1", "unknown-tool-suggests", "sdk", "guard("],
  ["typescript-low", "unknown-tool-suggests", "yours", "guard("],
  ["typescript-fastmcp", "leak-sql", "yours", "guardTool("],
  ["typescript-fastmcp", "unknown-tool-code", "sdk", undefined],
])("on %s, %s is %s", (kit, id, source, code) => {
  const chosen = chooseFix(checkOf(id), recordingOf([SERVERS[kit]]));
  expect(chosen.source).toBe(source);
  if (code === undefined) expect(chosen.fix).toMatchObject({ gateway: true });
  else expect(chosen.fix.code).toContain(code);
});

test("a failure that the author wrote into a document is not said to be fixed by guard", () => {
  const document = rpcResult({ contents: [{ uri: "shop://x", text: "Error: no such order" }] });
  const read = exchangeOf("unknown-resource", document, { id: "read", method: "resources/read" });
  const { fix } = chooseFix(checkOf("resource-failure-channel"), recordingOf([SERVERS["typescript-1"], read]), [
    "read",
  ]);
  expect(fix.code).toContain("throw fail.not_found");
  expect(fixCalls(fix, "stdio")).toBeUndefined();
});

describe("an answer of a tool to a message that the edge should have refused", () => {
  const broken = exchangeOf("malformed-message", toolFailure("MCP error -32602: Tool x not found"), { id: "broken" });

  it.each(["stdio", "http"] as const)("needs guard alone over %s, if guard writes it right", (transport) => {
    const unknown = { ...SERVERS["typescript-1"], id: "unknown" };
    const recording = recordingOf([unknown, broken], transport === "http" ? OVER_HTTP : {});
    const { fix } = chooseFix(checkOf("message-prefix"), recording, ["unknown", "broken"]);
    expect(fixCalls(fix, transport)).toBe("guard(server)");
    expect([...(fixReach(fix, transport) ?? [])]).toContain(answerLayer(broken, transport));
  });

  it("needs the edge, if the message is what is wrong", () => {
    const { fix } = chooseFix(checkOf("utf8-refused"), recordingOf([SERVERS["typescript-1"], broken]), ["broken"]);
    expect(fixCalls(fix, "stdio")).toBe("guardStdin()");
    expect([...(fixReach(fix, "stdio") ?? [])]).toContain(answerLayer(broken, "stdio"));
  });
});

test("what a server over stdio does with deep JSON is not said to be fixed by a guard", () => {
  const deep = exchangeOf("deep-json", silence(), { id: "deep" });
  const { fix } = chooseFix(checkOf("deep-json"), recordingOf([SERVERS["typescript-1"], deep]), ["deep"]);
  expect(fix).toEqual({ text: expect.stringContaining("Limit the depth of messages"), gateway: true });
});

test("a stack trace is fixed where it is written", () => {
  const thrown = exchangeOf("valid-call", toolFailure("x\n    at load (/srv/load.js:5:7)"), { id: "thrown" });
  const { fix } = chooseFix(checkOf("leak-stack"), recordingOf([SERVERS["typescript-1"], thrown]), ["thrown"]);
  expect(fixCalls(fix, "stdio")).toBe("guard(server)");
});

test("the end of a program is not said to be fixed by a guard: what ends it is mostly outside of handlers", () => {
  const ended = exchangeOf("valid-call", { kind: "closed", ms: 5, exitCode: 1, signal: null }, { id: "ended" });
  const { fix } = chooseFix(checkOf("no-crash"), recordingOf([SERVERS["typescript-2"], ended]), ["ended"]);
  expect(fixCalls(fix, "stdio")).toBeUndefined();
});

test("a low-level server is guarded as it is, with its arguments where they are the finding", () => {
  const codeFor = (id: string) => chooseFix(checkOf(id), recordingOf([SERVERS["typescript-low"]])).fix.code;
  expect(codeFor("unknown-tool-code")).toContain("guard(new Server(");
  expect(codeFor("args-name-field")).toContain("guard(orders, { checkArguments: true })");
  const { fix } = chooseFix(checkOf("args-name-field"), recordingOf([SERVERS["typescript-1"]]));
  expect(fix.code).toContain("guard(new McpServer(");
});

test("a guarded server is not told to guard itself", () => {
  const view = viewOf([], {
    capabilities: { extensions: { "io.github.recourse-mcp/faults": { v: 1 } } } as JsonObject,
  });
  const kind = detectServerKind(view.recording);
  if (kind.isGuarded) expect(chooseFix(checkOf("leak-sql"), view.recording).fix.code).toBeUndefined();
  expect(kind.isGuarded).toBe(true);
});

test("without any sign no code is shown that may not fit", () => {
  const { fix } = chooseFix(checkOf("leak-sql"), recordingOf([]));
  expect(fix.code).toBeUndefined();
  expect(fix.text).toContain("If it is written with the TypeScript SDK, `guard` does it.");
});

test("every check has its sentence of advice", () => {
  expect(Object.keys(ADVICE).toSorted()).toEqual(PROBE_CHECKS.map(({ id }) => id).toSorted());
});
