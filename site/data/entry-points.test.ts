import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../content/sources.ts";
import { readPackages } from "./entry-points.ts";

const entryPoints = readPackages().flatMap((one) => one.entryPoints);

test("every entry point of every published package is found", () => {
  const names = entryPoints.map(({ name }) => name);
  expect(names).toContain("@recourse/faults");
  expect(names).toContain("@recourse/faults/server");
  expect(names).toContain("@recourse/stores/redis");
  expect(names.filter((name) => name.includes("console") || name.includes("test-kit"))).toEqual([]);
});

test("each has a source, an address of its own and a sentence", () => {
  expect(entryPoints.filter(({ source }) => !existsSync(join(ROOT, source)))).toEqual([]);
  expect(new Set(entryPoints.map(({ address }) => address)).size).toBe(entryPoints.length);
  expect(entryPoints.filter(({ description }) => !description.endsWith(".")).map(({ name }) => name)).toEqual([]);
});
