import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { COMPILE_CACHE } from "../test/support/compile-cache.ts";

const MAIN = join(import.meta.dirname, "main.ts");
const isWindows = process.platform === "win32";

// Node warns on stderr if both are set.
const { FORCE_COLOR: _, ...rest } = process.env;
const ENV = { ...rest, ...COMPILE_CACHE, NO_COLOR: "1" };

function start(...args: string[]): ChildProcessWithoutNullStreams {
  return startNode([MAIN, ...args]);
}

function startNode(args: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, ["--conditions=@recourse/source", ...args], { env: ENV });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function ended(child: ChildProcessWithoutNullStreams) {
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const exitCode = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { exitCode, stdout, stderr };
}

const MESSAGE = `${JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32602, message: "Tool a not found" } })}\n`;

describe("the program", () => {
  it("explains, and ends with 0", async () => {
    const { exitCode, stdout, stderr } = await ended(start("explain", "-32001"));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("MCP SDK v1, your side");
  });

  it("refuses with 2, and with one line of JSON if asked", async () => {
    const { exitCode, stdout, stderr } = await ended(start("explain", "--jsno", "--json"));
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "usage" } });
  });

  it("reads what is piped in", async () => {
    const child = start("decode", "--json");
    child.stdin.end(MESSAGE);
    const { exitCode, stdout } = await ended(child);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ messages: 1, failures: 1 });
  });

  it("prints everything, however late it is read", async () => {
    const child = start("decode", "--to", "mcp");
    child.stdin.end(MESSAGE.repeat(5_000));
    await once(child.stdout, "readable");
    // A pipe holds a part of the output only. A program that ends without waiting for its reader has ended by then.
    await sleep(1_500);
    const { exitCode, stdout } = await ended(child);
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd().split("\n")).toHaveLength(5_000);
  });

  // The version is replaced before anything is loaded. The built program is tried with a real one in test/old-node.test.ts.
  it("says which Node.js it needs, and loads nothing else on an older one", async () => {
    const older = `data:text/javascript,${encodeURIComponent('Object.defineProperty(process.versions,"node",{value:"20.20.2"})')}`;
    const { exitCode, stdout, stderr } = await ended(startNode(["--import", older, MAIN, "probe", "x"]));
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: "" });
    expect(stderr).toMatch(/^recourse needs Node\.js \d+\.\d+\.\d+ or later\. This is 20\.20\.2\.\n$/);
    const asJson = await ended(startNode(["--import", older, MAIN, "probe", "--json", "x"]));
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: "node-version" } });
  });

  // Windows has no signals: killing a process ends it at once.
  it.skipIf(isWindows).each(["SIGINT", "SIGTERM"] as const)(
    "shows what it knows after %s and ends with 130",
    async (signal) => {
      const child = start("decode", "--verbose");
      const end = ended(child);
      // The progress tells that the first message was read; more follows until it does.
      const feeding = setInterval(() => child.stdin.write(MESSAGE), 50);
      child.stdin.on("error", () => {});
      child.stderr.once("data", () => child.kill(signal));
      const { exitCode, stdout, stderr } = await end;
      clearInterval(feeding);
      expect(exitCode).toBe(130);
      expect(stdout).toMatch(/\d+ lines?, \d+ failures?/);
      expect(stderr).not.toContain("bug");
    },
  );

  it.skipIf(isWindows)("ends quietly when its reader has gone", async () => {
    const folder = mkdtempSync(join(tmpdir(), "main-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "long.log");
    writeFileSync(file, MESSAGE.repeat(20_000));
    const child = start("decode", file, "--to", "mcp");
    child.stdout.once("data", () => child.stdout.destroy());
    const { exitCode, stderr } = await ended(child);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });
});
