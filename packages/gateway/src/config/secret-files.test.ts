import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readSecretFile, secretFileState } from "./secret-files.ts";

function setUp(): string {
  const folder = mkdtempSync(join(tmpdir(), "secret-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function read(content: string | Uint8Array) {
  const path = join(setUp(), "secret");
  writeFileSync(path, content);
  return readSecretFile(path);
}

it.each([
  ["t0ken", "t0ken"],
  ["t0ken\n", "t0ken"],
  ["t0ken\r\n", "t0ken"],
  ["t0ken\n\n", "t0ken\n"],
  [" t0ken ", " t0ken "],
  ["-----BEGIN\nAAA\n-----END\n", "-----BEGIN\nAAA\n-----END"],
  ["schlüssel", "schlüssel"],
  ["x".repeat(65_536), "x".repeat(65_536)],
])("cuts one line break from %j", (content, value) => {
  expect(read(content)).toEqual({ value });
});

it.each([
  ["", "is empty."],
  ["\n", "is empty."],
  ["x".repeat(65_537), "is larger than 64 KiB."],
  [new Uint8Array([0xff, 0xfe, 0x41]), "is not text in UTF-8."],
])("refuses %j", (content, problem) => {
  expect(read(content)).toMatchObject({ problem });
});

it.each(["/dev/zero", "/dev/null", "/dev/stdin", "/proc/self/fd", "/"])("does not read %s", (path) => {
  expect(readSecretFile(path)).toMatchObject({
    problem: expect.stringMatching(/^(is not a regular file|cannot be read)/),
  });
});

it("does not wait for a pipe, a socket or a loop of links", async () => {
  const folder = setUp();
  execFileSync("mkfifo", [join(folder, "pipe")]);
  expect(readSecretFile(join(folder, "pipe"))).toMatchObject({ problem: "is not a regular file." });
  symlinkSync("loop", join(folder, "loop"));
  expect(readSecretFile(join(folder, "loop"))).toMatchObject({ problem: "cannot be read." });
  const server = createServer().listen(join(folder, "socket"));
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  expect(readSecretFile(join(folder, "socket"))).toMatchObject({ problem: "cannot be read." });
});

it("says that a file is missing, or may not be read", () => {
  const folder = setUp();
  expect(readSecretFile(join(folder, "none"))).toMatchObject({ problem: "does not exist." });
  writeFileSync(join(folder, "file"), "x");
  expect(readSecretFile(join(folder, "file", "below"))).toMatchObject({ problem: "does not exist." });
  expect(readSecretFile("a\0b")).toMatchObject({ problem: "cannot be read." });
  chmodSync(join(folder, "file"), 0);
  // The super-user may read everything.
  if (process.getuid?.() !== 0)
    expect(readSecretFile(join(folder, "file"))).toMatchObject({ problem: "may not be read." });
  mkdirSync(join(folder, "folder"));
  expect(readSecretFile(join(folder, "folder"))).toMatchObject({ problem: "is not a regular file." });
});

it("keeps a digest, not the value, and tells values and problems apart", () => {
  const states = [{ value: "is empty." }, read(""), { value: "other" }].map(secretFileState);
  expect(new Set(states).size).toBe(3);
  expect(states[2]).not.toContain("other");
});
