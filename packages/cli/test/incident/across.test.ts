// One failure of a real guarded server behind a real gateway, found by both of its ids.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { LogSummary } from "../../src/decode/failure-group.ts";
import type { IncidentReport } from "../../src/incident/report.ts";
import { COMPILE_CACHE } from "../support/compile-cache.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
const ORDERS = join(import.meta.dirname, "../servers/guarded-orders.ts");
const { FORCE_COLOR: _, GATEWAY_ADMIN_KEY: __, ...inherited } = process.env;
const ENV = { ...inherited, ...COMPILE_CACHE, NO_COLOR: "1" };
const SOURCE = "--conditions=@recourse/source";
const ID = /[0-7][0-9A-HJKMNP-TV-Z]{25}/;

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "across-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function stopAtEnd<T extends ChildProcess>(child: T): T {
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "close");
  });
  return child;
}

async function recourse(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [SOURCE, MAIN, ...args], { cwd, env: { ...ENV, ...env } });
  child.stdin.end();
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    said.out += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    said.err += String(chunk);
  });
  await once(child, "close");
  return { ...said, code: child.exitCode };
}

/** A gateway in front of the guarded server, each with a log of its own. */
async function startGateway(cwd: string) {
  const key = `operator-${randomUUID()}`;
  const sha256 = createHash("sha256").update(key).digest("hex");
  // The shell keeps the server's log away from the gateway.
  const command = ["sh", "-c", `exec "$0" ${SOURCE} "$1" 2>>orders.log`, process.execPath, ORDERS];
  writeFileSync(
    join(cwd, "gateway.yaml"),
    JSON.stringify({
      listen: "127.0.0.1:0",
      store: "memory",
      authentication: "none",
      upstreams: { orders: { command } },
      admin: { listen: "127.0.0.1:0", keys: [{ id: "ann", sha256 }] },
    }),
  );
  const log = openSync(join(cwd, "gateway.log"), "a");
  const child = stopAtEnd(
    spawn(process.execPath, [SOURCE, MAIN, "serve", "--json"], { cwd, env: ENV, stdio: ["ignore", "pipe", log] }),
  );
  closeSync(log);
  let out = "";
  child.stdout?.on("data", (chunk) => {
    out += String(chunk);
  });
  await vi.waitFor(() => expect(out).toContain("\n"), { timeout: 120_000, interval: 50 });
  const { url, adminUrl } = JSON.parse(out) as { url: string; adminUrl: string };
  return { url, adminUrl, key };
}

async function callTool(url: string, name: string, id: string): Promise<string> {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: { id } } };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const { result } = (await answer.json()) as { result: { content: readonly { text: string }[] } };
  return result.content[0]?.text ?? "";
}

// The log of the server is kept apart with a shell of POSIX.
describe.skipIf(process.platform === "win32")("one failure, in two logs", { timeout: 240_000 }, () => {
  it("is found by both ids, in both logs and in the gateway", async () => {
    const cwd = emptyFolder();
    const { url, adminUrl, key } = await startGateway(cwd);
    const sentence = await callTool(url, "orders__find_order", "A1");
    const [gatewayId = ""] = ID.exec(sentence) ?? [];
    const log = readFileSync(join(cwd, "orders.log"), "utf8");
    const [, serverId = ""] = /incident=(\S+)/.exec(log) ?? [];
    expect([gatewayId, serverId]).toEqual([expect.stringMatching(ID), expect.stringMatching(ID)]);
    expect(gatewayId).not.toBe(serverId);
    await vi.waitFor(() => expect(readFileSync(join(cwd, "gateway.log"), "utf8")).toContain(gatewayId));

    const thrown = { message: "the query for order A1 failed" };
    const cause = {
      relation: "cause",
      message: "connect ECONNREFUSED 10.0.0.5:5432",
      fields: { code: "ECONNREFUSED" },
    };
    const happened = [{ where: "orders", id: serverId, causes: [thrown, cause] }];
    const searches: readonly (readonly string[])[] = [
      [sentence, "gateway.log", "orders.log"],
      [serverId.toLowerCase(), "."],
      [gatewayId, "orders.log", "--url", adminUrl],
      [serverId, "orders.log", "--url", adminUrl],
    ];
    for (const words of searches) {
      const { out, err, code } = await recourse(cwd, ["incident", ...words, "--json"], { GATEWAY_ADMIN_KEY: key });
      expect(code, err).toBe(0);
      const report = JSON.parse(out) as IncidentReport;
      expect(report).toMatchObject({ upstream: "orders", modelRead: { text: sentence, isSent: true }, happened });
      expect([report.id, ...report.related.map(({ id }) => id)].toSorted()).toEqual([gatewayId, serverId].toSorted());
      expect(out + err).not.toContain(key);
    }

    const wrong = await recourse(cwd, ["incident", gatewayId, "--url", adminUrl], {
      GATEWAY_ADMIN_KEY: "wrong-key-of-nobody",
    });
    expect(wrong.code).toBe(4);
    const missing = await recourse(cwd, [
      "incident",
      `${gatewayId.slice(0, -1)}${gatewayId.endsWith("0") ? "1" : "0"}`,
      ".",
    ]);
    expect(missing.code).toBe(1);
    expect(missing.out).toContain("not found in");
  });

  it("is counted once by decode, and every line of both logs is counted", async () => {
    const cwd = emptyFolder();
    const { url } = await startGateway(cwd);
    for (const id of ["A1", "A2"]) await callTool(url, "orders__find_order", id);
    await callTool(url, "orders__place_order", "A3");
    const both = () => readFileSync(join(cwd, "orders.log"), "utf8") + readFileSync(join(cwd, "gateway.log"), "utf8");
    await vi.waitFor(() => expect(both().match(/"upstreamIncident"/g)).toHaveLength(3));
    writeFileSync(join(cwd, "both.log"), both());
    const { out, err, code } = await recourse(cwd, ["decode", "both.log", "--json"]);
    expect(code, err).toBe(0);
    const { groups, ...summary } = JSON.parse(out) as LogSummary;
    expect(summary).toMatchObject({ failures: 3, incidents: 6, repeated: 3 });
    expect(summary.lines).toBe(
      both()
        .split("\n")
        .filter((line) => line.trim() !== "").length,
    );
    expect(summary.understood + Object.values(summary.skipped).reduce((sum, one) => sum + one, 0)).toBe(summary.lines);
    expect(groups).toMatchObject([
      { count: 2, reason: "core/unavailable", tools: { find_order: 2 }, thrown: "Error, caused by Error ECONNREFUSED" },
      { count: 1, reason: "adhoc/unavailable", tools: { place_order: 1 } },
    ]);
  });
});
