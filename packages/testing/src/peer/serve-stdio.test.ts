import { PassThrough } from "node:stream";
import type { JsonObject } from "@recourse/core/wire";
import { afterEach, expect, test } from "vitest";
import { STDIO_MISBEHAVIOURS, type StdioMisbehaviourName } from "./misbehaviours/stdio.ts";
import { type ServeStdioOptions, serveStdio } from "./serve-stdio.ts";
import type { AppliedEffect } from "./step-queue.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

/** A peer on streams of this process, with an initialized session. */
function start(options: ServeStdioOptions = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const errors = new PassThrough();
  const exits: unknown[] = [];
  const effects: AppliedEffect[] = [];
  const serving = serveStdio(options, {
    stdin: input,
    stdout: output,
    stderr: errors,
    exit: (how) => exits.push(how),
    onEffect: (effect) => effects.push(effect),
  });
  cleanups.push(() => {
    input.end();
    return serving;
  });
  const chunks: Buffer[] = [];
  output.on("data", (chunk: Buffer) => chunks.push(chunk));
  const send = (message: JsonObject) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {} } });
  send({ method: "notifications/initialized" });
  /** What was written to stdout after the reply to `initialize`. */
  const written = () => Buffer.concat(chunks).toString().split("\n").slice(1).join("\n");
  return { input, output, errors, exits, effects, send, written };
}

/** Polls often, and long enough for a busy machine. */
const eventually = <T>(look: () => T) => expect.poll(look, { interval: 2, timeout: 30_000 });

const charge = (meta: JsonObject = {}) => ({
  id: 1,
  method: "tools/call",
  params: { name: "charge", arguments: { amount: 3 }, _meta: meta },
});
const REPLY = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Charged 3."}]}}\n';

test("replies correctly without steps, even when all messages arrive at once", async () => {
  const { send, written, effects } = start();
  send(charge());
  await eventually(written).toBe(REPLY);
  expect(effects).toEqual([{ tool: "charge", call: "1", key: undefined }]);
});

test.each(Object.entries(STDIO_MISBEHAVIOURS))("%s has an effect exactly if it commits", async (name, { commits }) => {
  const peer = start({ tools: { charge: name as StdioMisbehaviourName }, delayMs: 8 });
  peer.send(charge());
  peer.send({ id: 2, method: "ping" });
  peer.send({ method: "notifications/cancelled", params: { requestId: 1 } });
  // The peer still answers the next message, unless it has closed stdout.
  await eventually(() => peer.output.destroyed || peer.written().includes('"id":2')).toBe(true);
  expect(peer.effects).toHaveLength(commits ? 1 : 0);
});

test.each([
  ["garbage-lines", `Listening on stdio\n[debug] 1 tool call\n\n${REPLY}`],
  ["answers-twice", REPLY + REPLY],
  ["split-line", REPLY],
  ["slow-line", REPLY],
  ["partial-line", '{"jsonrpc":"2.0","id'],
  ["not-json", "Sorry, something went wrong here.\n"],
  ["replay-method-not-found", '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}\n'],
] as const)("%s writes exactly this to stdout", async (name, text) => {
  const { send, written } = start({ steps: [name], delayMs: 8 });
  send(charge());
  await eventually(written).toBe(text);
});

test.each([
  ["lost-exit", 3],
  ["lost-exit-0", 0],
  ["lost-kill", "SIGKILL"],
  ["dropped-exit", 3],
  ["partial-exit", 3],
] as const)("%s ends the process with %s", async (name, how) => {
  const { send, exits } = start({ steps: [name] });
  send(charge());
  await eventually(() => exits).toEqual([how]);
});

test("a crash writes to stderr first", async () => {
  const { send, errors, exits } = start({ steps: ["lost-exit"] });
  send(charge());
  await eventually(() => exits).toEqual([3]);
  expect(String(errors.read())).toBe("worker: fatal: cannot allocate memory\nworker: giving up\n");
});

test("late-after-cancel answers after the cancellation", async () => {
  const { send, written, effects } = start({ steps: ["late-after-cancel"] });
  send(charge());
  await eventually(() => effects.length).toBe(1);
  expect(written()).toBe("");
  send({ method: "notifications/cancelled", params: { requestId: 1 } });
  await eventually(written).toBe(REPLY);
});

test("a request can ask for a misbehaviour, and idempotency keys are honoured", async () => {
  const { send, written, effects } = start({ idempotency: true });
  const call = { "recourse/call": { id: "c", key: "k" } };
  send(charge({ ...call, "recourse/misbehave": "no-id" }));
  send({ ...charge(call), id: 2 });
  await eventually(written).toContain('"id":2');
  expect(written()).toContain('{"jsonrpc":"2.0","result":');
  expect(effects).toHaveLength(1);
});

test.each([
  ["a line that is not JSON", Buffer.from("{nonsense\n"), -32700],
  ["a line that is not UTF-8", Buffer.from([0x22, 0xff, 0x22, 0x0a]), -32015],
  ["a line that is not a request", Buffer.from('{"jsonrpc":"2.0"}\n'), -32600],
  ["a line that is too long", Buffer.from(`"${"x".repeat(2_000)}"\n`), -32012],
])("%s is answered with an error without an id", async (_, bytes, code) => {
  const { input, written } = start({ dialect: "erlmcp", limits: { messageBytes: 1_000 } });
  input.write(bytes);
  await eventually(written).toMatch(new RegExp(`^\\{"jsonrpc":"2.0","error":\\{"code":${code},`));
});

test("a misbehaviour that does not exist is answered with a sentence, and the peer goes on", async () => {
  const { send, written } = start();
  send(charge({ "recourse/misbehave": "lost-exti" }));
  send({ id: 2, method: "ping" });
  await eventually(written).toContain('"id":2');
  expect(written()).toContain('There is no misbehaviour \\"lost-exti\\"; did you mean \\"lost-exit\\"?');
});

test("everything that arrives is reported", async () => {
  const arrivals: unknown[] = [];
  const { input, send, written } = start({ onArrival: (arrival) => arrivals.push(arrival) });
  send(charge({ "recourse/misbehave": "no-id" }));
  input.write("nonsense\n");
  await eventually(written).toContain("-32700");
  expect(arrivals).toMatchObject([
    { what: "message", message: { method: "initialize", step: "ok" } },
    { what: "message", message: { method: "notifications/initialized" } },
    { what: "message", message: { method: "tools/call", tool: "charge", step: "no-id" } },
    { what: "unreadable", reason: "protocol/parse_error" },
  ]);
});
