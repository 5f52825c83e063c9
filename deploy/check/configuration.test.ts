// The configuration files of the manifests, as the gateway reads them: `recourse serve --check`, with real stores.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@recourse/gateway";
import { init, serve } from "@recourse/gateway/commands";
import { createTestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mountSecrets, SECRETS } from "./contract.ts";

const KUBERNETES = join(import.meta.dirname, "../kubernetes");
const FOLDERS = ["base", "overlays/shared", "overlays/production", "overlays/try"];
const DEMO = join(KUBERNETES, "overlays/try/demo-server.mjs");
const read = (folder: string) =>
  mountSecrets(join(cwd, "secrets"), secrets, readFileSync(join(KUBERNETES, folder, "gateway.yaml"), "utf8"));
const secrets: Record<string, string> = { ...SECRETS };

/** The variables that the Deployment sets with the components of the production overlay. */
const env: Record<string, string> = {
  CONSOLE_URL: "https://ops.example.com/console",
  OTLP_URL: "http://127.0.0.1:4318",
};

const cwd = mkdtempSync(join(tmpdir(), "manifests-"));
const closing: (() => unknown)[] = [() => rmSync(cwd, { recursive: true })];

/** What a command wrote, with its world. */
function testIo() {
  const written: string[] = [];
  const stream = { write: (text: string) => void written.push(text) };
  const io = { stdout: stream, stderr: stream, env, cwd, now: Date.now, signal: AbortSignal.timeout(60_000) };
  return { io, text: () => written.join("") };
}

beforeAll(async () => {
  const [redis, database] = await Promise.all([createRedisServer({ durable: false }), createTestDatabase()]);
  closing.push(
    () => redis.close(),
    () => database.drop(),
  );
  Object.assign(secrets, { "redis-url": redis.url, "database-url": database.url });
});

afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** What the gateway remarks. Everyone may call what is made to be tried; no one is let in by its network policy. */
const REMARKS: Readonly<Record<string, readonly string[]>> = { "overlays/try": ["authentication"] };

test.each(FOLDERS)("%s/gateway.yaml has no problems", (folder) => {
  const loaded = loadConfig(read(folder), { environment: env });
  expect(loaded).toMatchObject({ ok: true });
  expect(loaded.warnings.map(({ path }) => path)).toEqual(REMARKS[folder] ?? []);
});

test.each(FOLDERS)(
  "recourse serve --check takes %s/gateway.yaml, with the demo server as its upstream",
  async (folder) => {
    const command = JSON.stringify([process.execPath, DEMO]);
    const text = read(folder).replace(/\{ url: "http:\/\/orders[^}]+\}|\{ command: [^}]+\}/, `{ command: ${command} }`);
    expect(text).toContain(DEMO);
    writeFileSync(join(cwd, "gateway.yaml"), text);
    const { io, text: written } = testIo();
    expect(await serve({ check: true }, io), written()).toEqual({ exit: "ok" });
    expect(written()).toMatch(/^ {2}(?:orders|demo) {2}1 tool, /m);
  },
);

test("the demo server is that of recourse init", async () => {
  const folder = mkdtempSync(join(cwd, "init-"));
  await init({}, { ...testIo().io, cwd: folder });
  const withoutSpaces = (file: string) => readFileSync(file, "utf8").replaceAll(/\s/g, "");
  expect(withoutSpaces(DEMO)).toBe(withoutSpaces(join(folder, "demo-server.mjs")));
});
