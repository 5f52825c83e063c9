import { expect, test } from "vitest";
import * as bridge from "./index.ts";

// A change of this list is a change of the public API.
test("the package exports these names", () => {
  expect(Object.keys(bridge).sort()).toEqual(
    "AdapterError DocumentError apiKey basic bearer clientCredentials defineAdapter failFor forward openapi".split(" "),
  );
});
