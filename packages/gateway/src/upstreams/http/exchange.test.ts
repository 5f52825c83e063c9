import fc from "fast-check";
import type { Dispatcher } from "undici";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PausableClock } from "../../call/pausable-timer.ts";
import { FairPool } from "../../limits/fair-pool.ts";
import type { Envelope } from "../message.ts";
import { readHttpAnswer } from "./answer.ts";
import { type ExchangeRequest, exchangeHttp, type HttpEnding } from "./exchange.ts";

// Time passes only if the test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const now = () => performance.now();
const LIMITS = {
  maxAnswerBytes: 100,
  memory: new FairPool({ capacity: 100, least: 100 }),
  now,
};
const LARGE = { ...LIMITS, maxAnswerBytes: 2 ** 26, memory: new FairPool({ capacity: 2 ** 26, least: 2 ** 26 }) };

/** What a message is taken for that is the answer. */
const ENVELOPE: Envelope = { id: undefined, method: undefined, result: { start: 0, end: 2 }, error: undefined };

type Script = (handler: Dispatcher.DispatchHandler, controller: Dispatcher.DispatchController) => void;

/** A pool that plays one script for each time that it is asked to send. */
function poolOf(...scripts: Script[]) {
  let sent = 0;
  let aborted = 0;
  const controller = {
    aborted: false,
    paused: false,
    reason: null,
    abort: () => {
      aborted += 1;
    },
    pause() {},
    resume() {},
  };
  const dispatch = (_options: unknown, handler: Dispatcher.DispatchHandler) => {
    const script = scripts[sent];
    sent += 1;
    setImmediate(() => script?.(handler, controller));
    return true;
  };
  return {
    pool: { dispatch } as unknown as Dispatcher,
    sent: () => sent,
    aborted: () => aborted,
  };
}

const refuse: Script = (handler, controller) =>
  handler.onResponseError?.(controller, Object.assign(new Error(), { code: "ECONNREFUSED" }));
const breakOff: Script = (handler, controller) => {
  handler.onRequestStart?.(controller, undefined);
  handler.onResponseError?.(controller, Object.assign(new Error(), { code: "ECONNRESET" }));
};
const answer: Script = (handler, controller) => {
  handler.onRequestStart?.(controller, undefined);
  handler.onResponseStart?.(controller, 103, {});
  handler.onResponseStart?.(controller, 200, { "content-type": "application/json" });
  handler.onResponseData?.(controller, Buffer.from("{"));
  handler.onResponseData?.(controller, Buffer.from("}"));
  handler.onResponseEnd?.(controller, {});
};

function send(pool: Dispatcher, more: Partial<ExchangeRequest> = {}, limits = LIMITS): Promise<HttpEnding> {
  const request: ExchangeRequest = {
    path: "/mcp",
    method: "POST",
    headers: [],
    body: null,
    timeoutMs: 60_000,
    signal: undefined,
    holder: { id: "acme", tenant: "acme" },
    onMessage: undefined,
    ...more,
  };
  return exchangeHttp(pool, request, limits);
}

/** Sends, and lets the time be over once the script has been played. */
async function sendUntilLate(pool: Dispatcher, more: Partial<ExchangeRequest> = {}, limits = LIMITS) {
  const ended = send(pool, { timeoutMs: 50, ...more }, limits);
  await new Promise(setImmediate);
  vi.advanceTimersByTime(50);
  return ended;
}

it("what never left is sent again", async () => {
  const { pool, sent } = poolOf(refuse, answer);
  await expect(send(pool)).resolves.toMatchObject({ how: "answered", status: 200, body: Buffer.from("{}") });
  expect(sent()).toBe(2);
});

it("but only once", async () => {
  const { pool, sent } = poolOf(refuse, refuse, answer);
  await expect(send(pool)).resolves.toMatchObject({ how: "threw", phase: "connect" });
  expect(sent()).toBe(2);
});

