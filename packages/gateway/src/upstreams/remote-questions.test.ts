import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { ServerRequest } from "../call/server-request.ts";
import { openRedis } from "../stores/redis.ts";
import { createReplicaBus } from "../stores/replica-bus.ts";
import { CallQuestions } from "./call-questions.ts";
import { RemoteQuestions, type RemoteQuestionsOptions } from "./remote-questions.ts";

let server: RedisServer;
beforeAll(async () => {
  server = await createRedisServer({ durable: false });
});
afterAll(() => server.close());

// Time passes only if the test says so: nothing is late on a slow machine. What Redis does goes on.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const observer = { unexpected: () => {}, log: () => {} };

async function openReplica(options?: RemoteQuestionsOptions): Promise<RemoteQuestions> {
  const opened = await openRedis({ urls: [server.url], cluster: false, onError: () => {} });
  const bus = await createReplicaBus({ mode: "shared", redis: opened.redis }, { observer });
  onTestFinished(() => {
    bus.close();
    opened.close();
  });
  return new RemoteQuestions(bus, options);
}

const never = new AbortController().signal;
const REQUEST: ServerRequest = { method: "x", params: Buffer.from('{"n":12345678901234567890}') };

it("reaches the call of another replica, with its bytes and back", async () => {
  const [one, other] = await Promise.all([openReplica(), openReplica(), openReplica()]);
  const asked: string[] = [];
  const questions = new CallQuestions(async ({ method, params }) => {
    asked.push(`${method} ${params?.toString()}`);
    return asked.length === 1 ? { result: Buffer.from('{"ü":1e400}') } : { error: Buffer.from('{"code":1}') };
  });
  other.serve("here", () => questions);
  expect(await one.ask("here", REQUEST, never)).toEqual({ result: Buffer.from('{"ü":1e400}') });
  expect(await one.ask("here", { method: "y", params: undefined }, never)).toEqual({
    error: Buffer.from('{"code":1}'),
  });
  expect(asked).toEqual(['x {"n":12345678901234567890}', "y undefined"]);
});

it("finds no call that is not there, or is over by then", async () => {
  const [one, other] = await Promise.all([openReplica(), openReplica()]);
  const questions = new CallQuestions(async () => ({ result: Buffer.from("{}") }));
  other.serve("there", () => questions);
  const expectNone = async (address: string) => {
    const asking = one.ask(address, REQUEST, never);
    // The answer to a later question comes after that to an earlier one.
    expect(await one.ask("there", REQUEST, never)).toBeDefined();
    expect(await Promise.race([asking, Promise.resolve("waiting")])).toBe("waiting");
    vi.advanceTimersByTime(500);
    expect(await asking).toBeUndefined();
  };
  const leave = other.serve("here", () => undefined);
  await expectNone("here");
  await expectNone("elsewhere");
  leave();
  const leaveAgain = other.serve("here", () => questions);
  questions.end();
  expect(await one.ask("here", REQUEST, never)).toHaveProperty("error");
  leaveAgain();
  await expectNone("here");
});

it("a call of the same process comes first", async () => {
  const one = await openReplica();
  one.serve("here", () => undefined);
  one.serve("here", () => new CallQuestions(async () => ({ result: Buffer.from('"mine"') })));
  expect(await one.ask("here", REQUEST, never)).toEqual({ result: Buffer.from('"mine"') });
});

it("what is withdrawn here is withdrawn there", async () => {
  const [one, other] = await Promise.all([openReplica(), openReplica()]);
  const withdrawn = Promise.withResolvers<void>();
  const asking = new AbortController();
  const questions = new CallQuestions((_request, signal) => {
    signal.addEventListener("abort", () => withdrawn.resolve());
    asking.abort();
    return new Promise(() => {});
  });
  other.serve("here", () => questions);
  expect(await one.ask("here", REQUEST, asking.signal)).toBeUndefined();
  await withdrawn.promise;
});

it("looks for no more than a bound at a time", async () => {
  const one = await openReplica({ maxSeeks: 1 });
  const first = one.ask("here", REQUEST, never);
  expect(await one.ask("here", REQUEST, never)).toBeUndefined();
  expect(await Promise.race([first, Promise.resolve("waiting")])).toBe("waiting");
  vi.advanceTimersByTime(500);
  expect(await first).toBeUndefined();
});
