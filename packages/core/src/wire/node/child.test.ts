import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hostEnvironment, startChild } from "./child.ts";

const env = hostEnvironment(process.env);

function node(script: string, signal?: AbortSignal) {
  return startChild({ command: process.execPath, args: ["-e", script], env, signal });
}

async function firstLine(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const piece of stream) {
    text += String(piece);
    if (text.includes("\n")) return text.slice(0, text.indexOf("\n"));
  }
  return text;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that nobody has collected yet is not running.
    return process.platform !== "linux" || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

test("closing stdin is enough for a program that ends with it", async () => {
  const child = node("process.stdin.resume().on('end', () => process.exit(7))");
  expect(await child.stop({ closeMs: 30_000 })).toEqual({ code: 7, signal: null });
  expect(child.exit()).toEqual({ code: 7, signal: null });
});

test("a program that ignores the end of stdin and SIGTERM is killed", async () => {
  const child = node("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')");
  await firstLine(child.stdout);
  expect(await child.stop({ closeMs: 50, terminateMs: 50 })).toEqual({ code: null, signal: "SIGKILL" });
});

test("children of the program end with it, also when the program went first", async () => {
  const child = node(`
    const { spawn } = require('node:child_process');
    const one = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')"]);
    one.stdout.once('data', () => { console.log(one.pid); process.stdin.resume().on('end', () => process.exit(0)); });
  `);
  const pid = Number(await firstLine(child.stdout));
  expect(isRunning(pid)).toBe(true);
  await child.stop({ closeMs: 30_000 });
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("stopping twice is stopping once", async () => {
  const child = node("setInterval(() => {}, 1000); console.log('up')");
  await firstLine(child.stdout);
  const stopped = child.stop({ closeMs: 0, terminateMs: 30_000 });
  expect(child.stop()).toBe(stopped);
  expect(await stopped).toEqual({ code: null, signal: "SIGTERM" });
});

test("an abort kills at once", async () => {
  const abort = new AbortController();
  const child = node("setInterval(() => {}, 1000); console.log('up')", abort.signal);
  await firstLine(child.stdout);
  abort.abort();
  expect((await child.exited).signal).toBe("SIGKILL");
  await child.stop();
});

test("a program that does not exist is an exit with an error", async () => {
  const child = startChild({ command: "recourse-probe-missing", args: [], env });
  expect((await child.exited).error?.code).toBe("ENOENT");
  expect((await child.stop()).error?.code).toBe("ENOENT");
});

test("the environment has what programs need, and no secret of ours", () => {
  const own = { PATH: "/bin", Path: "C:\\", SESSION_SECRET: "s", AWS_SECRET_ACCESS_KEY: "k", GONE: undefined };
  expect(hostEnvironment(own, { TOKEN: "given" })).toEqual({ PATH: "/bin", Path: "C:\\", TOKEN: "given" });
  const trust = { TZ: "UTC", SSL_CERT_FILE: "/ca.pem", SSL_CERT_DIR: "/ca", NODE_EXTRA_CA_CERTS: "/own.pem" };
  expect(hostEnvironment(trust)).toEqual(trust);
});
