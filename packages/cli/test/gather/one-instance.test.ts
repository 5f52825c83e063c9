// What a program does around its answers: it may bear no second instance, leave others behind, answer twice, end by itself
// or print what it was given.
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exchangesOf, recordingOf } from "../support/record.ts";

/** A program that speaks both eras. `first` runs at its start, `then` before each answer. */
function program({ first = "", then = "" }: { readonly first?: string; readonly then?: string }) {
  const code = `
    const fs = require("node:fs");
    ${first}
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    const info = { name: "s", version: "1" };
    const results = {
      initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: info },
      "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, serverInfo: info },
      "tools/list": { tools: [] }, ping: {},
    };
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      let m; try { m = JSON.parse(line) } catch { return }
      const { id, method } = m;
      if (method === undefined || id === undefined) return;
      ${then}
      send(results[method] ? { id, result: results[method] } : { id, error: { code: -32602, message: "no" } });
    });`;
  return { transport: "stdio", command: process.execPath, args: ["-e", code] } as const;
}

test("only one instance of a program runs at a time", async () => {
  const lock = join(mkdtempSync(join(tmpdir(), "recourse-")), "lock");
  const taken = `${lock}-taken`;
  // The second instance would take the place of the first.
  const first = `
    try { const pid = Number(fs.readFileSync(${JSON.stringify(lock)}, "utf8")); process.kill(pid, 0); fs.writeFileSync(${JSON.stringify(taken)}, "x"); process.kill(pid); } catch {}
    fs.writeFileSync(${JSON.stringify(lock)}, String(process.pid));`;
  const recording = await recordingOf(program({ first }));
  expect(recording.eras.map(({ revision }) => revision)).toEqual(["2025-11-25", "2026-07-28"]);
  const ended = recording.eras
    .flatMap(({ exchanges }) => exchanges)
    .filter(
      ({ stimulus, answer, ended }) => stimulus !== "close-stdin" && (answer.kind === "closed" || ended !== undefined),
    );
  expect(ended.map(({ id }) => id)).toEqual([]);
  expect(existsSync(taken)).toBe(false);
});

const ONE_ERA = { eras: ["2025-11-25"] } as const;

test.skipIf(process.platform !== "linux")("programs that it leaves behind are named", async () => {
  const spawn = `const { spawn } = require("node:child_process");`;
  // Long enough to be found on any machine; those that are left are killed at the end.
  const wait = `["-e", "setTimeout(() => {}, 600000)"]`;
  const first = `${spawn}
    spawn(process.execPath, ${wait}, { stdio: "ignore", detached: true }).unref();
    spawn(process.execPath, ${wait}, { stdio: "ignore" }).unref();`;
  const recording = await recordingOf(program({ first }), ONE_ERA);
  const left = recording.eras[0]?.leftBehind ?? [];
  expect(left.map(({ name, ended }) => `${name} ${ended}`).sort()).toEqual(["node false", "node true"]);
  for (const { pid, ended } of left) if (!ended) process.kill(pid);
});

test("a second answer, also a late one, is counted", async () => {
  // The answer before is complete.
  const then = `if (method === "tools/list") setTimeout(() => send({ id, result: { tools: [] } }), 30);`;
  const recording = await recordingOf(program({ then }), { ...ONE_ERA, only: ["unknown-tool", "close-stdin"] });
  expect(exchangesOf(recording, "list", "tools/list")[0]?.copies).toBe(2);
  expect(exchangesOf(recording, "unknown-tool", "first")[0]?.copies).toBeUndefined();
});

test("a program that ends after its answer is noticed", async () => {
  // After its answer has left.
  const then = `if (method === "recourse/probe") setTimeout(() => process.exit(3), 5);`;
  const recording = await recordingOf(program({ then }), { ...ONE_ERA, only: ["unknown-method", "notification"] });
  const { exchanges = [] } = recording.eras[0] ?? {};
  // It ends before the next message, or while that is waited for.
  const exits = exchanges.map(({ answer, ended }) => ended ?? answer).filter((one) => "exitCode" in one);
  expect(exits).toMatchObject([{ exitCode: 3 }]);
});

test("a program that ends by a timer is not said to end by a long line", async () => {
  const first = `let long = 0; process.stdin.on("data", (piece) => { long += piece.length; if (long > 1e6 && !fs.existsSync(process.env.ONCE)) { fs.writeFileSync(process.env.ONCE, "x"); process.exit(0); } });`;
  const once = join(mkdtempSync(join(tmpdir(), "recourse-")), "once");
  const recording = await recordingOf(program({ first }), { ...ONE_ERA, env: { ONCE: once }, only: ["long-message"] });
  expect(exchangesOf(recording, "long-message", "itself").map(({ answer }) => answer.kind)).toEqual(["message"]);
});

test("a secret that it was given and that comes back is noted, and hidden", async () => {
  const key = `key-${randomUUID()}`;
  const then = `if (method === "recourse/probe") return send({ id, error: { code: -32601, message: "no " + process.env.SHOP_KEY } });
    if (method === "ping") return send({ id, result: { region: process.env.REGION } });`;
  const first = `console.error(process.env.SHOP_KEY);`;
  const env = { SHOP_KEY: key, REGION: "eu-central-1" };
  const recording = await recordingOf(program({ first, then }), { ...ONE_ERA, env, only: ["unknown-method", "ping"] });
  expect(exchangesOf(recording, "unknown-method")[0]?.secretShown).toBe(true);
  expect(exchangesOf(recording, "ping")[0]?.secretShown).toBeUndefined();
  expect(recording.eras[0]?.secretIn).toEqual(["stderr"]);
  expect(JSON.stringify(recording)).not.toContain(key);
});
