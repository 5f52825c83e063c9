import { PassThrough } from "node:stream";
import { afterEach, expect, test } from "vitest";
import type { Json } from "../../../dialects/wire.ts";
import type { Effect } from "../ledger.ts";
import { STDIO_MISBEHAVIOURS, type StdioMisbehaviourName } from "./misbehaviours.ts";
import { serveLines } from "./serve.ts";

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

/** A peer on streams of this process, up to the point where everything may be asked. */
function begin(options: Parameters<typeof serveLines>[0] = {}, capabilities: Json = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const errors = new PassThrough();
  const exits: unknown[] = [];
  const effects: Effect[] = [];
  const serving = serveLines(options, {
    input,
    output,
    errors,
    exit: (how) => exits.push(how),
    write: (effect) => effects.push(effect),
  });
  ended.push(() => {
    input.end();
    return serving;
  });
  const chunks: Buffer[] = [];
  output.on("data", (chunk: Buffer) => chunks.push(chunk));
  const send = (message: Json) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities } });
  send({ method: "notifications/initialized" });
  /** What stands on stdout after the hello. */
  const said = () => Buffer.concat(chunks).toString().split("\n").slice(1).join("\n");
  return { input, output, errors, exits, effects, send, said };
}

/** Polls often, and for as long as a busy machine needs. */
const soon = <T>(look: () => T) => expect.poll(look, { interval: 2, timeout: 30_000 });

const charge = (meta: Json = {}) => ({
  id: 1,
  method: "tools/call",
  params: { name: "charge", arguments: { amount: 3 }, _meta: meta },
});
const HONEST = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Charged 3."}]}}\n';

test("behaves until it is told not to, even when everything comes at once", async () => {
  const { send, said, effects } = begin();
  send(charge());
  await soon(said).toBe(HONEST);
  expect(effects).toEqual([{ tool: "charge", call: "1", key: undefined }]);
});

test.each(Object.entries(STDIO_MISBEHAVIOURS))("%s has the effect that its row says", async (name, { commits }) => {
  const peer = begin({ tools: { charge: name as StdioMisbehaviourName }, ms: 8 });
  peer.send(charge());
  peer.send({ id: 2, method: "ping" });
  peer.send({ method: "notifications/cancelled", params: { requestId: 1 } });
  // One bad call does not keep the peer from the next message, unless it has no stdout any more.
  await soon(() => peer.output.destroyed || peer.said().includes('"id":2')).toBe(true);
  expect(peer.effects).toHaveLength(commits ? 1 : 0);
});

test.each([
  ["garbage-lines", `Listening on stdio\n[debug] 1 tool call\n\n${HONEST}`],
  ["answers-twice", HONEST + HONEST],
  ["split-line", HONEST],
  ["slow-line", HONEST],
  ["partial-line", '{"jsonrpc":"2.0","id'],
  ["not-json", "Sorry, something went wrong here.\n"],
  ["replay-method-not-found", '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}\n'],
] as const)("%s on stdout", async (name, text) => {
  const { send, said } = begin({ script: [name], ms: 8 });
  send(charge());
  await soon(said).toBe(text);
});

test.each([
  ["lost-exit", 3],
  ["lost-exit-0", 0],
  ["lost-kill", "SIGKILL"],
  ["dropped-exit", 3],
  ["partial-exit", 3],
] as const)("%s ends the process with %s", async (name, how) => {
  const { send, exits } = begin({ script: [name] });
  send(charge());
  await soon(() => exits).toEqual([how]);
});

test("complains on stderr before it dies", async () => {
  const { send, errors, exits } = begin({ script: ["lost-exit"] });
  send(charge());
  await soon(() => exits).toEqual([3]);
  expect(String(errors.read())).toBe("worker: fatal: cannot allocate memory\nworker: giving up\n");
});

test("an answer comes after the cancellation, where it must not", async () => {
  const { send, said, effects } = begin({ script: ["late-after-cancel"] });
  send(charge());
  await soon(() => effects.length).toBe(1);
  expect(said()).toBe("");
  send({ method: "notifications/cancelled", params: { requestId: 1 } });
  await soon(said).toBe(HONEST);
});

test("is switched by the request itself, and honours keys", async () => {
  const { send, said, effects } = begin({ keys: true });
  const call = { "recourse/call": { id: "c", key: "k" } };
  send(charge({ ...call, "recourse/misbehave": "no-id" }));
  send({ ...charge(call), id: 2 });
  await soon(said).toContain('"id":2');
  expect(said()).toContain('{"jsonrpc":"2.0","result":');
  expect(effects).toHaveLength(1);
});

test.each([
  ["no JSON", Buffer.from("{nonsense\n"), -32700],
  ["no UTF-8", Buffer.from([0x22, 0xff, 0x22, 0x0a]), -32015],
  ["no request", Buffer.from('{"jsonrpc":"2.0"}\n'), -32600],
  ["too large a message", Buffer.from(`"${"x".repeat(2_000)}"\n`), -32012],
])("%s is refused without an id", async (_, bytes, code) => {
  const { input, said } = begin({ dialect: "erlmcp", limits: { messageBytes: 1_000 } });
  input.write(bytes);
  await soon(said).toMatch(new RegExp(`^\\{"jsonrpc":"2.0","error":\\{"code":${code},`));
});

test("the client's user is asked on the same stream", async () => {
  const { send, said } = begin({}, { elicitation: {} });
  send({ id: 1, method: "tools/call", params: { name: "confirm", arguments: { question: "Sure?" } } });
  await soon(said).toContain('"method":"elicitation/create"');
  send({ id: "question-1", result: { action: "accept" } });
  await soon(said).toContain('"text":"Confirmed."');
});
