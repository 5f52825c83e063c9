import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "@recourse/test-kit/eventually";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { loadConfig } from "../config/load.ts";
import { watchFiles } from "./config-file.ts";

// A change settles when the test says so. Folders are watched in real time.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const SETTLE_MS = 20;

function setUp(text = "one", secrets: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "watch-"));
  const file = join(folder, "config", "gateway.yaml");
  mkdirSync(join(folder, "config"));
  mkdirSync(join(folder, "secrets", "..1"), { recursive: true });
  for (const [name, value] of Object.entries(secrets)) writeFileSync(join(folder, "secrets", "..1", name), value);
  // As Kubernetes mounts a Secret.
  symlinkSync("..1", join(folder, "secrets", "..data"));
  for (const name of Object.keys(secrets)) symlinkSync(join("..data", name), join(folder, "secrets", name));
  writeFileSync(file, text);
  const onChange = vi.fn();
  const read = (now: string) => ({ text: now, secretFiles: loadConfig(now, { environment: {}, file }).secretFiles });
  const watch = watchFiles(file, read(text), { onChange, settleMs: SETTLE_MS });
  onTestFinished(() => {
    watch.stop();
    rmSync(folder, { recursive: true });
  });
  return { folder: join(folder, "config"), secrets: join(folder, "secrets"), file, onChange, watch, read };
}

/** Waits until so many changes in all were noticed. */
const changes = (onChange: ReturnType<typeof vi.fn>, times: number) =>
  eventually(async () => {
    await vi.advanceTimersByTimeAsync(SETTLE_MS);
    expect(onChange).toHaveBeenCalledTimes(times);
  });

/** Lets the watch look at the files, once it has noticed what happened in their folders. */
async function look() {
  await eventually(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(SETTLE_MS);
}

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
  await look();
  writeFileSync(file, "one");
  await look();
  rmSync(file);
  await look();
  writeFileSync(join(folder, "other"), "x");
  await look();
  expect(onChange).not.toHaveBeenCalled();
  writeFileSync(file, "new");
  await changes(onChange, 1);
});

it("stops", async () => {
  const { file, onChange, watch, read } = setUp();
  const onOther = vi.fn();
  const other = watchFiles(file, read("one"), { onChange: onOther, settleMs: SETTLE_MS });
  onTestFinished(() => other.stop());
  watch.stop();
  writeFileSync(file, "two");
  await changes(onOther, 1);
  expect(onChange).not.toHaveBeenCalled();
});

it("notices a Secret whose link Kubernetes swaps, and nothing if its values stay", async () => {
  const { secrets, onChange } = setUp(`name: "\${file:../secrets/token}"`, { token: "t0ken-1" });
  const swap = (no: number, token: string) => {
    mkdirSync(join(secrets, `..${no}`));
    writeFileSync(join(secrets, `..${no}`, "token"), token);
    symlinkSync(`..${no}`, join(secrets, "..data_tmp"));
    renameSync(join(secrets, "..data_tmp"), join(secrets, "..data"));
    rmSync(join(secrets, `..${no - 1}`), { recursive: true });
  };
  await look();
  swap(2, "t0ken-1");
  await look();
  expect(onChange).not.toHaveBeenCalled();
  swap(3, "t0ken-2");
  await changes(onChange, 1);
});

it("follows the files that the configuration names after a reading, and no others", async () => {
  const { secrets, file, onChange, watch, read } = setUp(`name: "\${file:../secrets/one}"`, { one: "a", two: "b" });
  const next = `name: "\${file:../secrets/two}"`;
  writeFileSync(file, next);
  await changes(onChange, 1);
  watch.follow(read(next));
  writeFileSync(join(secrets, "..data", "one"), "changed");
  await look();
  expect(onChange).toHaveBeenCalledTimes(1);
  rmSync(join(secrets, "two"));
  await changes(onChange, 2);
});

it("notices a change between the reading and the beginning of the watch", async () => {
  const { secrets, onChange, watch, read } = setUp(`name: "\${file:../secrets/one}"`, { one: "a" });
  const before = read(`name: "\${file:../secrets/one}"`);
  writeFileSync(join(secrets, "..data", "one"), "b");
  watch.follow(before);
  await changes(onChange, 1);
});

it("goes on if the folder of a secret is missing", async () => {
  const { file, onChange } = setUp(`name: "\${file:/nowhere/at/all}"`);
  writeFileSync(file, "two");
  await changes(onChange, 1);
});
