import { existsSync } from "node:fs";
import { join } from "node:path";
import { catalogue } from "@recourse/explain";
import { describe, expect, it } from "vitest";
import { findAddress, ROOT } from "../content/sources.ts";
import { listReasons, makeCatalogue } from "./catalogue.ts";

const rows = listReasons();

describe("the catalogue of errors", () => {
  it("has a row for every reason, and a page at its address", () => {
    expect(rows.map(({ reason }) => reason)).toEqual(Object.keys(catalogue));
    for (const { reason, address } of rows) {
      const file = `docs/errors/${reason}.md`;
      expect(findAddress(file)).toBe(address);
      expect(existsSync(join(ROOT, file)), file).toBe(true);
    }
  });

  it("says who acts, what to do and whether to repeat", () => {
    expect(rows.find(({ reason }) => reason === "core/timeout")).toMatchObject({
      kind: "timeout",
      class: "retryable",
      effect: "possible",
      moves: ["refresh"],
    });
    for (const row of rows)
      expect(
        Object.values(row).every((value) => value.length > 0),
        row.reason,
      ).toBe(true);
  });

  it("has a filter for each value of a row", () => {
    const { kinds, classes, severities, effects } = makeCatalogue();
    for (const { kind, class: faultClass, severity, effect } of rows) {
      expect(kinds.map(({ name }) => name)).toContain(kind);
      expect(classes).toContain(faultClass);
      expect(severities.map(({ name }) => name)).toContain(severity);
      expect(effects).toHaveProperty(effect);
    }
  });
});
