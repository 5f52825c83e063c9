import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { stampFault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { stderrSink } from "@recourse/core/server";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Io } from "../program/command.ts";
import type { NotFoundReport } from "./page.ts";
import type { IncidentReport } from "./report.ts";
import { idsInText, readQuestion, runIncident } from "./run.ts";

const SERVER_ID = "01M7P3SK82NQKPZ0WYT6SH4YJZ";
const GATEWAY_ID = "01M7P3SK8H6KPQZEGNW9770T9H";
const OTHER_ID = "01M7P3SK9P9QPV7TKPHMFC3HK2";
const AT = "2026-11-18T01:19:30.050Z";

/** What the default sink of a guarded server writes. */
function serverLog(id = SERVER_ID, thrown: unknown = new Error("connect ECONNREFUSED 10.0.0.5:5432")): string {
  const written: string[] = [];
  const fault = stampFault(core.unavailable.fault({}), { incident: id, at: AT });
  stderrSink({ write: (text) => written.push(text) })({ fault, at: AT, tool: "find_order", cause: thrown });
  return written.join("");
}

/** The line of a gateway for the same failure. */
function gatewayLine(): string {
  const fault = stampFault(core.unavailable.fault({}), { incident: GATEWAY_ID, at: AT });
  const facts = { upstream: "orders", tool: "orders__find_order", tenant: "acme", caller: ["key", "acme", "ci"] };
  const sentText = `Not available. If you report this, give incident ${GATEWAY_ID}.`;
  return `${JSON.stringify({ level: "error", time: AT, ...facts, sentText, upstreamIncident: SERVER_ID, durationMs: 22, fault })}\n`;
}

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "incident-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

interface Setting {
  readonly cwd?: string;
  readonly input?: string;
  readonly options?: Record<string, string | boolean | string[]>;
  readonly columns?: number;
}

async function incident(words: readonly string[], { cwd = tmpdir(), input, options = {}, columns = 80 }: Setting = {}) {
  const out: string[] = [];
  const err: string[] = [];
  async function* bytes() {
    if (input !== undefined) yield new TextEncoder().encode(input);
  }
  const io: Io = {
    stdin: Object.assign(bytes(), { isTTY: input === undefined }),
    stdout: { columns, write: (text) => void out.push(text) },
    stderr: { write: (text) => void err.push(text) },
    env: { LANG: "C.UTF-8" },
    cwd,
    now: () => 0,
    signal: AbortSignal.timeout(60_000),
  };
  const outcome = await runIncident({ positionals: words, options }, io);
  return { outcome, out: out.join(""), err: err.join("") };
}

async function reportOf(words: readonly string[], setting: Setting = {}): Promise<IncidentReport> {
  const { out } = await incident(words, { ...setting, options: { ...setting.options, json: true } });
  return JSON.parse(out) as IncidentReport;
}

describe("readQuestion", () => {
  it("finds the id in a pasted sentence, in lower case, and with letters that were misread", () => {
    const words = `Sorry. Incident ${SERVER_ID}. [internal core/internal]`;
    expect(readQuestion(words.split(" "))).toEqual({ ids: [SERVER_ID], paths: [] });
    expect(readQuestion([words, "a.log", "logs"])).toEqual({ ids: [SERVER_ID], paths: ["a.log", "logs"] });
    expect(readQuestion([SERVER_ID.toLowerCase(), "a.log"])).toEqual({ ids: [SERVER_ID], paths: ["a.log"] });
    expect(idsInText(SERVER_ID.replace("01", "Ol"))).toEqual([SERVER_ID]);
    expect(idsInText(`${SERVER_ID} and ${GATEWAY_ID}, ${SERVER_ID}`)).toEqual([SERVER_ID, GATEWAY_ID]);
  });

  it("finds nothing in other words", () => {
    for (const text of [
      "",
      "the file",
      `x${SERVER_ID}`,
      `${SERVER_ID}x`,
      "internationalizationismsab",
      "0".repeat(90_000),
    ])
      expect(idsInText(text), text.slice(0, 40)).toEqual([]);
  });
});

