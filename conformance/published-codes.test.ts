import * as dialects from "@recourse/core/dialects";
import { expect, test } from "vitest";
import published from "./published-codes.json" with { type: "json" };

// Programs of other people know these codes. To add one, add it to the file; to change one is to break them.

const WITH_CODES = Object.values(dialects.DIALECTS).filter((dialect) => "codes" in dialect);

test.each(WITH_CODES)("the codes of $name mean what they meant", ({ name, codes }) => {
  expect(codes?.published()).toEqual(published[name as keyof typeof published]);
});

test("every dialect with codes is checked", () => {
  const withCodes = Object.values(dialects).flatMap((one) => ("codes" in one ? [one.name] : []));
  expect(withCodes.sort()).toEqual(Object.keys(published).sort());
});
