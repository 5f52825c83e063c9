import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { COMPILE_CACHE } from "../support/compile-cache.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
const { FORCE_COLOR: _, ...rest } = process.env;

/** Starts the program. It is killed when the test has ended. */
export function recourse(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child: ChildProcessWithoutNullStreams = spawn(
    process.execPath,
    ["--conditions=@recourse/source", MAIN, ...args],
    { cwd, env: { ...rest, ...COMPILE_CACHE, NO_COLOR: "1", ...env } },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    said.out += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    said.err += String(chunk);
  });
  return { child, said, ended: once(child, "close").then(() => child.exitCode) };
}

/** A folder that is removed when the test has ended. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "serve-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Waits for a text on one of the outputs. */
export const says = (said: { out: string; err: string }, text: string) =>
  vi.waitFor(() => expect(said.out + said.err).toContain(text), { timeout: 120_000, interval: 50 });

/** Starts the gateway that `recourse init` sets up, on free ports. `change` edits its file before. */
export async function start(env: Readonly<Record<string, string>> = {}, change = (file: string) => file) {
  const cwd = emptyFolder();
  const init = recourse(cwd, ["init", "--listen", "127.0.0.1:0"]);
  expect(await init.ended).toBe(0);
  const [, key = ""] = / GATEWAY_KEY=(\S+)/.exec(init.said.out) ?? [];
  const [, adminKey = ""] = / GATEWAY_ADMIN_KEY=(\S+)/.exec(init.said.out) ?? [];
  const file = join(cwd, "gateway.yaml");
  writeFileSync(file, change(readFileSync(file, "utf8")));
  const serve = recourse(cwd, ["serve"], env);
  await says(serve.said, "\n");
  await says(serve.said, "The API for operators");
  const [, url = ""] = /Listening on (\S+), store: memory/.exec(serve.said.out) ?? [];
  const [, adminUrl = ""] = /The API for operators is at (\S+)/.exec(serve.said.out) ?? [];
  return { ...serve, cwd, key, url, adminKey, adminUrl };
}
