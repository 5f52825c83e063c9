import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expectCost } from "@recourse/test-kit/yardstick";
import { expect, onTestFinished, test } from "vitest";
import { findAlias, findEngines } from "./find-command.ts";

test("an alias is looked for only under a plain name", () => {
  expect(findAlias("(", { home: "/nonexistent" })).toBeUndefined();
  expect(findAlias("x", { home: "" })).toBeUndefined();
});

test("the versions of Node are read from the package of the file that stderr names", () => {
  const folder = mkdtempSync(join(tmpdir(), "recourse-engines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ engines: { node: ">=99" } }));
  const file = join(folder, "server.js");
  expect(findEngines(`${file}:12`)).toBe(">=99");
  expect(findEngines(`${pathToFileURL(file).href}:12`)).toBe(">=99");
});

test("an address that is no path is not looked at", () => {
  expect(findEngines("file:///a%2Fb.js:1")).toBeUndefined();
  expect(findEngines("file:///a%zz.js:1")).toBeUndefined();
});

test("a long line without a file costs little", async () => {
  const read = (chars: number) => () => expect(findEngines("/".repeat(chars))).toBeUndefined();
  await expectCost({ work: read(200_000), yardstick: read(20_000), atMost: 40 });
});
