import { execFileSync } from "node:child_process";
import { bundleProgram } from "@recourse/test-kit/bundle";
import { expect, test } from "vitest";

// The test process has the rules from the start, so a process of its own shows what a program has that did not load them.
test("a value is judged where their fault leaves, and not where it is made", { timeout: 60_000 }, async () => {
  const program = await bundleProgram(new URL("../../test/peers/server/unjudged.ts", import.meta.url));
  const { made, left, later, copied, cause, sent } = JSON.parse(
    execFileSync(process.execPath, [program], { encoding: "utf8" }),
  ) as Record<string, string>;
  expect(made).toContain("the stock service at 10.0.0.7 did not say");
  expect(left).toBe('No answer: "the stock service at [removed] did not say in time how many pieces are left".');
  expect(later).toBe(left);
  expect(copied).toBe(left);
  expect(sent).toBe(left);
  expect(cause).toBe(left);
});
