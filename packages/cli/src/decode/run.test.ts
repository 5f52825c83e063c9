import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DIALECTS } from "@recourse/core/dialects";
import { core } from "@recourse/core/reasons";
import { stderrSink } from "@recourse/core/server";
import type { LogLine } from "@recourse/explain";
import { describe, expect, it, onTestFinished } from "vitest";
import { COMMANDS } from "../commands/index.ts";
import type { Io } from "../program/command.ts";
import type { Recording } from "../recording/recording.ts";
import type { LogSummary } from "./failure-group.ts";
import { readLogLines } from "./read-log.ts";
import { runDecode, type TargetDialect } from "./run.ts";

const TARGET_DIALECTS = Object.keys(DIALECTS) as TargetDialect[];

interface Setting {
  readonly options?: Record<string, string | boolean>;
  readonly file?: string;
  readonly columns?: number;
  readonly more?: Partial<Io>;
}

async function* bytesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

async function decode(input: string, { options = {}, file, columns = 80, more = {} }: Setting = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const io: Io = {
    stdin: bytesOf(input),
    stdout: { columns, write: (text) => void out.push(text) },
    stderr: { write: (text) => void err.push(text) },
    env: { LANG: "C.UTF-8" },
    cwd: tmpdir(),
    now: () => 0,
    signal: new AbortController().signal,
    ...more,
  };
  const outcome = await runDecode({ positionals: file === undefined ? [] : [file], options }, io);
  return { outcome, out: out.join(""), err: err.join("") };
}

async function summaryOf(input: string): Promise<LogSummary> {
  return JSON.parse((await decode(input, { options: { json: true } })).out) as LogSummary;
}

const request = (id: unknown, name: string) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name } });
const failed = (id: unknown, text: string) => ({
  jsonrpc: "2.0",
  id,
  result: { isError: true, content: [{ type: "text", text }] },
});
const refused = (id: unknown, message: string, code = -32602) => ({ jsonrpc: "2.0", id, error: { code, message } });
const lines = (...values: unknown[]) =>
  values.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");

