import * as serverKit from "@recourse/core/server";
import { describe, expect, it } from "vitest";
import { PROBE_CHECKS } from "./catalogue.ts";
import { CATEGORIES } from "./check.ts";

const IDS = PROBE_CHECKS.map(({ id }) => id);

it("has every check once, in the order of the categories", () => {
  expect(PROBE_CHECKS).toHaveLength(85);
  expect(new Set(IDS).size).toBe(IDS.length);
  const order = PROBE_CHECKS.map(({ category }) => CATEGORIES.indexOf(category));
  expect(order).toStrictEqual(order.toSorted((a, b) => a - b));
});

it("scores all but the rules that may still be wrong", () => {
  expect(PROBE_CHECKS.filter(({ preview }) => preview === true).map(({ id }) => id)).toStrictEqual([
    "leak-path",
    "leak-network",
    "message-says-something",
    "args-checked-first",
    "unknown-key-refused",
    "false-green",
    "concurrent-answers",
    "retry-hint",
  ]);
});

describe.each(PROBE_CHECKS.map((check) => [check.id, check] as const))("%s", (id, check) => {
  it("follows other checks, and never itself", () => {
    const causes = check.follows ?? [];
    expect(causes.filter((cause) => !IDS.includes(cause) || cause === id)).toStrictEqual([]);
    const circles = causes.filter((cause) => PROBE_CHECKS.find((one) => one.id === cause)?.follows?.includes(id));
    expect(circles).toStrictEqual([]);
  });

  it("says everything in whole sentences", () => {
    const { title, failsWhen, notCounted = "None.", why, fix } = check;
    expect(id).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)+$/);
    for (const text of [title, failsWhen, notCounted, why, fix.text]) {
      expect(text).toMatch(/^[A-Z0-9`“"/-].*[.”]$/);
      expect(text).not.toMatch(/\b(?:whoever|somebody|told)\b/i);
    }
  });

  it("is mended by code that exists", () => {
    const imported = Array.from(
      (check.fix.code ?? "").matchAll(/import \{([^}]+)\} from "@recourse\/faults\/server"/g),
      ([, names = ""]) => names.split(",").map((name) => name.trim()),
    ).flat();
    expect(imported.filter((name) => !(name in serverKit))).toStrictEqual([]);
  });
});
