import { gzipSync } from "node:zlib";
import { createSecretFilter } from "@recourse/core";
import { expect, test } from "vitest";
import { bytesContainSecret } from "./result.ts";

const SECRET = "hunter2-horse";
const secrets = createSecretFilter([SECRET]);
const noise = Buffer.from([0x89, 0x50, 0xff, 0xfe, 0x00, 0x01]);

test.each([
  ["as it is", Buffer.from(SECRET)],
  ["in UTF-16", Buffer.from(SECRET, "utf16le")],
  ["in base64", Buffer.from(Buffer.from(SECRET).toString("base64"))],
])("finds a secret %s between other bytes, also compressed", (_name, bytes) => {
  const all = Buffer.concat([noise, bytes, noise]);
  for (const one of [all, gzipSync(all)]) expect(bytesContainSecret(one, secrets)).toBe(true);
});

test("refuses what expands to more than is searched, and nothing else", () => {
  expect(bytesContainSecret(gzipSync(Buffer.alloc(16_777_217)), secrets)).toBe(true);
  expect(bytesContainSecret(gzipSync("plain"), secrets)).toBe(false);
  expect(bytesContainSecret(Buffer.from([0x1f, 0x8b, 1, 2]), secrets)).toBe(false);
  expect(bytesContainSecret(Buffer.from(SECRET), createSecretFilter([]))).toBe(false);
});
