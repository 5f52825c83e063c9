// Servers that work are ready: no cause, whatever the transport, the SDK and the era.
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { COMPILE_CACHE } from "../support/compile-cache.ts";
import { diagnose, runDoctor, SETTLED } from "./run-doctor.ts";
import { listen, overHttp, sdkV1, sdkV2 } from "./servers.ts";

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const installed = (path: string): string => fileURLToPath(import.meta.resolve(path));
const SDK = installed("@recourse/test-kit/failing-server-stdio");
const STAND_IN = pathOf("stand-in.ts");
const SOURCES = ["node", "--conditions=@recourse/source"];
/** Machines are busy, and a program may be slow without being broken. */
const PATIENT = ["--timeout", "60"];
const SOONER = Object.entries(COMPILE_CACHE).flatMap((pair) => ["-e", pair.join("=")]);

const OLDER = ["2025-11-25"];
const BOTH = ["2025-11-25", "2026-07-28"];

const PROGRAMS = [
  ["SDK version 1", [...SOURCES, SDK, "v1", "bare"], OLDER],
  ["SDK version 1, guarded", [...SOURCES, SDK, "v1", "guarded"], OLDER],
  ["SDK version 2", [...SOURCES, SDK, "v2", "bare"], BOTH],
  ["SDK version 2, guarded", [...SOURCES, SDK, "v2", "guarded"], BOTH],
  ["server-filesystem", ["node", installed("@modelcontextprotocol/server-filesystem/dist/index.js"), "."], OLDER],
  ["server-memory", ["node", installed("@modelcontextprotocol/server-memory/dist/index.js")], OLDER],
  ["a small server without an SDK", ["node", STAND_IN, "healthy"], OLDER],
  ["a server without tools", ["node", STAND_IN, "no-tools"], OLDER],
] as const;

describe("programs", () => {
  test.for(PROGRAMS)("%s is ready", async ([, command, revisions]) => {
    const run = await diagnose([...PATIENT, ...SOONER, ...command], { waits: SETTLED });
    expect(run).toMatchObject({ cause: null, ready: true, exit: "ok", revisions });
    expect(run.steps.filter(({ state }) => state === "broken")).toEqual([]);
    const notes = run.notes.map(({ id }) => id).filter((id) => id !== "D14");
    expect(notes).toEqual(revisions.length === 1 ? ["D35"] : []);
  });
});

describe("servers over HTTP", () => {
  test.for([
    ["SDK version 1", sdkV1, OLDER],
    ["SDK version 2", sdkV2, BOTH],
  ] as const)("%s is ready", async ([, listener, revisions]) => {
    await using server = await listen(overHttp(listener()));
    const run = await diagnose([...PATIENT, `http://127.0.0.1:${server.port}/mcp`]);
    expect(run).toMatchObject({ cause: null, ready: true, exit: "ok", revisions });
    expect(run.server).toEqual({ name: "shop", version: "1.0.0" });
  });

  test("localhost, IPv6 and credentials in the address work too", async ({ skip }) => {
    const server = await listen(overHttp(sdkV2()), "::1").catch(() => undefined);
    skip(server === undefined, "this machine has no IPv6");
    if (server === undefined) return;
    await using open = server;
    const run = await diagnose([...PATIENT, `http://user:passw0rd@[::1]:${open.port}/mcp`]);
    expect(run.cause).toBeNull();
    expect(JSON.stringify(run)).not.toContain("passw0rd");
  });

  test("a header is sent with every request", async () => {
    const seen: unknown[] = [];
    const mcp = sdkV2();
    await using server = await listen(
      overHttp((incoming, response) => {
        seen.push(incoming.headers["x-shop"]);
        return mcp(incoming, response);
      }),
    );
    const { cause } = await diagnose([...PATIENT, "-H", "X-Shop: one", `http://127.0.0.1:${server.port}/mcp`]);
    expect(cause).toBeNull();
    expect(new Set(seen)).toEqual(new Set(["one"]));
  });
});

test("a person reads one line for each step, and that it is ready", async () => {
  const { stdout, exit } = await runDoctor([...PATIENT, "node", STAND_IN, "healthy"], { waits: SETTLED });
  expect(exit).toBe("ok");
  const lines = stdout.split("\n").map((line) => line.trim());
  const steps = ["command", "start", "first line", "2025-11-25", "list", "2026-07-28", "stop"];
  expect(lines.slice(0, steps.length).map((line) => steps.find((step) => line.slice(2).startsWith(step)))).toEqual(
    steps,
  );
  expect(stdout).toContain("stand-in 1.0.0 is ready over stdio: 2025-11-25");
});
