import type { Dispatcher } from "undici";
import { expect, it } from "vitest";
import { type Ended, type ExchangeRequest, exchange } from "./exchange.ts";
import { HeldBytes } from "./held.ts";

type Script = (handler: Dispatcher.DispatchHandler, controller: Dispatcher.DispatchController) => void;

/** A pool that plays one script for each time that it is asked to send. */
function poolOf(...scripts: Script[]): { pool: Dispatcher; sent: () => number; aborted: () => number } {
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
  return { pool: { dispatch } as unknown as Dispatcher, sent: () => sent, aborted: () => aborted };
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

function send(pool: Dispatcher, more: Partial<ExchangeRequest> = {}): Promise<Ended> {
  const request: ExchangeRequest = {
    path: "/mcp",
    method: "POST",
    headers: [],
    body: null,
    timeoutMs: 60_000,
    signal: undefined,
    onMessage: undefined,
    ...more,
  };
  return exchange(pool, request, { maxAnswerBytes: 100, held: new HeldBytes(100) });
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
  const { pool, aborted } = poolOf((handler, controller) => {
    handler.onRequestStart?.(controller, undefined);
    setTimeout(() => {
      handler.onResponseStart?.(controller, 200, {});
      handler.onResponseData?.(controller, Buffer.from("late"));
      handler.onResponseEnd?.(controller, {});
    }, 100);
  });
  await expect(send(pool, { timeoutMs: 20 })).resolves.toMatchObject({ how: "late", phase: "sent" });
  expect(aborted()).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 150));
});
