import { expect, test } from "vitest";
import * as faults from "../../reasons/index.ts";
import { LIBRARY_REASONS, libraryReason } from "./by-id.ts";

test("finds every reason by its id, and nothing else", () => {
  const all = Object.values(LIBRARY_REASONS).flatMap((reasons) => Object.values(reasons).map((reason) => reason.id));
  expect(all.length).toBeGreaterThan(100);
  for (const id of all) expect(libraryReason(id)?.id).toBe(id);
  for (const id of ["core/no_such", "nope/internal", "core/__proto__", "__proto__/x", "core", ""])
    expect(libraryReason(id)).toBeUndefined();
});

test("has the domains that the root exports", () => {
  for (const [domain, reasons] of Object.entries(LIBRARY_REASONS)) expect(faults).toHaveProperty(domain, reasons);
});
