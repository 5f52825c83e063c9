import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { type Dialect, erlmcp, mcp, onx, platica, qaqnuz } from "../../dialects/index.ts";
import type { Incident } from "../../incidents/incident.ts";
import { formatId } from "../../wire/ids.ts";
import { guardStdin, type StdinOptions } from "./stdin.ts";

const NOW = Date.parse("2026-01-02T03:04:05.000Z");
const ID = "01KDYAK3480000000000000000";
const ping = (id: unknown) => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" });

function guarded(options: StdinOptions = {}) {
  const stream = new PassThrough();
  const answers: Record<string, unknown>[] = [];
  const incidents: Incident[] = [];
  const guard = guardStdin({
    stream,
    output: { write: (text) => answers.push(JSON.parse(text) as Record<string, unknown>) },
    sink: (incident) => incidents.push(incident),
    testing: { clock: { now: () => NOW, monotonic: () => NOW }, createId: () => formatId(NOW, new Uint8Array(16)) },

    ...options,
  });
  const passed: string[] = [];
  stream.on("data", (chunk: Buffer) => passed.push(chunk.toString("utf8", 0, chunk.indexOf("\n"))));
  const send = async (...chunks: readonly (string | Uint8Array)[]) => {
    for (const chunk of chunks) stream.write(chunk);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { guard, stream, passed, answers, incidents, send };
}

const told = (answer: unknown) => {
  const { id, error } = answer as { id?: unknown; error: { code: number; data: Record<string, { reason: string }> } };
  return [id, error.code, error.data["recourse/fault"]?.reason];
};

describe("guardStdin", () => {
  it("hands messages on as they are, whole, in order", async () => {
    const { guard, passed, answers, send } = guarded();
    const text = JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params: { name: "é" } });
    const bytes = Buffer.from(`${text}\r\n`);
    await send(
      `${ping(1)}\n${ping("a")}\n`,
      bytes.subarray(0, -5),
      bytes.subarray(-5),
      '{"jsonrpc":"2.0","id":1,"result":{}}\n',
    );
    expect(passed).toEqual([ping(1), ping("a"), `${text}\r`, '{"jsonrpc":"2.0","id":1,"result":{}}']);
    expect(answers).toEqual([]);
    expect(guard.refused()).toBe(0);
  });

  it.each([
    ["no JSON", "nonsense", [undefined, -32700, "protocol/parse_error"]],
    ["a byte order mark", `\ufeff${ping(1)}`, [undefined, -32700, "protocol/parse_error"]],
    ["no message", "42", [undefined, -32600, "protocol/invalid_request"]],
    ["a batch", `[${ping(1)}]`, [undefined, -32600, "protocol/invalid_request"]],
    ["an id that is none", ping(1.5), [undefined, -32600, "protocol/invalid_request"]],
    ["an id that is null", ping(null), [undefined, -32600, "protocol/invalid_request"]],
    [
      "parameters in a list",
      '{"jsonrpc":"2.0","id":4,"method":"x","params":[]}',
      [4, -32600, "protocol/invalid_request"],
    ],
    ["the wrong version", '{"jsonrpc":"1.0","id":4,"method":"x"}', [4, -32600, "protocol/invalid_request"]],
    ["neither a method nor an answer", '{"jsonrpc":"2.0","id":4}', [4, -32600, "protocol/invalid_request"]],
  ])("answers %s, and goes on", async (_what, line, expected) => {
    const { guard, passed, answers, send } = guarded();
    await send(`${line}\n${ping(2)}\n`);
    expect(answers.map(told)).toEqual([expected]);
    expect(passed).toEqual([ping(2)]);
    expect(guard.refused()).toBe(1);
  });

  it("answers bytes that are no UTF-8, with the id of the request", async () => {
    const { passed, answers, send } = guarded();
    const bytes = Buffer.from(`{"jsonrpc":"2.0","id":5,"method":"x","params":{"a":"?"}}\n`);
    bytes[bytes.indexOf("?")] = 0xff;
    await send(bytes, `${ping(2)}\n`);
    expect(answers.map(told)).toEqual([[5, -32600, "content/invalid_encoding"]]);
    expect(passed).toEqual([ping(2)]);
  });

  it("answers a message that is too large, with its id wherever it stands, without keeping it", async () => {
    const { passed, answers, incidents, send } = guarded({ maxBytes: 100 });
    const large = JSON.stringify({ method: "tools/call", params: { a: "x".repeat(500) }, jsonrpc: "2.0", id: "last" });
    await send(large.slice(0, 150), large.slice(150), `\n${ping(2)}\n`);
    expect(answers).toHaveLength(1);
    expect(told(answers[0])).toEqual(["last", -32602, "content/message_too_large"]);
    expect(answers[0]).toMatchObject({ error: { message: "The message is too large: 570 bytes, at most 100." } });
    expect(passed).toEqual([ping(2)]);
    expect(incidents).toMatchObject([
      { method: "stdin", fault: { reason: "content/message_too_large", incident: ID } },
    ]);
  });

  it.each([
    [mcp, -32700],
    [onx, -32700],
    [erlmcp, -32700],
    [platica, -32602],
    [qaqnuz, -32700],
  ] as [Dialect<unknown>, number][])("writes refusals in a dialect (%#)", async (dialect, code) => {
    const { answers, send } = guarded({ dialect });
    await send("nonsense\n");
    expect(answers).toMatchObject([{ jsonrpc: "2.0", error: { code } }]);
    expect(answers[0]).not.toHaveProperty("result");
  });

  it("names sizes and the wrong byte in the members of erlmcp", async () => {
    const { answers, send } = guarded({ dialect: erlmcp, maxBytes: 100 });
    await send(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x", params: { a: "x".repeat(100) } })}\n`);
    await send(Buffer.concat([Buffer.from('{"jsonrpc":"'), Buffer.of(0xff), Buffer.from('"}\n')]));
    const data = { incident: ID };
    expect(answers).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: -32012,
          message: "Message size exceeds maximum allowed",
          data: { actual_size: 156, max_size: 100, unit: "bytes", ...data },
        },
      },
      {
        jsonrpc: "2.0",
        error: { code: -32015, message: "Invalid encoding", data: { encoding: "utf-8", position: 12, ...data } },
      },
    ]);
  });

  it("says in erlmcp what is wrong with a line", async () => {
    const { answers, send } = guarded({ dialect: erlmcp });
    await send("nonsense\n", '{"jsonrpc":"2.0","id":4}\n', '{"jsonrpc":"2.0","id":4,"result":5}\n');
    expect(answers).toMatchObject([
      { error: { code: -32700, data: { details: "The message is not valid JSON.", incident: ID } } },
      { id: 4, error: { code: -32600, data: { details: "method is required (a string)", incident: ID } } },
      { error: { code: -32600, data: { details: "method is required (a string)", incident: ID } } },
    ]);
    expect(answers.map((answer) => answer["id"])).toEqual([undefined, 4, undefined]);
  });

  it("takes a message of just the largest size", async () => {
    const { passed, send } = guarded({ maxBytes: ping(1).length + 1 });
    await send(`${ping(1)}\n${ping(10)}\n`);
    expect(passed).toEqual([ping(1)]);
  });

  it("says nothing about blank lines", async () => {
    const { answers, send } = guarded();
    await send("\n \r\n\n");
    expect(answers).toEqual([]);
  });

  it("lets other events and, once released, everything pass", async () => {
    const { guard, stream, passed, answers, send } = guarded();
    guard.release();
    await send("nonsense\n");
    expect([passed, answers]).toEqual([["nonsense"], []]);
    const ended = new Promise((resolve) => stream.on("end", resolve));
    stream.end();
    await ended;
  });
});
