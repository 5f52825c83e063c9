import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type CallerStream, KeptUris, OpenStreams } from "./open-streams.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A stream that keeps what is sent to it, and ends as a served one does. */
function streamOf(streams: OpenStreams, nonce: string) {
  const sent: string[] = [];
  const state = { takes: true, isEnded: false };
  const stream: CallerStream = {
    send: (message) => {
      if (state.takes) sent.push(message.toString());
      return state.takes;
    },
    end() {
      state.isEnded = true;
      streams.close(nonce, stream);
    },
  };
  return { stream, sent, state, kept: streams.open(nonce, stream) };
}

describe("a message to a session", () => {
  it("goes to one stream: the newest that takes it", () => {
    const streams = new OpenStreams();
    const [first, second, other] = [streamOf(streams, "a"), streamOf(streams, "a"), streamOf(streams, "b")];
    expect(streams.send("a", Buffer.from("one"))).toBe(true);
    second.state.takes = false;
    expect(streams.send("a", Buffer.from("two"))).toBe(true);
    first.state.takes = false;
    expect(streams.send("a", Buffer.from("three"))).toBe(false);
    expect([first.sent, second.sent, other.sent]).toEqual([["two"], ["one"], []]);
  });

  it("is not sent to a session without a stream", () => {
    const streams = new OpenStreams();
    expect(streams.send("a", Buffer.from("one"))).toBe(false);
    const { stream } = streamOf(streams, "a");
    streams.close("a", stream);
    expect(streams.send("a", Buffer.from("one"))).toBe(false);
  });
});

describe("what a session follows", () => {
  it("is kept for a while after its last stream", () => {
    const streams = new OpenStreams({ keepMs: 1_000 });
    const [first, second] = [streamOf(streams, "a"), streamOf(streams, "a")];
    first.kept.uris.add("doc://one");
    streams.close("a", first.stream);
    vi.advanceTimersByTime(5_000);
    expect(streams.has("a")).toBe(true);
    streams.close("a", second.stream);
    expect(streams.has("a")).toBe(false);
    vi.advanceTimersByTime(999);
    const third = streamOf(streams, "a");
    expect([...third.kept.uris]).toEqual(["doc://one"]);
    streams.close("a", third.stream);
    vi.advanceTimersByTime(1_000);
    expect(streams.size).toBe(0);
    expect([...streamOf(streams, "a").kept.uris]).toEqual([]);
  });

  it("is kept for so many sessions, and forgotten for the longest gone first", () => {
    const streams = new OpenStreams({ maxKept: 10 });
    for (let count = 0; count < 1_000; count++) {
      const { stream } = streamOf(streams, `s${count}`);
      streams.close(`s${count}`, stream);
    }
    expect(streams.size).toBe(10);
    expect(vi.getTimerCount()).toBe(10);
  });

  it("is not pushed out by sessions that follow nothing", () => {
    const streams = new OpenStreams({ maxKept: 10 });
    const follower = streamOf(streams, "a");
    follower.kept.uris.add("doc://one");
    streams.close("a", follower.stream);
    for (let count = 0; count < 1_000; count++) {
      const { stream } = streamOf(streams, `s${count}`);
      streams.close(`s${count}`, stream);
    }
    expect(streams.size).toBe(11);
    expect([...streamOf(streams, "a").kept.uris]).toEqual(["doc://one"]);
  });

  it("is forgotten when the session is over, and its streams end", () => {
    const streams = new OpenStreams();
    const [first, second, other] = [streamOf(streams, "a"), streamOf(streams, "a"), streamOf(streams, "b")];
    first.kept.uris.add("doc://one");
    streams.closeSession("a");
    streams.closeSession("unknown");
    expect([first.state.isEnded, second.state.isEnded, other.state.isEnded]).toEqual([true, true, false]);
    expect(streams.size).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("whoever waits for a stream", () => {
  const signal = new AbortController().signal;

  it("goes on when it is opened", async () => {
    const streams = new OpenStreams();
    const waiting = streams.whenOpen("a", { ms: 1_000, signal });
    streamOf(streams, "b");
    streamOf(streams, "a");
    expect(await waiting).toBe(true);
    expect(await streams.whenOpen("a", { ms: 1_000, signal })).toBe(true);
  });

  it("gives up after the time, and when nobody needs it any more", async () => {
    const streams = new OpenStreams();
    const waiting = streams.whenOpen("a", { ms: 1_000, signal });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await waiting).toBe(false);
    expect(await streams.whenOpen("a", { ms: 1_000, signal: AbortSignal.abort() })).toBe(false);
  });
});

const long = (chars: number, at = 0) => `${at}`.padEnd(chars, "x");

it("keeps 1,000 resources of a session, with 131,072 characters in all", () => {
  const many = new KeptUris({ chars: 0 });
  for (let at = 0; at < 1_000; at++) expect(many.add(`doc://${at}`)).toBe(true);
  expect([many.add("doc://more"), many.add("doc://7"), many.size]).toEqual([false, true, 1_000]);
  const all = { chars: 0 };
  const large = new KeptUris(all);
  expect([large.add(long(131_072)), large.add("x"), large.has("x")]).toEqual([true, false, false]);
  large.delete(long(131_072));
  large.delete("never kept");
  expect([large.add("x"), [...large], all.chars]).toEqual([true, ["x"], 1]);
});

it("keeps 8,192 characters of each session where all of them have many", () => {
  const all = { chars: 0 };
  const greedy = Array.from({ length: 300 }, () => {
    const uris = new KeptUris(all);
    uris.add(long(131_072));
    return uris;
  });
  expect(all.chars).toBe(32 * 1_048_576);
  const late = new KeptUris(all);
  expect([late.add(long(8_193)), late.add(long(8_192)), late.add("x")]).toEqual([false, true, false]);
  for (const uris of greedy) uris.close();
  expect(late.add(long(8_193))).toBe(true);
  late.close();
  expect([all.chars, late.size, late.add("x")]).toEqual([0, 0, false]);
});
