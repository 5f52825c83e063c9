import { PassThrough } from "node:stream";
import { formatId } from "@recourse/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ChildLog } from "./stderr-log.ts";

// Pauses between lines are what the test says.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

async function pause(ms = 100) {
  await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(ms);
}

const id = () => formatId(Date.now(), crypto.getRandomValues(new Uint8Array(16)));

function opened(secrets: readonly string[] = []) {
  const entries: string[] = [];
  let nowMs = 0;
  const log = new ChildLog({ write: (text) => entries.push(text), secrets, now: () => nowMs });
  const stream = new PassThrough();
  log.follow(stream);
  return { log, entries, stream, later: (ms: number) => (nowMs += ms) };
}

describe("the log of a child", () => {
  it("writes lines that come together as one, and keeps the entry of an incident by its id", async () => {
    const { log, entries, stream } = opened();
    const incident = id();
    stream.write(`at=now incident=${incident} kind=internal\n  Error: boom\n      at f (/srv/a.ts:1:2)\nnext\n`);
    await pause();
    expect(entries).toHaveLength(1);
    const entry = `at=now incident=${incident} kind=internal\n  Error: boom\n      at f (/srv/a.ts:1:2)`;
    expect(entries).toEqual([`${entry}\nnext`]);
    await expect(log.entryOf(incident)).resolves.toBe(entry);
  });

  it("waits a moment for an entry that comes after the answer", async () => {
    const { log, stream } = opened();
    const incident = id();
    const entry = log.entryOf(incident);
    stream.write(`incident=${incident}\n  Error: late\n`);
    await pause(5);
    stream.write("      at g (/srv/b.ts:3:4)\n");
    await pause(200);
    await expect(entry).resolves.toBe(`incident=${incident}\n  Error: late\n      at g (/srv/b.ts:3:4)`);
    const missing = log.entryOf(id());
    await pause(200);
    await expect(missing).resolves.toBeUndefined();
  });

  it("cuts secrets and credentials out of a line, and keeps the rest", async () => {
    const { entries, stream } = opened(["correct-horse-battery"]);
    stream.write("login correct-horse-battery failed for ann@example.com\n");
    stream.write("connect postgres://app:hunter2@db:5432/shop refused\n");
    stream.write(
      "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n-----END PRIVATE KEY-----\n",
    );
    stream.write("ready\n");
    await pause();
    expect(entries).toHaveLength(1);
    expect(entries[0]?.split("\n")).toEqual([
      "login [removed] failed for ann@example.com",
      "connect postgres://app:[removed]@db:5432/shop refused",
      "[removed]",
      "ready",
    ]);
  });

  it("cuts out a secret that the program has broken into lines", async () => {
    const { entries, stream } = opened(["correct-horse-battery", "two words (of) a secret"]);
    stream.write("│ token correct-ho │\n│   rse-battery in use │\n");
    stream.write("pass two words\r\n  (of) a secret\n");
    await pause();
    expect(entries).toHaveLength(1);
    expect(entries[0]).not.toMatch(/correct|horse|battery|\(of\)/);
    expect(entries[0]).toContain("in use");
  });

  it("cuts out a secret that stands where an entry is cut", async () => {
    const { entries, stream } = opened(["correct-horse-battery"]);
    stream.write(`${"x".repeat(8_000)}\n${"line\n".repeat(36)}token correct-ho\nrse-battery\nafter\n`);
    await pause();
    expect(entries).toHaveLength(1);
    expect(entries.join("\n")).not.toMatch(/correct|battery/);
  });

  it("writes two entries with a pause between them as two", async () => {
    const { entries, stream } = opened();
    stream.write("one\ntwo\n");
    await pause();
    expect(entries).toEqual(["one\ntwo"]);
    stream.write("\nthree\n\n");
    await pause();
    expect(entries).toEqual(["one\ntwo", "three"]);
    stream.write("\n \n");
    stream.end("four without a line break");
    await pause();
    expect(entries.length).toBe(3);
    expect(entries[2]).toBe(" \nfour without a line break");
  });

  it("is bounded: entries in a window, length of one, lines that are kept", async () => {
    const { log, entries, stream, later } = opened();
    const first = id();
    stream.write(`incident=${first}\n${"  frame\n".repeat(2_000)}`);
    for (let index = 0; index < 40; index += 1) {
      await pause();
      stream.write(`incident=${id()} ${"x".repeat(2_000)}\n`);
    }
    await pause();
    expect(entries).toHaveLength(20);
    expect(Math.max(...entries.map((entry) => entry.length))).toBeLessThan(8_200);
    const forgotten = log.entryOf(first);
    await pause(200);
    await expect(forgotten).resolves.toBeUndefined();
    later(10_000);
    log.line("again");
    expect(entries.slice(-2)).toEqual([expect.stringMatching(/^\(\d+ more entries were left out\)$/), "again"]);
  });

  it("reads a child that writes without end only as far as it may", async () => {
    const { entries, stream, later } = opened();
    for (let index = 0; index < 20; index += 1) stream.write(`${"x".repeat(1_023)}\n`.repeat(1_024));
    stream.write("not read\n");
    await pause();
    later(60_000);
    stream.write("read again\n");
    await pause();
    expect(entries.join("\n")).not.toContain("not read");
    expect(entries.at(-1)).toBe("read again");
  });
});
