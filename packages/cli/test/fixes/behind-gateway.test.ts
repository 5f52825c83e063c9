// A report that advises the gateway must be right: behind a real one, over HTTP, the finding is gone. By day for findings about HTTP
// itself; the nightly check tries every server with a defect, over both transports.

import { fileURLToPath } from "node:url";
import { loadConfig, startGateway } from "@recourse/gateway";
import { isNightly } from "@recourse/test-kit/runs";
import { expect, onTestFinished, test, vi } from "vitest";
import { PROBE_CHECKS } from "../../src/checks/catalogue.ts";
import { chooseFix } from "../../src/fixes/choose-fix.ts";
import { gather } from "../../src/gather/gather.ts";
import { judgeRecording } from "../../src/judge/judge.ts";
import { groupsFor } from "../bad-server/defect.ts";
import { EVERY_DEFECT } from "../bad-server/defects/index.ts";
import { startBadServer } from "../bad-server/http.ts";
import { viewOf } from "../support/make-recording.ts";

/** A server in a language that has no lines of its own: all that can help is the gateway. */
const FOREIGN = viewOf([], { target: { command: ["cargo", "run"] } }).recording;
const PROMISED = new Set(PROBE_CHECKS.filter((check) => chooseFix(check, FOREIGN).fix.gateway).map(({ id }) => id));

const BY_DAY = [
  "code-legacy-range",
  "http-error-json",
  "http-no-5xx",
  "http-status",
  "session-404",
  "version-detail",
].map((name) => ({ name, transport: "http" as const }));

/** The gateway passes on that a server has no such method, and cannot know better. */
const PASSED_ON: readonly string[] = ["resource-not-found-code/method"];

const AT_NIGHT = Object.entries(EVERY_DEFECT).flatMap(([name, { on, auth }]) =>
  PROMISED.has(checkOf(name)) && auth !== true && !PASSED_ON.includes(name)
    ? (["http", "stdio"] as const)
        .filter((one) => on === "both" || on === one)
        .map((transport) => ({ name, transport }))
    : [],
);

/** The check that a defect is made for. */
function checkOf(defect: string): string {
  return defect.split("/")[0] ?? "";
}

async function startBehindGateway(name: string, transport: "http" | "stdio"): Promise<string> {
  const defect = EVERY_DEFECT[name] ?? expect.fail(`no defect ${name}`);
  const server = transport === "http" ? await startBadServer({ defect }) : undefined;
  if (server !== undefined) onTestFinished(() => server.close());
  const main = fileURLToPath(new URL("../bad-server/main.ts", import.meta.url));
  const upstream =
    server === undefined
      ? { command: [process.execPath, "--conditions=@recourse/source", main, "--stdio", "--defect", name] }
      : { url: server.url.href, era: defect.era ?? "2025-11-25" };
  const file = {
    listen: "127.0.0.1:0",
    store: "memory",
    authentication: "none",
    drain: "1ms",
    upstreams: { shop: upstream },
  };
  const loaded = loadConfig(JSON.stringify(file), { environment: {}, file: "gateway.yaml" });
  if (!loaded.ok) return expect.unreachable(JSON.stringify(loaded.problems));
  const gateway = await startGateway(loaded.config, { sink: () => {} });
  onTestFinished(() => gateway.close());
  const ready = new URL("/ready", gateway.url);
  await vi.waitFor(async () => expect((await fetch(ready)).ok).toBe(true), { timeout: 60_000, interval: 50 });
  return gateway.url.href;
}

test("the gateway is promised for each of them", () => {
  expect(BY_DAY.filter(({ name }) => !PROMISED.has(name))).toEqual([]);
});

test.each(isNightly ? AT_NIGHT : BY_DAY)(
  "$name over $transport is gone behind the gateway",
  { timeout: 240_000 },
  async ({ name, transport }) => {
    const id = checkOf(name);
    const url = await startBehindGateway(name, transport);
    const gathered = await gather(
      { transport: "http", url },
      { allowPrompts: true, only: groupsFor(id), signal: AbortSignal.timeout(120_000), now: Date.now },
    );
    if (!gathered.ok) return expect.unreachable(gathered.failure.message);
    const { checks, target } = judgeRecording(gathered.recording);
    expect(checks.find((check) => check.id === id)).toMatchObject({ state: "pass" });
    // Where the tools are gone too, nothing is fixed.
    expect(target.tools).toBe(4);
  },
);
