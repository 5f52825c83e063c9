// The official suite's scenarios about tasks, behind the gateway, all but the one that it skips itself.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Gateway, startGateway } from "../../src/gateway.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { startConformanceTasks } from "./support/conformance-tasks.ts";

const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
const SCENARIOS = [
  "tasks-lifecycle",
  "tasks-capability-negotiation",
  "tasks-wire-fields",
  "tasks-request-state-removal",
  "tasks-mrtr-input",
  "tasks-request-headers",
  "tasks-dispatch-and-envelope",
  "tasks-required-task-error",
  "tasks-mrtr-composition",
];

let server: Awaited<ReturnType<typeof startConformanceTasks>>;
let gateway: Gateway;
beforeAll(async () => {
  server = await startConformanceTasks();
  const upstreams = [httpUpstream(server.url, { prefix: "" })];
  gateway = await startGateway(testConfig({ drainMs: 0, upstreams }));
});
afterAll(async () => {
  await gateway?.close();
  await server?.close();
});

function runScenario(name: string): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SUITE, "server", "--url", gateway.url.href, "--scenario", name]);
    let output = "";
    const append = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on("data", append);
    child.stderr.on("data", append);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}

it.each(SCENARIOS)("%s", async (name) => {
  const { code, output } = await runScenario(name);
  expect(code, output).toBe(0);
  expect(output).not.toContain("SKIPPED");
});
