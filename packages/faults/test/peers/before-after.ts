// Every way in which a server of the official SDK fails, bare and guarded: what a client sees of it.
import * as z from "zod";
import { core, type Fault, readFault } from "../../src/index.ts";
import { guard } from "../../src/server/index.ts";
import { findLeaks } from "../../src/testing/no-leak.ts";
import { type AnyClient, type AnyServer, type Era, pairOf } from "./peers.ts";

const SECRET = "hunter2-swordfish";
const PATIENCE_MS = 700;

/** A case: what the server does, and how a client meets it. */
interface Case {
  readonly name: string;
  readonly ask: (client: AnyClient) => Promise<unknown>;
}

const circular: Record<string, unknown> = {};
circular["self"] = circular;
const coded = (code: number) => Object.assign(new Error(SECRET), { code, data: { sql: SECRET } });

const TOOLS: Readonly<Record<string, () => unknown>> = {
  "tool throws an Error": () => raise(new Error(SECRET)),
  "tool throws a string": () => raise(SECRET),
  "tool throws null": () => raise(null),
  "tool throws an object": () => raise({ message: SECRET }),
  "tool throws with a cause": () => raise(new Error("outer", { cause: new Error(SECRET) })),
  "tool throws an AggregateError": () => raise(new AggregateError([new Error(SECRET)], SECRET)),
  "tool throws a coded error": () => raise(coded(-32602)),
  "tool throws a reason": () => raise(core.rate_limited({}, { retry: { allowed: true, afterMs: 30_000 } })),
  "tool returns undefined": () => undefined,
  "tool returns a malformed result": () => ({ content: SECRET }),
  "tool returns a BigInt": () => ({ content: [], structuredContent: { n: 1n } }),
  "tool returns a cycle": () => ({ content: [], structuredContent: circular }),
  "tool never ends": () => new Promise(() => {}),
};

const RESOURCES: Readonly<Record<string, () => unknown>> = {
  "resource throws an Error": () => raise(new Error(SECRET)),
  "resource throws code and data": () => raise(coded(1045)),
  "resource throws a reserved code": () => raise(coded(-32050)),
  "resource throws null": () => raise(null),
};

function raise(thrown: unknown): never {
  throw thrown;
}

const slug = (name: string): string => name.replaceAll(" ", "_");

function build(guarded: boolean) {
  return (server: AnyServer): AnyServer => {
    if (guarded) guard(server, { sink: () => {}, deadlineMs: 200 });
    const empty = z.object({});
    for (const [name, run] of Object.entries(TOOLS)) server.registerTool(slug(name), { inputSchema: empty }, run);
    server.registerTool("wants", { inputSchema: z.object({ n: z.number() }) }, () => ({ content: [] }));
    const throwing = z.number().refine(() => raise(new Error(SECRET)));
    server.registerTool("refines", { inputSchema: z.object({ n: throwing }) }, () => ({ content: [] }));
    const off = () => ({ content: [], structuredContent: { n: SECRET } });
    server.registerTool("off", { inputSchema: empty, outputSchema: z.object({ n: z.number() }) }, off);
    server.registerTool("disabled", { inputSchema: empty }, () => ({ content: [] })).disable();
    for (const [name, run] of Object.entries(RESOURCES))
      server.registerResource(slug(name), `res://${slug(name)}`, {}, run);
    server.registerPrompt("throws", {}, () => raise(new Error(SECRET)));
    return server;
  };
}

const call =
  (name: string, args: Record<string, unknown> = {}) =>
  (client: AnyClient) =>
    client.callTool({ name, arguments: args });

export const CASES: readonly Case[] = [
  ...Object.keys(TOOLS).map((name) => ({ name, ask: call(slug(name)) })),
  { name: "wrong arguments", ask: call("wants", { n: SECRET }) },
  { name: "schema refinement throws", ask: call("refines", { n: 1 }) },
  { name: "result off its schema", ask: call("off") },
  { name: "unknown tool", ask: call("nowhere") },
  { name: "disabled tool", ask: call("disabled") },
  { name: "tool named constructor", ask: call("constructor") },
  ...Object.keys(RESOURCES).map((name) => ({
    name,
    ask: (client: AnyClient) => client.readResource({ uri: `res://${slug(name)}` }),
  })),
  { name: "unknown resource", ask: (client) => client.readResource({ uri: "res://nowhere" }) },
  { name: "bad URI", ask: (client) => client.readResource({ uri: "not a uri" }) },
  { name: "prompt throws", ask: (client) => client.getPrompt({ name: "throws" }) },
  { name: "unknown prompt", ask: (client) => client.getPrompt({ name: "nowhere" }) },
];

/** What a client saw: a leak, nothing, an answer of the SDK's own, or a fault. */
export interface Seen {
  readonly verdict: "LEAK" | "HANG" | "text" | "fault";
  readonly fault?: Fault | undefined;
  readonly code?: number | undefined;
}

/** Runs every case against a server of one era, bare or guarded. */
export async function seenOf(era: Era, guarded: boolean): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  for (const { name, ask } of CASES) {
    const pair = await pairOf(era, build(guarded));
    seen.set(name, await look(ask(pair.client)));
    await pair.close();
  }
  return seen;
}

async function look(answer: Promise<unknown>): Promise<Seen> {
  const hang = new Promise<"HANG">((resolve) => setTimeout(resolve, PATIENCE_MS, "HANG"));
  const settled = answer.then(
    (result) => ({ carrier: (result as { _meta?: unknown })._meta, wire: result, code: undefined }),
    ({ code, data, message }: { code?: number; data?: unknown; message: string }) => ({
      carrier: data,
      wire: { code, data, message },
      code,
    }),
  );
  const first = await Promise.race([settled, hang]);
  if (first === "HANG") return { verdict: "HANG" };
  const { carrier, wire, code } = first;
  if (findLeaks(wire, [SECRET]).length > 0) return { verdict: "LEAK", code };
  const isMissing = (carrier as { uri?: unknown } | undefined)?.uri !== undefined;
  const fault = readFault((carrier as Record<string, unknown> | undefined)?.["recourse/fault"]);
  return { verdict: fault === undefined && !isMissing ? "text" : "fault", fault, code };
}