it("what may have been received is not", async () => {
  const { pool, sent } = poolOf(breakOff, answer);
  await expect(send(pool)).resolves.toMatchObject({ how: "threw", phase: "sent" });
  expect(sent()).toBe(1);
  const second = poolOf(refuse, breakOff, answer);
  await expect(send(second.pool)).resolves.toMatchObject({ how: "threw", phase: "sent" });
  expect(second.sent()).toBe(2);
});

it("what waits for a connection is never sent once its caller has gone", async () => {
  let begin = () => {};
  const { pool, aborted } = poolOf((handler, controller) => {
    begin = () => handler.onRequestStart?.(controller, undefined);
  });
  const caller = new AbortController();
  const ended = send(pool, { signal: caller.signal });
  await new Promise((resolve) => setImmediate(resolve));
  caller.abort();
  await expect(ended).resolves.toMatchObject({ how: "aborted", phase: "connect" });
  expect(aborted()).toBe(0);
  begin();
  expect(aborted()).toBe(1);
});

it("an answer that comes after the end changes nothing", async () => {
  let answerLate = () => {};
  const { pool, aborted } = poolOf((handler, controller) => {
    handler.onRequestStart?.(controller, undefined);
    answerLate = () => {
      handler.onResponseStart?.(controller, 200, {});
      handler.onResponseData?.(controller, Buffer.from("late"));
      handler.onResponseEnd?.(controller, {});
    };
  });
  await expect(sendUntilLate(pool)).resolves.toMatchObject({ how: "late", phase: "sent" });
  expect(aborted()).toBe(1);
  answerLate();
  expect(aborted()).toBe(1);
});

const KIB = 1_024;
const NOTIFICATION = 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n';
/** What streams may repeat, and after how much of it at most they are cut off. */
const FLOODS = {
  notifications: { chunk: NOTIFICATION.repeat(900), maxBytes: 768 * KIB },
  comments: { chunk: `:${"x".repeat(64 * KIB)}\n`, maxBytes: 4_300 * KIB },
  "empty lines": { chunk: "\n".repeat(64 * KIB), maxBytes: 384 * KIB },
  "empty lines of data": { chunk: "data:\n".repeat(10_000), maxBytes: 1_700 * KIB },
  "events of other types": { chunk: `event: x\ndata: ${"x".repeat(64 * KIB)}\n\n`, maxBytes: 4_300 * KIB },
} as const;

it.each(Object.entries(FLOODS))("a stream that floods is cut off: %s", async (_, { chunk, maxBytes }) => {
  const read = { bytes: 0 };
  const played = poolOf((handler, controller) => {
    handler.onRequestStart?.(controller, undefined);
    handler.onResponseStart?.(controller, 200, { "content-type": "text/event-stream" });
    while (played.aborted() === 0 && read.bytes < 16_384 * KIB) {
      handler.onResponseData?.(controller, Buffer.from(chunk));
      read.bytes += chunk.length;
    }
  });
  await expect(send(played.pool, { onMessage: () => undefined }, LARGE)).resolves.toMatchObject({ how: "too_large" });
  expect(read.bytes).toBeLessThanOrEqual(maxBytes);
});

it("a large answer is no flood, in one event or in one body", async () => {
  const text = `"${"x".repeat(8_192 * KIB)}"`;
  for (const [type, whole] of [
    ["text/event-stream", `data: ${text}\n\n`],
    ["application/json", text],
  ] as const) {
    const played = poolOf((handler, controller) => {
      handler.onRequestStart?.(controller, undefined);
      handler.onResponseStart?.(controller, 200, { "content-type": type });
      for (let at = 0; at < whole.length; at += 64 * KIB)
        handler.onResponseData?.(controller, Buffer.from(whole.slice(at, at + 64 * KIB)));
      handler.onResponseEnd?.(controller, {});
    });
    const ended = await send(played.pool, { onMessage: () => ENVELOPE }, LARGE);
    expect(ended.how === "answered" && ended.body.length).toBe(text.length);
  }
});