describe("recourse incident", () => {
  it("says what the model read, what happened and what to do", async () => {
    const cwd = folderWith({ "server.log": `ready\n${serverLog(OTHER_ID)}${serverLog()}` });
    const { outcome, out } = await incident([SERVER_ID, "server.log"], { cwd });
    expect(outcome).toEqual({ exit: "ok" });
    for (const part of [
      `${SERVER_ID}  unavailable · core/unavailable`,
      "when    2026-11-18 01:19:30.050 UTC",
      "tool    find_order",
      "The model read (made again from the log)\n    A service that this call needs",
      "Error: connect ECONNREFUSED 10.0.0.5:5432",
      "What to do",
      "server.log:",
      "→ recourse explain core/unavailable",
    ])
      expect(out).toContain(part);
    expect(out).not.toContain(OTHER_ID);
  });

  it.each([SERVER_ID, GATEWAY_ID])(
    "follows the link between a gateway and the server behind it from %s",
    async (id) => {
      const cwd = folderWith({ "orders.log": serverLog(), "gateway.log": `${gatewayLine()}` });
      // In this order the link to the server is found after its log was read.
      const report = await reportOf([id, "orders.log", "gateway.log"], { cwd });
      const other = id === SERVER_ID ? GATEWAY_ID : SERVER_ID;
      expect(report).toMatchObject({
        id,
        upstream: "orders",
        tenant: "acme",
        caller: "key acme ci",
        modelRead: { text: expect.stringContaining("Not available."), isSent: true },
        happened: [{ where: "orders", id: SERVER_ID, causes: [{ message: "connect ECONNREFUSED 10.0.0.5:5432" }] }],
        related: [{ id: other, isFound: true }],
      });
      expect(report.seen.map(({ source }) => source).toSorted()).toEqual(["gateway.log", "orders.log"]);
    },
  );

  it("says which log to search if the upstream's record is missing", async () => {
    const report = await reportOf([GATEWAY_ID], { input: gatewayLine() });
    expect(report.related).toEqual([{ id: SERVER_ID, what: "at the upstream orders", isFound: false }]);
    expect(report.next).toContain(`recourse incident ${SERVER_ID} <log of the upstream>`);
  });

  it("follows links in what is piped in, too", async () => {
    const report = await reportOf([GATEWAY_ID], { input: serverLog() + gatewayLine() });
    expect(report.happened).toMatchObject([{ id: SERVER_ID }]);
    expect(report.seen).toMatchObject([{ source: "standard input" }, { source: "standard input", line: 1 }]);
  });

  it("reads folders, also compressed files and links, but no files that are older than the incident", async () => {
    const cwd = folderWith({
      "logs/app/a.log.gz": gzipSync(serverLog()),
      "logs/old.log": serverLog(),
      "logs/picture.png": Buffer.from([0x89, 0, 1]),
      "logs/node_modules/x.log": serverLog(),
      "gateway.log": gatewayLine(),
    });
    utimesSync(join(cwd, "logs/old.log"), new Date("2026-01-01"), new Date("2026-01-01"));
    utimesSync(join(cwd, "logs/app/a.log.gz"), new Date("2026-12-01"), new Date("2026-12-01"));
    utimesSync(join(cwd, "logs/picture.png"), new Date("2026-12-01"), new Date("2026-12-01"));
    utimesSync(join(cwd, "gateway.log"), new Date("2026-12-01"), new Date("2026-12-01"));
    symlinkSync(join(cwd, "gateway.log"), join(cwd, "logs/current.log"));
    symlinkSync(join(cwd, "logs"), join(cwd, "logs/circle"));
    const { seen } = await reportOf([SERVER_ID, "logs"], { cwd });
    expect(seen.map(({ source }) => source).toSorted()).toEqual(["logs/app/a.log.gz", "logs/current.log"]);
    const missing = (await reportOf([OTHER_ID, "logs"], { cwd })) as unknown as NotFoundReport;
    expect(missing.unread).toEqual({ older: 1, binary: 1, unreadable: 0, tooMany: 0 });
  });

  it("shows lines that only name the id", async () => {
    const input = `2026-11-18 customer reports ${SERVER_ID} \u001b[2J with password=hunter2hunter2\n`;
    const { outcome, out } = await incident([SERVER_ID], { input });
    expect(outcome).toEqual({ exit: "ok" });
    expect(out).toContain("standard input:1  mention");
    for (const hidden of ["\u001b", "hunter2hunter2"]) expect(out).not.toContain(hidden);
  });

  it("reads the answer of a server, if that is all there is", async () => {
    const fault = stampFault(core.timeout.fault({}), { incident: SERVER_ID, at: AT });
    const content = [{ type: "text", text: "It took too long." }];
    const input = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      result: { isError: true, content, _meta: { "recourse/fault": fault } },
    });
    expect(await reportOf([SERVER_ID], { input })).toMatchObject({
      reason: "core/timeout",
      modelRead: { text: "It took too long.", isSent: true },
      seen: [{ as: "answer" }],
    });
  });

  it("says what it searched in vain, and what to try", async () => {
    const early = serverLog(OTHER_ID).replaceAll("2026-11-18", "2026-11-17");
    const cwd = folderWith({ "a.log": early, "damaged.gz": "no gzip" });
    const { outcome, out } = await incident([SERVER_ID, "a.log", "damaged.gz"], { cwd });
    expect(outcome).toEqual({ exit: "findings" });
    const text = out.replaceAll(/\s+/g, " ");
    expect(text).toContain(`${SERVER_ID} not found in 2 files`);
    expect(text).toContain("made 2026-11-18 01:19:30 UTC");
    expect(text).toContain("2026-11-17 01:19:30 UTC");
    expect(text).toContain("cannot be read: Z_DATA_ERROR");
    expect(text).toContain("The logs end before the incident.");
    const { outcome: json, out: data } = await incident([SERVER_ID, "a.log"], { cwd, options: { json: true } });
    expect(json).toEqual({ exit: "findings" });
    expect(JSON.parse(data)).toMatchObject({ id: SERVER_ID, found: false, searched: [{ name: "a.log" }] });
  });

  it("refuses what it cannot look for, or look in", async () => {
    const failure = async (words: readonly string[], setting: Setting = {}) => (await incident(words, setting)).outcome;
    expect(await failure([])).toMatchObject({ failure: { exit: "usage" } });
    expect(await failure(["no", "id", "here"])).toMatchObject({ failure: { message: expect.stringContaining("26") } });
    expect(await failure([SERVER_ID])).toMatchObject({
      failure: { message: expect.stringContaining("Say where to look") },
    });
    expect(await failure([SERVER_ID, "nowhere.log"])).toMatchObject({
      failure: { message: expect.stringContaining("ENOENT") },
    });
    expect(await failure([SERVER_ID], { options: { url: "http://127.0.0.1:9" } })).toMatchObject({
      failure: { exit: "credentials" },
    });
  });

  it("shows no secrets and no control characters, in text and in JSON", async () => {
    const thrown = new Error(
      "\u001b]0;x\u0007 postgres://app:hunter2hunter2@db/x Bearer abcdefghijklmnopqrstuvwxyz0123456789",
    );
    const hostile = serverLog(SERVER_ID, thrown).replace("[removed]", "hunter2hunter2");
    for (const options of [{}, { json: true }]) {
      const { out } = await incident([SERVER_ID], { input: hostile, options });
      for (const text of ["hunter2hunter2", "abcdefghijklmnopqrstuvwxyz0123456789", "\u001b"])
        expect(out).not.toContain(text);
    }
  });

  it("is not confused by lines that are hostile", async () => {
    const loop = JSON.parse(gatewayLine()) as Record<string, unknown>;
    const input = [
      `${'{"a":'.repeat(20_000)}"${SERVER_ID}"${"}".repeat(20_000)}`,
      `{"id":"${SERVER_ID}","kind":{},"sample":[]}`,
      `at= kind= class= reason= incident=${SERVER_ID}`,
      // The gateway's incident names itself as that of the upstream.
      JSON.stringify({
        ...loop,
        upstreamIncident: GATEWAY_ID,
        durationMs: -1,
        upstreamLog: `${SERVER_ID}\n`.repeat(10_000),
      }),
      ...Array.from({ length: 500 }, () => `mention ${SERVER_ID} ${"x".repeat(500)}`),
    ].join("\n");
    const { outcome, out } = await incident([SERVER_ID], { input });
    expect(outcome).toEqual({ exit: "ok" });
    expect(out.length).toBeLessThan(200_000);
  });

  it.each([40, 80])("fits into %i columns", async (columns) => {
    const { out } = await incident([GATEWAY_ID], { input: serverLog() + gatewayLine(), columns });
    for (const line of out.split("\n").filter((one) => !one.includes("→ recourse")))
      expect(line.length, line).toBeLessThanOrEqual(columns);
  });
});
