import { expect, it } from "vitest";
import { documentedReason, explainBriefly } from "./brief.ts";
import { catalogue, explain } from "./explain.ts";

it("says what explain says, without causes and codes", () => {
  for (const id of [...Object.keys(catalogue), "adhoc/conflict"]) {
    const { reason, exact, kind, title, remedies, severity } = explain(id) ?? {};
    expect(explainBriefly(id)).toEqual({ reason, exact, kind, title, remedies, severity });
  }
});

it("knows only whole names of reasons", () => {
  for (const id of ["core/timeout/more", "core", "core/", "constructor/name", ""]) {
    expect(documentedReason(id)).toBeUndefined();
    expect(explainBriefly(id)).toBeUndefined();
  }
});
