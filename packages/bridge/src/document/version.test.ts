import { expect, it } from "vitest";
import { withVersion } from "./version.ts";

it.each([
  [{ openapi: "3.0.0" }, "3.0"],
  [{ openapi: "3.0.4" }, "3.0"],
  [{ openapi: "3.1.1" }, "3.1"],
  [{ openapi: "3.1" }, "3.1"],
  [{ openapi: 3.1 }, "3.1"],
  [{ openapi: 3 }, "3.0"],
])("understands %j", (root, version) => {
  expect(withVersion(root)).toEqual({ ok: true, value: { version, root } });
});

it.each([
  [{ swagger: "2.0" }, "swagger_2"],
  [{ openapi: "3.2.0" }, "newer"],
  [{ openapi: "4.0.0" }, "newer"],
  [{ openapi: "2.0" }, "newer"],
  [{ openapi: "3.1.x" }, "newer"],
  [{ openapi: "three" }, "not_openapi"],
  [{ openapi: null }, "not_openapi"],
  [{}, "not_openapi"],
  [[], "not_openapi"],
  ["3.1.0", "not_openapi"],
])("refuses %j as %s", (root, code) => {
  const found = withVersion(root);
  expect(found.ok || found.problem.code).toBe(code);
});
