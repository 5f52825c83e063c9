import { PassThrough } from "node:stream";
import { formatId } from "@recourse/faults";
import { describe, expect, it } from "vitest";
import { ChildLog } from "./stderr-log.ts";

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
  it("writes a line and the indented lines after it as one entry, with its incident id", async () => {
    const { log, entries, stream } = opened();
    const incident = id();
    stream.write(`at=now incident=${incident} kind=internal\n  Error: boom\n      at f (/srv/a.ts:1:2)\nnext\n`);
    await expect.poll(() => entries).toHaveLength(2);
    expect(entries).toEqual([
      `at=now incident=${incident} kind=internal\n  Error: boom\n      at f (/srv/a.ts:1:2)`,
      "next",
    ]);
    await expect(log.entryOf(incident)).resolves.toBe(entries[0]);
  });

  it("waits a moment for an entry that comes after the answer", async () => {
    const { log, stream } = opened();
    const incident = id();
    const entry = log.entryOf(incident);
    stream.write(`incident=${incident}\n  Error: late\n`);
    setTimeout(() => stream.write("      at g (/srv/b.ts:3:4)\n"), 5);
    await expect(entry).resolves.toBe(`incident=${incident}\n  Error: late\n      at g (/srv/b.ts:3:4)`);
    await expect(log.entryOf(id())).resolves.toBeUndefined();
  });

  it("cuts secrets and credentials out of a line, and keeps the rest", async () => {
    const { entries, stream } = opened(["correct-horse-battery"]);
    stream.write("login correct-horse-battery failed for ann@example.com\n");
    stream.write("connect postgres://app:hunter2@db:5432/shop refused\n");
    stream.write(
      "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n-----END PRIVATE KEY-----\n",
    );
    stream.write("ready\n");
    await expect.poll(() => entries.at(-1)).toBe("ready");
    expect(entries).toEqual([
      "login <removed> failed for ann@example.com",
      "connect postgres://app:<removed>@db:5432/shop refused",
      "<removed>",
      "ready",
    ]);
  });

  it("is bounded: entries in a window, lines and length of one, entries that are kept", async () => {
    const { log, entries, stream, later } = opened();
    const first = id();
    stream.write(`incident=${first}\n${"  frame\n".repeat(2_000)}`);
    for (let index = 0; index < 200; index += 1) stream.write(`incident=${id()} ${"x".repeat(2_000)}\n`);
    await expect.poll(() => entries).toHaveLength(20);
    expect(Math.max(...entries.map((entry) => entry.length))).toBeLessThan(8_200);
    await expect(log.entryOf(first)).resolves.toBeUndefined();
    later(10_000);
    log.line("again");
    expect(entries.slice(-2)).toEqual([expect.stringMatching(/^\(\d+ more entries were left out\)$/), "again"]);
  });
});
