import { getEventListeners } from "node:events";
import { expect, it, vi } from "vitest";
import type { SdkClient, SendOptions } from "../sdk/client.ts";
import { type RequestToSend, sendAttempt } from "./send.ts";
import type { ExchangeRecord, TransportObserver } from "./transport/types.ts";

type Answer = (options: SendOptions) => Promise<unknown>;

/** A client that gives prepared answers, and keeps what it was given. */
function peerOf(answer: Answer) {
  const given: SendOptions[] = [];
  const peer: SdkClient<unknown> = {
    client: {},
    send(_method, _params, options) {
      given.push(options);
      return answer(options);
    },
    peekTools: undefined,
    honoursKeys: () => false,
    hasSession: () => false,
    isClosed: () => false,
  };
  return { peer, given };
}

const silent: Answer = () => new Promise(() => {});
const SEEN: ExchangeRecord = { phase: "ended", exchanges: 1, startedMs: 0 };

function sending(peer: SdkClient<unknown>, more: Partial<RequestToSend> = {}): RequestToSend {
  return {
    client: peer,
    method: "tools/call",
    params: {},
    ref: { id: "c", attempt: 1 },
    limitMs: 60_000,
    more: {},
    ...more,
  };
}

function watchedWith(lost: TransportObserver["lost"]): TransportObserver {
  return { lost, abandon: () => {} } as unknown as TransportObserver;
}

it("tells an answer and an error", async () => {
  expect(await sendAttempt(sending(peerOf(async () => "yes").peer))).toEqual({ how: "answered", result: "yes" });
  const error = new Error("no");
  expect(await sendAttempt(sending(peerOf(() => Promise.reject(error)).peer))).toEqual({ how: "threw", error });
  const thrower = peerOf(() => {
    throw error;
  });
  expect(await sendAttempt(sending(thrower.peer))).toEqual({ how: "threw", error });
});

it("gives the SDK no more time than there is, and lets go of everything at the end", async () => {
  const { peer, given } = peerOf(async () => "yes");
  const caller = new AbortController();
  const onprogress = () => {};
  await sendAttempt(sending(peer, { limitMs: 1_500, signal: caller.signal, more: { onprogress } }));
  expect(given).toMatchObject([{ timeout: 1_500, maxTotalTimeout: 1_500, onprogress }]);
  expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  caller.abort();
  // Version 1 would send a cancellation for a request that is long done.
  expect(given[0]?.signal.aborted).toBe(false);
});

it("has no limit that a timer could not count", async () => {
  const { peer, given } = peerOf(async () => "yes");
  await sendAttempt(sending(peer, { limitMs: Number.POSITIVE_INFINITY }));
  expect(given[0]?.timeout).toBe(2 ** 31 - 1);
});

it("ends when the answer is lost", async () => {
  const { peer, given } = peerOf(silent);
  const watched = watchedWith(async () => SEEN);
  expect(await sendAttempt(sending(peer, { transport: watched }))).toEqual({ how: "lost", record: SEEN });
  expect(given[0]?.signal.reason).toBe("no answer can come");
});

it("stops listening for a loss once there is an answer", async () => {
  const signals: AbortSignal[] = [];
  const lost = vi.fn<TransportObserver["lost"]>((_, signal) => {
    signals.push(signal);
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  expect(await sendAttempt(sending(peerOf(async () => "yes").peer, { transport: watchedWith(lost) }))).toMatchObject({
    how: "answered",
  });
  expect(lost.mock.calls[0]?.[0]).toEqual({ id: "c", attempt: 1 });
  expect(signals[0]?.aborted).toBe(true);
});