it("a body is whole, in whatever pieces it comes", async () => {
  const sizes = fc.array(fc.oneof(fc.nat(20), fc.integer({ min: 4_000, max: 70_000 })), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(sizes, async (lengths) => {
      const pieces = lengths.map((length, at) => Buffer.alloc(length, 0x61 + at));
      const { pool } = poolOf((handler, controller) => {
        handler.onRequestStart?.(controller, undefined);
        handler.onResponseStart?.(controller, 200, { "content-type": "application/json" });
        for (const piece of pieces) handler.onResponseData?.(controller, piece);
        handler.onResponseEnd?.(controller, {});
      });
      const ended = await send(pool, {}, LARGE);
      expect(ended.how === "answered" && ended.body.equals(Buffer.concat(pieces))).toBe(true);
    }),
  );
});

it("an event that is the answer brings its envelope, so that nobody scans it again", async () => {
  const { pool } = poolOf((handler, controller) => {
    handler.onRequestStart?.(controller, undefined);
    handler.onResponseStart?.(controller, 200, { "content-type": "text/event-stream" });
    handler.onResponseData?.(controller, Buffer.from("data: {}\n\n"));
  });
  const ended = await send(pool, { onMessage: () => ENVELOPE });
  expect(ended.how === "answered" && ended.envelope).toBe(ENVELOPE);
  expect(ended.how === "answered" && readHttpAnswer(ended, "1")).toMatchObject({ kind: "failed" });
  const named = { ...ENVELOPE, id: { start: 0, end: 1 } };
  const answered = { ...(ended as Extract<HttpEnding, { how: "answered" }>), body: Buffer.from("1"), envelope: named };
  expect(readHttpAnswer(answered, "1")).toMatchObject({ kind: "answer", envelope: named });
});

it("tiny pieces of a body cost what they take to read", async () => {
  let pieces = 0;
  const played = poolOf((handler, controller) => {
    handler.onRequestStart?.(controller, undefined);
    handler.onResponseStart?.(controller, 200, { "content-type": "application/json" });
    for (; played.aborted() === 0 && pieces < 1_000_000; pieces++)
      handler.onResponseData?.(controller, Buffer.from("x"));
  });
  await expect(send(played.pool, {}, LARGE)).resolves.toMatchObject({ how: "too_large" });
  expect(pieces).toBeLessThan(70_000);
});

it("a stream that goes on after its answer loses its connection at once", async () => {
  let after = 0;
  const played = poolOf((handler, controller) => {
    handler.onRequestStart?.(controller, undefined);
    handler.onResponseStart?.(controller, 200, { "content-type": "text/event-stream" });
    handler.onResponseData?.(controller, Buffer.from("data: {}\n\n"));
    for (; played.aborted() === 0 && after < 1_000; after++)
      handler.onResponseData?.(controller, Buffer.alloc(KIB, "\n"));
  });
  await expect(send(played.pool, { onMessage: () => ENVELOPE })).resolves.toMatchObject({ how: "answered" });
  expect(after).toBe(65);
});

it("its time can stand still, and goes on where it stopped", async () => {
  const silent: Script = (handler, controller) => handler.onRequestStart?.(controller, undefined);
  const { pool } = poolOf(silent);
  let clock: PausableClock | undefined;
  const onClock = (given: PausableClock) => {
    clock = given;
  };
  const sending = send(pool, { timeoutMs: 150, onClock });
  let hasEnded = false;
  void sending.then(() => (hasEnded = true));
  await vi.advanceTimersByTimeAsync(100);
  clock?.pause();
  clock?.pause();
  await vi.advanceTimersByTimeAsync(300);
  clock?.resume();
  // Another call still waits.
  await vi.advanceTimersByTimeAsync(300);
  clock?.resume();
  await vi.advanceTimersByTimeAsync(49);
  expect(hasEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(hasEnded).toBe(true);
  expect(await sending).toMatchObject({ how: "late", phase: "sent" });
  // Pausing what has ended starts nothing.
  clock?.pause();
  clock?.resume();
});
