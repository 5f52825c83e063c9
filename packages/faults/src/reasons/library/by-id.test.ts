import { expect, test } from "vitest";
import { catalogue } from "../../explain/index.ts";
import * as faults from "../../index.ts";
import { LIBRARY_REASONS, libraryReason } from "./by-id.ts";

test("finds every documented reason by its id, and nothing else", () => {
  for (const id of Object.keys(catalogue)) expect(libraryReason(id)?.id).toBe(id);
  const all = Object.values(LIBRARY_REASONS).flatMap((reasons) => Object.values(reasons).map((reason) => reason.id));
  expect(all.toSorted()).toEqual(Object.keys(catalogue));
  for (const id of ["core/no_such", "nope/internal", "core/__proto__", "__proto__/x", "core", ""])
    expect(libraryReason(id)).toBeUndefined();
});

test("has the domains that the root exports", () => {
  for (const [domain, reasons] of Object.entries(LIBRARY_REASONS)) expect(faults).toHaveProperty(domain, reasons);
});
