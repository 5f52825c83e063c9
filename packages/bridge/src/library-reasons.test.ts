import { catalogue } from "@recourse/faults/explain";
import { expect, test } from "vitest";
import { LIBRARY_DOMAINS, LIBRARY_REASONS } from "./library-reasons.ts";

test("the reasons are those of the library's catalogue", () => {
  expect([...LIBRARY_REASONS.keys()].toSorted()).toEqual(Object.keys(catalogue));
});

test("the domains are those of the catalogue, and the one of reasons made with fail", () => {
  const domains = new Set(Object.keys(catalogue).map((id) => id.slice(0, id.indexOf("/"))));
  expect(LIBRARY_DOMAINS).toEqual(domains.add("adhoc"));
});
