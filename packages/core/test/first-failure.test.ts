import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleInParts, bundleProgram } from "@recourse/test-kit/bundle";
import { expect, test } from "vitest";
import { KINDS, readFault } from "../src/index.ts";
import { core } from "../src/reasons/index.ts";

// A test process has the rules from the start, so each way to fail has a process of its own, where its call is the first.
const program = await bundleProgram(new URL("./programs/first-failure.ts", import.meta.url));

interface Answers {
  readonly ways: readonly string[];
  readonly first: readonly unknown[];
  readonly last: readonly unknown[];
}

async function answersTo(way: string, times: number): Promise<Answers> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, way, String(times)]);
  return JSON.parse(stdout) as Answers;
}

const { ways } = await answersTo("a sentence", 1);

test.each(ways)("the first and the hundredth failure give the same bytes: %s", { timeout: 60_000 }, async (way) => {
  const { first, last } = await answersTo(way, 100);
  expect(JSON.stringify(last)).toBe(JSON.stringify(first));
  expect(JSON.stringify(first)).not.toContain("hunter2");
});

test("a server whose reader of failures cannot be loaded answers without any text of the failure", {
  timeout: 60_000,
}, async () => {
  const { folder, later } = await bundleInParts(new URL("./programs/first-failure.ts", import.meta.url));
  for (const file of later) rmSync(join(folder, file));
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "entry.js"), "a sentence", "1"]);
  const [called, alone] = (JSON.parse(stdout) as Answers).first as {
    _meta: Record<string, unknown>;
    content: unknown;
  }[];
  const text = "The call failed because of an internal error.";
  for (const answer of [called, alone]) {
    expect(answer).toMatchObject({ isError: true, content: [{ type: "text", text }] });
    const fault = readFault(answer?._meta["recourse/fault"]);
    expect(fault).toMatchObject({ kind: "internal", reason: core.internal.id, message: text, effect: "possible" });
    expect(fault).toMatchObject({ class: KINDS.internal.class });
  }
});