describe("recourse decode", () => {
  it("groups failures, and names the tools of both kinds of ids", async () => {
    const log = lines(
      request(1, "search"),
      request("1", "report"),
      failed(1, "Rate limit exceeded"),
      failed("1", "Rate limit exceeded"),
      refused(2, "Tool nope not found"),
      { jsonrpc: "2.0", id: 3, result: { content: [] } },
    );
    const { messages, failures, groups } = await summaryOf(log);
    expect({ messages, failures }).toEqual({ messages: 6, failures: 3 });
    expect(groups).toMatchObject([
      { count: 2, kind: "rate_limited", channel: "isError", tools: { search: 1, report: 1 } },
      { count: 1, kind: "not_found", reason: "tool/not_found", channel: "error -32602", sample: "Tool nope not found" },
    ]);
  });

  it("finds messages wherever they stand in a log", async () => {
    const message = refused(1, "Session not found", -32001);
    const text = JSON.stringify(message);
    const forms = [
      text,
      `data: ${text}`,
      `event: message\ndata:${text}\n`,
      `2026-11-16 09:31 {cfg} <- ${text} (4 ms)`,
      JSON.stringify([message]),
      JSON.stringify(message, undefined, 2),
      JSON.stringify([message], undefined, 2),
      JSON.stringify({ level: 30, msg: "answer", response: message }),
      JSON.stringify({ level: 30, msg: text }),
      `\uFEFF${text}\r\n`,
    ];
    for (const form of forms) {
      const { groups } = await summaryOf(form);
      expect(groups, form).toMatchObject([{ count: 1, reason: "protocol/session_not_found" }]);
    }
    const printed = forms.slice(5, 7).join("\n");
    expect((await summaryOf(`${printed}\n${text}`)).failures).toBe(3);
  });

  it("reads lines again that began like a document", async () => {
    const log = lines("{ not json", refused(1, "Tool a not found"), "[warn] odd", refused(2, "Tool b not found"));
    expect((await summaryOf(log)).failures).toBe(2);
  });

  it("reads HTTP answers and the waits in them", async () => {
    const { groups } = await summaryOf(lines({ status: 429, headers: { "retry-after": "30" }, body: "slow down" }));
    expect(groups).toMatchObject([{ kind: "rate_limited", channel: "HTTP 429", repeat: "yes, after 30 s" }]);
  });

  it("reads a recording, with the tools of its exchanges", async () => {
    const exchange = (id: string, more: object) => ({
      id,
      stimulus: "valid-call",
      sent: { text: "", bytes: 0 },
      ...more,
    });
    const recording: Pick<Recording, "format"> = { format: "recourse-recording/1" };
    const arrived = { ms: 1, text: "", bytes: 0 };
    const exchanges = [
      exchange("a", {
        tool: "search",
        answer: { ...arrived, kind: "message", message: failed(1, "Rate limit exceeded") },
      }),
      exchange("b", {
        answer: { ...arrived, kind: "body", text: "<html>", http: { status: 503, headers: {}, streamed: false } },
      }),
      exchange("c", { answer: { kind: "silent", ms: 1, strays: [] } }),
    ];
    const { messages, groups } = await summaryOf(lines({ ...recording, eras: [{ exchanges }] }));
    expect(messages).toBe(2);
    expect(groups).toMatchObject([
      { kind: "rate_limited", tools: { search: 1 } },
      { kind: "unavailable", channel: "HTTP 503" },
    ]);
  });

  it("finds answers that say success and read like a failure", async () => {
    const says = (result: object) => ({ jsonrpc: "2.0", id: 1, result });
    const log = lines(
      says({ content: [{ type: "text", text: "Error searching: nothing there" }] }),
      says({ content: [], structuredContent: { success: false } }),
      says({ content: [{ type: "text", text: "Errors are rare in this text" }] }),
    );
    const { failures, groups } = await summaryOf(log);
    expect(failures).toBe(2);
    expect(groups.map(({ kind, channel, sample }) => [kind, channel, sample])).toEqual([
      ["looks_failed", "says success", "Error searching: nothing there"],
      ["looks_failed", "says success", '{"success":false}'],
    ]);
  });

  it("tells failures without a reason apart by their words, not by their numbers", async () => {
    const log = lines(
      failed(1, 'Job 17 of "a" broke'),
      failed(2, 'Job 18 of "b" broke'),
      failed(3, "The printer is on fire"),
    );
    expect((await summaryOf(log)).groups.map(({ count }) => count)).toEqual([2, 1]);
  });

  it("marks leaks and shows neither them nor control characters", async () => {
    const log = lines(
      failed(1, "password=hunter2hunter2 at postgres://me:hunter2hunter2@db/x"),
      failed(2, "odd \u001b[2J\u202e text"),
    );
    for (const options of [{}, { json: true }, { to: "mcp" }]) {
      const { out } = await decode(log, { options });
      for (const text of ["hunter2hunter2", "\u001b", "\u202e"]) expect(out).not.toContain(text);
    }
    const { groups } = await summaryOf(log);
    expect(groups[0]).toMatchObject({ leak: expect.any(String) });
    expect(groups[0]).not.toHaveProperty("sample");
  });

  it("shows one group in full", async () => {
    const log = lines(request(1, "search"), failed(1, "Rate limit exceeded"), refused(2, "Tool nope not found"));
    const [group] = (await summaryOf(log)).groups;
    const { out } = await decode(log, { options: { fingerprint: group?.fingerprint.slice(0, 6) ?? "" } });
    for (const part of [group?.fingerprint, "search (1)", "Rate limit exceeded", "recourse explain core/rate_limited"])
      expect(out).toContain(part);
    const refusals = [
      await decode(log, { options: { fingerprint: "zz" } }),
      await decode(log, { options: { fingerprint: "" } }),
    ];
    expect(refusals.map(({ outcome }) => outcome)).toMatchObject([
      { failure: { exit: "usage", message: "No group has this fingerprint." } },
      { failure: { exit: "usage", message: "2 groups have this fingerprint: give more digits." } },
    ]);
  });

  it("offers every dialect that it can write", () => {
    expect(COMMANDS.find(({ name }) => name === "decode")?.options["to"]?.choices).toEqual(TARGET_DIALECTS);
  });

  it.each(TARGET_DIALECTS)("writes failures in the dialect %s, one a line", async (to) => {
    const { out } = await decode(lines(failed(7, "Rate limit exceeded"), refused("x", "Tool a not found")), {
      options: { to },
    });
    const written = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(written).toHaveLength(2);
    if (to !== "http")
      expect(written).toMatchObject([
        { jsonrpc: "2.0", id: 7 },
        { jsonrpc: "2.0", id: "x" },
      ]);
  });

  it("reads a file, and says which one it cannot read", async () => {
    const folder = mkdtempSync(join(tmpdir(), "decode-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "a.log"), lines(refused(1, "Tool a not found")));
    const { out } = await decode("", { file: "a.log", more: { cwd: folder } });
    expect(out).toContain("1 line, 1 failure\n  1 read (1 message), 0 skipped\n");
    const missing = { exit: "usage", code: "unreadable", message: "The file b.log cannot be read: ENOENT." };
    expect((await decode("", { file: "b.log", more: { cwd: folder } })).outcome).toMatchObject({ failure: missing });
    expect((await decode("", { file: ".", more: { cwd: folder } })).outcome).toMatchObject({
      failure: { exit: "usage" },
    });
  });

  it.each([40, 80])("fits into %i columns", async (columns) => {
    const log = lines(
      request(1, "a-tool-with-a-long-name"),
      failed(1, `Rate limit exceeded ${"x".repeat(200)}`),
      refused(2, "Tool b not found"),
    );
    const { out } = await decode(log, { columns });
    // Commands stay on one line, so that they can be copied.
    for (const line of out.split("\n").filter((one) => !one.includes("→ recourse")))
      expect(line.length).toBeLessThanOrEqual(columns);
  });

  it("says what it skipped, and why: every line is counted once", async () => {
    const log = lines(
      '{"jsonrpc":"2.0","id":7,"resu',
      refused(1, "Tool a not found"),
      "",
      "The server is ready.",
      { level: "info", message: "a request" },
      { level: "info", message: "another one" },
    );
    expect(await summaryOf(log)).toMatchObject({
      lines: 5,
      understood: 1,
      skipped: { text: 1, json: 2, malformed: 1, tooLong: 0 },
      messages: 1,
      failures: 1,
    });
    const { out } = await decode(log);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "1 read (1 message), 4 skipped: 1 plain text without a known failure, 2 JSON without a message of MCP or a failure, 1 JSON that is cut or malformed",
    );
    expect((await decode("hello\n\0\x01binary")).out).toContain("Nothing here is a message of MCP");
    expect((await decode("")).outcome).toEqual({ exit: "ok" });
  });

  it("reads the log that a host writes about a server", async () => {
    const log = lines(
      "2025-03-04T10:09:08.850Z [sentry] [info] Initializing server...",
      `2025-03-04T10:09:08.886Z [sentry] [error] spawn uvx ENOENT {"context":"connection","stack":"Error: spawn uvx ENOENT\\n    at onexit"}`,
      "2025-03-04T10:09:09.886Z [sentry] [error] spawn uvx ENOENT",
      "2025-03-04T10:09:10.000Z [sentry] [info] Server transport closed",
      `2025-03-04T10:12:01.100Z [shop] [info] Message from client: ${JSON.stringify(request(1, "search"))}`,
      `2025-03-04T10:12:01.300Z [shop] [info] Message from server: ${JSON.stringify(failed(1, "Rate limit exceeded"))}`,
      "Traceback (most recent call last):",
      '  File "/app/server.py", line 3, in <module>',
      "    import mcp",
      "ModuleNotFoundError: No module named 'mcp'",
    );
    const { groups, ...summary } = await summaryOf(log);
    expect(summary).toMatchObject({ lines: 10, understood: 8, skipped: { text: 2 }, messages: 2, failures: 4 });
    expect(groups).toMatchObject([
      {
        count: 2,
        kind: "connection",
        cause: "D1",
        sample: expect.stringContaining("spawn uvx ENOENT"),
        firstAt: "2025-03-04T10:09:08.886Z",
        lastAt: "2025-03-04T10:09:09.886Z",
        next: ["recourse explain D1"],
      },
      { reason: "core/rate_limited", tools: { search: 1 }, firstAt: "2025-03-04T10:12:01.300Z" },
      { count: 1, kind: "connection", channel: "text", sample: expect.stringContaining("No module named") },
    ]);
  });

  it("counts a failure once that a server and its gateway have logged, and groups by the cause", async () => {
    const ids = { server: "01M7P3SK82NQKPZ0WYT6SH4YJZ", gateway: "01M7P3SK8H6KPQZEGNW9770T9H" };
    const fault = core.unavailable.fault({});
    const written: string[] = [];
    const logged = (incident: string) => ({ ...fault, incident, at: "2026-11-18T01:19:30.050Z" });
    const cause = Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:5432"), { code: "ECONNREFUSED" });
    stderrSink({ write: (text) => written.push(text) })({
      fault: logged(ids.server),
      at: "2026-11-18T01:19:30.050Z",
      tool: "find_order",
      cause: new Error("the query failed", { cause }),
    });
    const gateway = {
      level: "error",
      time: "2026-11-18T01:19:30.088Z",
      message: fault.message,
      upstream: "orders",
      tool: "orders__find_order",
      upstreamIncident: ids.server,
      upstreamLog: written.join(""),
      admission: { id: ids.gateway, isKept: true },
      fault: logged(ids.gateway),
    };
    const { groups, ...summary } = await summaryOf(lines(written.join("").trimEnd(), gateway));
    expect(summary).toMatchObject({ failures: 1, incidents: 2, repeated: 1, understood: summary.lines });
    expect(groups).toMatchObject([
      {
        count: 1,
        reason: "core/unavailable",
        channel: "server log, gateway log",
        thrown: "Error, caused by Error ECONNREFUSED",
        tools: { find_order: 1 },
        incidents: [ids.gateway],
        next: [`recourse incident ${ids.gateway}`, "recourse explain core/unavailable"],
      },
    ]);
    // One gateway gives one id to many failures when there are too many.
    const shared = { ...gateway, admission: { id: ids.gateway, isKept: false } };
    expect(await summaryOf(lines(gateway, shared, shared))).toMatchObject({ failures: 3, repeated: 0 });
  });

  it("reads JSON of any depth", async () => {
    const deep = (open: string, close: string) => open.repeat(20_000) + close.repeat(20_000);
    const log = lines(
      deep("[", "]"),
      `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
      refused(1, "Tool a not found"),
    );
    expect(await summaryOf(log)).toMatchObject({ messages: 1, failures: 1 });
  });

  it("keeps a bounded number of groups", async () => {
    const words = Array.from({ length: 1_100 }, (_, at) =>
      failed(at, `${"abcdefghij".repeat(2).slice(at % 10)} ${letters(at)} broke`),
    );
    const { groups, ungrouped, failures } = await summaryOf(lines(...words));
    expect({ groups: groups.length, ungrouped, failures }).toEqual({ groups: 1_000, ungrouped: 100, failures: 1_100 });
  });

  it("says what it waits for at a terminal", async () => {
    const stdin = Object.assign(bytesOf(""), { isTTY: true });
    expect((await decode("", { more: { stdin } })).err).toContain("press Ctrl-D");
    const quiet = { options: { quiet: true }, more: { stdin: Object.assign(bytesOf(""), { isTTY: true }) } };
    expect((await decode("", quiet)).err).toBe("");
  });

  it("stops waiting at Ctrl-C and shows what it has read", async () => {
    const interrupt = new AbortController();
    const never = new Promise<never>(() => {});
    const stdin = (async function* () {
      yield new TextEncoder().encode(`${JSON.stringify(refused(1, "Tool a not found"))}\n`);
      setImmediate(() => interrupt.abort());
      await never;
    })();
    const { out } = await decode("", { more: { stdin, signal: interrupt.signal } });
    expect(out).toContain("1 line, 1 failure");
  });
});

/** A word of its own for each number, without digits. */
function letters(number: number): string {
  return [...String(number)].map((digit) => "qwertzuiop".charAt(Number(digit))).join("");
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("readLogLines", () => {
  const all = async (max: number, ...texts: string[]): Promise<LogLine[]> =>
    collect(readLogLines(bytesOf(...texts), max));

  it("joins chunks, and cuts what is too long", async () => {
    expect(await all(5, "ab", "c\nd", "efghijk\r\n", "\n", "x")).toEqual([
      { text: "abc", cut: false },
      { text: "defgh", cut: true },
      { text: "", cut: false },
      { text: "x", cut: false },
    ]);
  });

  it("reads characters that are split between chunks", async () => {
    const bytes = new TextEncoder().encode("ä\n");
    const chunks = (async function* () {
      for (const byte of bytes) yield Uint8Array.of(byte);
    })();
    expect(await collect(readLogLines(chunks))).toEqual([{ text: "ä", cut: false }]);
  });
});
