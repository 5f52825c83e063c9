import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { watchFile } from "./config-file.ts";

function setUp() {
  const folder = mkdtempSync(join(tmpdir(), "watch-"));
  const file = join(folder, "gateway.yaml");
  writeFileSync(file, "one");
  const onChange = vi.fn();
  const stop = watchFile({ path: file, text: "one" }, onChange, { settleMs: 20 });
  onTestFinished(() => {
    stop();
    rmSync(folder, { recursive: true });
  });
  return { folder, file, onChange, stop };
}

const changes = (onChange: ReturnType<typeof vi.fn>, times: number) =>
  vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(times), { timeout: 10_000, interval: 10 });

it("notices a file that is written, and one that is replaced", async () => {
  const { folder, file, onChange } = setUp();
  writeFileSync(file, "two");
  await changes(onChange, 1);
  writeFileSync(join(folder, ".new"), "three");
  renameSync(join(folder, ".new"), file);
  await changes(onChange, 2);
});

it("says nothing about a file with the same text, or one that has gone", async () => {
  const { folder, file, onChange } = setUp();
  writeFileSync(file, "one");
  rmSync(file);
  writeFileSync(join(folder, "other"), "x");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(onChange).not.toHaveBeenCalled();
  writeFileSync(file, "new");
  await changes(onChange, 1);
});

it("stops", async () => {
  const { file, onChange, stop } = setUp();
  stop();
  writeFileSync(file, "two");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(onChange).not.toHaveBeenCalled();
});
