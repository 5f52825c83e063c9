// The client kit with the official client against a server that is written by hand as erlmcp's document describes it.
import { createServer, type IncomingMessage } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Fault, render } from "@recourse/core";
import { type RecourseOptions, type RecourseRetryOptions, recourse } from "@recourse/core/client";
import { erlmcp } from "@recourse/core/dialects";
import { type LoopbackServer, listenOnLoopback } from "@recourse/test-kit/loopback";
import { afterEach, describe, expect, test } from "vitest";
import { EXAMPLES } from "./erlmcp-examples.ts";

type ErrorObject = { readonly code: number; readonly message: string; readonly data?: unknown };
interface Message {
  readonly id?: number;
  readonly method: string;
}

const DONE = { content: [{ type: "text", text: "done" }] };

let server: LoopbackServer | undefined;
let client: Client | undefined;
afterEach(async () => {
  await client?.close();
  await server?.close();
});

async function readMessage(incoming: IncomingMessage): Promise<Message> {
  let text = "";
  for await (const chunk of incoming) text += String(chunk);
  return JSON.parse(text || '{"method":"none"}') as Message;
}

/** Connects to a server whose tool fails with these errors, one after the other, and then works. */
async function connect(errors: readonly ErrorObject[], options: Omit<RecourseOptions, "inputRequired"> = {}) {
  const left = [...errors];
  let calls = 0;
  const web = createServer(async (incoming, outgoing) => {
    const { id, method } = await readMessage(incoming);
    if (id === undefined) return outgoing.writeHead(incoming.method === "POST" ? 202 : 405).end();
    if (method === "tools/call") calls += 1;
    const error = method === "tools/call" ? left.shift() : undefined;
    const serverInfo = { name: "s", version: "1" };
    const started = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
    const body = error === undefined ? { result: method === "initialize" ? started : DONE } : { error };
    outgoing.writeHead(200, { "content-type": "application/json" });
    return outgoing.end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
  });
  server = await listenOnLoopback(web);
  client = new Client({ name: "c", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(server.url));
  const waits: number[] = [];
  const sleep = async (ms: number) => waits.push(ms);
  const mcp = recourse(client, {
    server: { dialect: erlmcp },
    deadlineMs: 300_000,
    ...options,
    testing: { clock: { sleep }, random: () => 0, ...options.testing },
  });
  return { mcp, waits, calls: () => calls };
}

const ID = "01KDYAK3480000000000000000";
const RATE_LIMIT = { code: -32010, message: "Rate limit exceeded" };
const TIMEOUT = { code: -32009, message: "Request timeout", data: { timeout_ms: 30000, elapsed_ms: 30001 } };

describe("after -32010", () => {
  test("it waits retry_after seconds and calls again", async () => {
    const { mcp, waits, calls } = await connect([{ ...RATE_LIMIT, data: { limit: 100, window: 60, retry_after: 7 } }]);
    const outcome = await mcp.call("work", {});
    expect([outcome.ok, calls()]).toEqual([true, 2]);
    expect(waits.filter((ms) => ms >= 7_000 && ms < 8_000)).toHaveLength(1);
  });

  test.each([[undefined], [{ limit: 100 }]])("without retry_after it waits 30 s (data %j)", async (data) => {
    const { mcp, waits, calls } = await connect([{ ...RATE_LIMIT, ...(data !== undefined && { data }) }]);
    const outcome = await mcp.call("work", {});
    expect([outcome.ok, calls()]).toEqual([true, 2]);
    expect(waits.filter((ms) => ms >= 30_000 && ms < 34_000)).toHaveLength(1);
  });
});

describe("after -32009", () => {
  test("it calls again where a second call does no harm, and tells each attempt", async () => {
    const noted: unknown[] = [];
    const onDecision: RecourseRetryOptions["onDecision"] = ({ fault, decision }) =>
      noted.push([fault?.reason, decision?.do]);
    const { mcp, calls } = await connect([TIMEOUT], { retry: { onDecision } });
    const outcome = await mcp.call("work", {}, { repeatable: true });
    expect([outcome.ok, calls()]).toEqual([true, 2]);
    expect(noted).toEqual([
      ["core/timeout", "repeat"],
      [undefined, undefined],
    ]);
  });

  test("it does not where the first call may have had an effect", async () => {
    const { mcp, calls } = await connect([TIMEOUT]);
    const outcome = await mcp.call("work", {});
    expect([outcome.ok, calls()]).toEqual([false, 1]);
  });
});

test.each([
  ["jsonrpc", -32700, -32600],
  ["mcp_core", -32010, -32001],
  ["content", -32020, -32011],
  ["resource", -32030, -32021],
  ["tool", -32040, -32031],
  ["prompt", -32050, -32041],
  ["auth", -32060, -32051],
  ["protocol", -32070, -32061],
  ["pagination", -32080, -32071],
  ["task", -32090, -32081],
  ["progress", -32100, -32091],
  ["completion", -32113, -32110],
  ["experimental", 1090, 1099],
] as const)(
  "a code of the range of %s, the first and the last, is read by its category",
  async (category, from, to) => {
    expect([erlmcp.errorCategory(from), erlmcp.errorCategory(to)]).toEqual([category, category]);
    for (const code of [from, to]) {
      const { mcp } = await connect([{ code, message: "Something else happened" }]);
      const outcome = await mcp.call("work", {}, { deadlineMs: 1_000 });
      expect(outcome).toMatchObject({ ok: false, fault: { reason: expect.not.stringMatching("core/unrecognised") } });
      await client?.close();
      await server?.close();
    }
  },
);

describe("every code of the document", () => {
  /** Codes after which the same call may succeed by itself. */
  const TRANSIENT = [-32008, -32009, -32010, -32032, -32046, -32085, -32094, 1091];

  test.each(EXAMPLES)("$error.code is the fault that it stands for", async ({ error, thrown }) => {
    const { mcp, calls } = await connect([error, error, error]);
    const outcome = await mcp.call("work", {});
    if (outcome.ok) throw new Error("an error was taken for a result");
    expect(outcome.fault).toMatchObject({ reason: thrown().fault.reason, kind: thrown().fault.kind });
    expect(render(outcome.fault as Fault, { for: "person" })).not.toBe("");
    if (!TRANSIENT.includes(error.code)) expect(calls()).toBe(1);
  });

  test.each([[{ code: 1095, message: "Task not found" }, "task/not_found"]])(
    "%j is only read",
    async (error, reason) => {
      const { mcp } = await connect([error]);
      const outcome = await mcp.call("work", {});
      expect(outcome).toMatchObject({ ok: false, fault: { reason } });
    },
  );

  test.each([
    [-32001, "mcp_core", "error"],
    [-32002, "mcp_core", "error"],
    [-32032, "tool", "warning"],
    [-32700, "jsonrpc", "critical"],
    [-32011, "content", "warning"],
    [-32021, "resource", "warning"],
    [-32043, "prompt", "warning"],
    [-32051, "auth", "warning"],
    [-32061, "protocol", "warning"],
    [-32072, "pagination", "warning"],
    [-32081, "task", "info"],
    [-32091, "progress", "info"],
    [-32110, "completion", "info"],
    [1090, "experimental", "info"],
  ] as const)("the helpers tell category and severity of %d", (code, category, severity) => {
    expect([erlmcp.validateErrorCode(code), erlmcp.errorCategory(code), erlmcp.errorSeverity(code)]).toEqual([
      true,
      category,
      severity,
    ]);
  });
});

test("a failed call is logged with its code, its message and its details", async () => {
  const lines: string[] = [];
  const sink: RecourseOptions["sink"] = ({ cause, fault, tool }) => {
    const { code, message } = cause as { readonly code: number; readonly message: string };
    lines.push(`${tool}: error ${code}: ${message} ${JSON.stringify(fault.params)}`);
  };
  const data = { tool: "work", reason: "connection_timeout" };
  const { mcp } = await connect([{ code: -32031, message: "Tool execution failed", data }], { sink });
  await mcp.call("work", {});
  expect(lines).toEqual([`work: error -32031: Tool execution failed ${JSON.stringify(data)}`]);
});

test("every failure is logged, before the call is made again, also one that a later attempt makes good", async () => {
  const records: unknown[] = [];
  const sink: RecourseOptions["sink"] = ({ code, fault, attempts, retryInMs, severity }) => {
    records.push([code, attempts, retryInMs === undefined ? "ended" : "retried", severity, fault.incident]);
  };
  const { mcp } = await connect([{ ...RATE_LIMIT, data: { retry_after: 1 } }, TIMEOUT], {
    sink,
    testing: { createId: () => ID },
  });
  expect(await mcp.call("work", {}, { repeatable: true })).toMatchObject({ ok: true });
  expect(records).toEqual([
    [-32010, 1, "retried", "warning", undefined],
    [-32009, 2, "retried", "warning", ID],
  ]);
  records.length = 0;
  const missing = { code: -32002, message: "Tool not found", data: { tool: "work" } };
  const other = await connect([missing], { sink, testing: { createId: () => ID } });
  await other.mcp.call("work", {});
  expect(records).toEqual([[-32002, 1, "ended", "error", undefined]]);
});

test.each([
  [-32002, "Tool not found", "error"],
  [-32031, "Tool execution failed", "error"],
  [-32081, "Task not found", "error"],
  [-32603, "Internal error", "critical"],
])("%i, which ends the call, is logged as an error: %s", async (code, message, severity) => {
  const records: unknown[] = [];
  const { mcp } = await connect([{ code, message }], {
    sink: (record) => records.push([record.code, record.severity]),
  });
  await mcp.call("work", {});
  expect(records).toEqual([[code, severity]]);
});
