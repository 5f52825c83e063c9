import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { loadConfig } from "../config/load.ts";
import { watchFiles } from "./config-file.ts";

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
  const watch = watchFiles(file, read(text), { onChange, settleMs: 20 });
  onTestFinished(() => {
    watch.stop();
    rmSync(folder, { recursive: true });
  });
  return { folder: join(folder, "config"), secrets: join(folder, "secrets"), file, onChange, watch, read };
}

const changes = (onChange: ReturnType<typeof vi.fn>, times: number) =>
  vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(times), { timeout: 10_000, interval: 10 });

const pause = () => new Promise((resolve) => setTimeout(resolve, 200));

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
  await pause();
  expect(onChange).not.toHaveBeenCalled();
  writeFileSync(file, "new");
  await changes(onChange, 1);
});

it("stops", async () => {
  const { file, onChange, watch } = setUp();
  watch.stop();
  writeFileSync(file, "two");
  await pause();
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
  swap(2, "t0ken-1");
  await pause();
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
  await pause();
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
