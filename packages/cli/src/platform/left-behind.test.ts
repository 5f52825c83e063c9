import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findMarkedProcesses, START_MARK_NAME } from "./left-behind.ts";

test.skipIf(process.platform !== "linux")("a running program is found by the mark in its environment", async () => {
  const env = { ...process.env, [START_MARK_NAME]: "left-behind-test" };
  // It runs until it is killed.
  const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 600_000)"], { env, stdio: "ignore" });
  await expect.poll(() => findMarkedProcesses("left-behind-test")).toEqual([{ pid: child.pid, name: "node" }]);
  child.kill();
  await expect.poll(() => findMarkedProcesses("left-behind-test")).toEqual([]);
});

test("arguments are not shown, ended programs and other marks are left out", async () => {
  const folder = mkdtempSync(join(tmpdir(), "recourse-"));
  const add = (pid: string, mark: string, state = "S") => {
    mkdirSync(join(folder, pid));
    writeFileSync(join(folder, pid, "environ"), `A=1\0${START_MARK_NAME}=${mark}\0`);
    writeFileSync(join(folder, pid, "cmdline"), "/usr/bin/python3\0-u\0/srv/worker.py\0--token\0secret\0");
    writeFileSync(join(folder, pid, "stat"), `${pid} (py) x) ${state} 1`);
  };
  add("7", "mine");
  add("8", "other");
  add("9", "mine", "Z");
  mkdirSync(join(folder, "10"));
  expect(await findMarkedProcesses("mine", { folder })).toEqual([{ pid: 7, name: "python3 worker.py" }]);
  expect(await findMarkedProcesses("mine", { folder: join(folder, "none") })).toEqual([]);
});
