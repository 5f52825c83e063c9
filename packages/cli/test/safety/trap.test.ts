import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { GatherOptions } from "../../src/gather/gather.ts";
import type { Recording } from "../../src/recording/recording.ts";
import { exchangesOf, recordingOf } from "../support/record.ts";

const TRAP = fileURLToPath(new URL("../servers/trap.mjs", import.meta.url));

interface Run {
  readonly what: string;
  readonly args?: Readonly<Record<string, unknown>> | null;
}

/** Probes the server that lies, and returns what it ran. */
async function probe(
  options: Partial<GatherOptions> = {},
  ...mode: readonly string[]
): Promise<{ readonly recording: Recording; readonly runs: readonly Run[] }> {
  const folder = mkdtempSync(join(tmpdir(), "recourse-trap-"));
  const log = join(folder, "runs");
  try {
    const target = { transport: "stdio", command: process.execPath, args: [TRAP, log, ...mode] } as const;
    // It answers in the order of what it got, so nothing can come late.
    const waits = { settleMs: 5 };
    const recording = await recordingOf(target, { eras: ["2025-11-25"], waits, ...options });
    const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
    return { recording, runs: lines.map((line) => JSON.parse(line) as Run) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("a server whose words are not to be trusted", () => {
  let recording: Recording;
  let runs: readonly Run[];
  beforeAll(async () => {
    ({ recording, runs } = await probe());
  }, 120_000);

  test("only tools that read by their word and by their name are run", () => {
    expect(new Set(runs.map(({ what }) => what))).toEqual(new Set(["kubectl_context", "kubectl_logs"]));
    expect(recording.eras[0]?.called).toEqual(["kubectl_context", "kubectl_logs"]);
  });

  test("of the choices of an argument only one that reads is sent as valid", () => {
    const operations = runs.filter(({ what }) => what === "kubectl_context").map(({ args }) => args?.["operation"]);
    expect(operations).toContain("list");
    for (const operation of operations) expect(["set", "delete"]).not.toContain(operation);
  });

  test("every tool that was left alone has a reason", () => {
    const spared = new Map(recording.eras[0]?.spared.map(({ tool, because }) => [tool, because]));
    expect(spared.get("set_flag")).toContain('"set"');
    expect(spared.get("runQuery")).toContain('"run"');
    expect(spared.get("get_report")).toContain("destructiveHint");
    expect(spared.get("lookup")).toContain("readOnlyHint");
    expect(spared.get("admin_action")).toContain("choices that mean a change");
    expect(spared.size).toBe(9);
  });

  test("missing arguments are not sent to a tool that did not refuse wrong types", () => {
    expect(exchangesOf(recording, "wrong-arguments").map(({ variant }) => variant)).toEqual(["type", "type"]);
    for (const { what, args } of runs) {
      expect(args, what).toBeTypeOf("object");
      if (what === "kubectl_logs") expect(Object.keys(args ?? {})).toEqual(["pod", "lines"]);
    }
  });

  test("values name nothing that exists", () => {
    const pods = runs.filter(({ what }) => what === "kubectl_logs").map(({ args }) => args?.["pod"]);
    expect(pods).toEqual([["recourse-probe-value"], "recourse-probe-value"]);
  });

  test("no prompt is rendered, and the recording says why", () => {
    expect(runs.filter(({ what }) => what.startsWith("prompt"))).toEqual([]);
    const left = recording.eras[0]?.leftOut?.find(({ stimulus }) => stimulus === "prompt-argument");
    expect(left?.because).toContain("--allow-prompts");
  });
});

test("no flag that changes something is sent or left to its default", async () => {
  const { runs, recording } = await probe({}, "flags");
  const sent = (tool: string, flag: string) => runs.filter(({ what }) => what === tool).map(({ args }) => args?.[flag]);
  expect(recording.eras[0]?.called).toEqual(["get_rows", "search_rows", "read_row"]);
  expect(recording.eras[0]?.spared.map(({ tool }) => tool)).toEqual(["find_rows", "list_files"]);
  for (const [tool, flag] of [
    ["get_rows", "purge"],
    ["read_row", "delete"],
  ] as const) {
    expect(sent(tool, flag), tool).toContain(false);
    for (const value of sent(tool, flag)) expect([false, 0], tool).toContain(value);
  }
  expect(sent("search_rows", "dryRun")).toContain(true);
  for (const value of sent("search_rows", "dryRun")) expect(value).toBeTruthy();
});

test("prompts are rendered once they are allowed", async () => {
  const { runs } = await probe({ allowPrompts: true });
  expect(runs.map(({ what }) => what)).toContain("prompt run_command");
});

test("tools that are named are run, and no others", async () => {
  const { runs } = await probe({ tools: ["set_flag"] });
  expect(new Set(runs.map(({ what }) => what))).toEqual(new Set(["set_flag"]));
});

test("with writes allowed everything is run, six tools at most", async () => {
  const { runs, recording } = await probe({ allowWrites: true });
  expect(runs.some(({ what }) => what === "set_flag")).toBe(true);
  expect(recording.eras[0]?.called).toHaveLength(6);
});
