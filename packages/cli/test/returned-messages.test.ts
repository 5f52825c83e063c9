// No secret, path or address is found on a guarded server whose tools return `error.message`, in every mode of `foreignText`, on
// both SDKs and transports. The words of a runtime stay, unless everything is hidden. By day, each mode, SDK and transport is
// probed once.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { isNightly } from "@recourse/test-kit/runs";
import { expect, it } from "vitest";
import { gather } from "../src/gather/gather.ts";
import { judgeRecording } from "../src/judge/judge.ts";
import type { TargetSpec } from "../src/wire/limits.ts";
import { COMPILE_CACHE } from "./support/compile-cache.ts";

const SERVER = fileURLToPath(new URL("servers/returns-message.ts", import.meta.url));

const EVERY_WAY = ["", "hide", "public", "quote"].flatMap((mode) =>
  (["stdio", "v1", "http"] as const).map((how) => [mode, how] as const),
);
const BY_DAY: typeof EVERY_WAY = [
  ["", "http"],
  ["hide", "stdio"],
  ["public", "v1"],
  ["quote", "http"],
];

it.each(isNightly ? EVERY_WAY : BY_DAY)(
  "foreignText %j, %s: no secret",
  async (mode, how) => {
    const args = ["--conditions=@recourse/source", SERVER, ...(mode === "" ? [] : ["--foreign-text", mode])];
    const started = how === "http" ? await startHttp([...args, "--http"]) : undefined;
    try {
      const target: TargetSpec =
        started === undefined
          ? { transport: "stdio", command: process.execPath, args: how === "v1" ? [...args, "--v1"] : args }
          : { transport: "http", url: started.url };
      const gathered = await gather(target, {
        ...(started === undefined && { env: COMPILE_CACHE }),
        signal: new AbortController().signal,
        now: Date.now,
      });
      if (!gathered.ok) throw new Error(`${gathered.failure.message}\n${gathered.failure.detail}`);
      const { score, checks } = judgeRecording(gathered.recording);
      const found = checks.filter(({ state }) => state !== "pass" && state !== "skipped").map(({ id }) => id);
      expect(found).toStrictEqual(mode === "hide" ? [] : ["leak-runtime-text"]);
      expect(score).toBeGreaterThanOrEqual(mode === "hide" ? 100 : 95);
      expect(JSON.stringify(gathered.recording)).not.toMatch(/hunter2Sommer|Sommer2024|srv\/app/);
    } finally {
      started?.child.kill();
    }
  },
  180_000,
);

async function startHttp(args: readonly string[]): Promise<{ child: ChildProcess; url: string }> {
  const env = { ...process.env, ...COMPILE_CACHE };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await once(child.stdout, "data");
  return { child, url: String(line).trim() };
}
