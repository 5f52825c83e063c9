import { expect, test } from "vitest";
import * as bridge from "./index.ts";

// Whoever changes this list changes what users rely on.
test("the package exports these names", () => {
  expect(Object.keys(bridge).sort()).toEqual([
    "AdapterError",
    "DocumentError",
    "apiKey",
    "basic",
    "bearer",
    "clientCredentials",
    "defineAdapter",
    "forward",
    "openapi",
  ]);
});
