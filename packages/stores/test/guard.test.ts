// A guarded server answers alike with every store, to the clients of the official SDK over HTTP.
import { type Fault, readFault } from "@recourse/core";
import { type ExtendableIdempotencyStore, guard, memoryIdempotency } from "@recourse/core/server";
import { type AnyServer, connectPair, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type Connected, connect, ENGINES, type EngineName, startEngine } from "./support/engines.ts";
import { SLOWNESS, slowed } from "./support/slow-time.ts";

interface Running {
  readonly connected: Connected;
  close(): Promise<void>;
}
const running = new Map<EngineName, Running>();
beforeAll(async () => {
  for (const name of ENGINES) {
    const engine = await startEngine(name);
    const connected = await connect(name, engine.url);
    running.set(name, { connected, close: () => connected.close().then(engine.close) });
  }
});
afterAll(async () => {
  for (const one of running.values()) await one.close();
});

/** What a guard keeps its keys in. `age` lets time pass for them. */
interface KeptKeys {
  readonly store: ExtendableIdempotencyStore;
  age(ms: number): unknown;
}
const onEngine = (name: EngineName): KeptKeys => {
  const connected = running.get(name)?.connected as Connected;
  return { store: connected.store(), age: connected.age };
};
const STORES = {
  memory: () => {
    let now = 0;
    const testing = { clock: { monotonic: () => now } };
    const store = memoryIdempotency({ maxKeysPerCaller: Number.POSITIVE_INFINITY, testing });
    return { store, age: (ms) => (now += ms) };
  },
  postgres: () => onEngine("postgres"),
  redis: () => onEngine("redis"),
} as const satisfies Record<string, () => KeptKeys>;

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The time limit of the first call. The others have time. */
const DEADLINE_MS = 300;
const PATIENCE_MS = 600_000;
/** By then a claim is late: the guard gives a call five seconds more than its time limit. */
const LATE_MS = DEADLINE_MS + 5_000;

/** A server whose tool ends when the gate opens. */
async function till(era: Era, { store, age }: KeptKeys) {
  let effects = 0;
  let limitMs = DEADLINE_MS;
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const pair = await connectPair(era, (server: AnyServer) => {
    const pay = async () => {
      limitMs = PATIENCE_MS;
      begun.resolve();
      await gate.promise;
      effects += 1;
      return { content: [{ type: "text", text: `payment ${effects}` }] };
    };
    server.registerTool("pay", { inputSchema: z.object({ cents: z.number() }) }, pay as never);
    return guard(server, {
      idempotency: { store: slowed(store), caller: () => "ann" },
      deadlineMs: () => limitMs,
      sink: () => {},
    });
  });
  const key = crypto.randomUUID();
  const call = async (cents = 5) => {
    const params = { name: "pay", arguments: { cents }, _meta: { "recourse/call": { key } } };
    const result = (await pair.client.callTool(params)) as ToolResult;
    const fault = readFault(result._meta?.["recourse/fault"]);
    return fault === undefined ? result.content[0]?.text : tellingOf(fault);
  };
  const late = () => age(LATE_MS * SLOWNESS);
  return { call, begun: begun.promise, gate, late, effects: () => effects, close: () => pair.close() };
}

/** What decides how a caller goes on. */
function tellingOf({ reason, kind, effect, retry, recourse }: Fault): object {
  return { reason, kind, effect, retry, recourse };
}

const REASON = (reason: string) => expect.objectContaining({ reason });

describe.each(ERAS)("to a client of %s", (era) => {
  it("a key that is used, unknown, reused and settled is answered alike with every store", async () => {
    const told = await Promise.all(
      Object.values(STORES).map(async (store) => {
        const { call, begun, gate, late, effects, close } = await till(era, store());
        const first = call();
        const answers: unknown[] = [];
        await begun;
        answers.push(await call(), await call(6), await first);
        await late();
        answers.push(await call());
        gate.resolve();
        await expect.poll(() => call()).toBe("payment 1");
        answers.push(await call(), await call(6), effects());
        await close();
        return answers;
      }),
    );
    expect(told[0]).toEqual([
      REASON("idempotency/in_progress"),
      REASON("idempotency/key_reused"),
      REASON("tool/timeout"),
      REASON("idempotency/outcome_unknown"),
      "payment 1",
      REASON("idempotency/key_reused"),
      1,
    ]);
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
  });
});
