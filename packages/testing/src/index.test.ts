import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

// The names of each entry point are pinned in api/.

test("the package has these entry points", () => {
  expect(Object.keys(manifest.exports)).toEqual([".", "./peer", "./package.json"]);
});
