import { expect, it } from "vitest";
import { readVersion, serverAddresses } from "./document.ts";

it.each([
  [{ openapi: "3.0.0" }, "3.0"],
  [{ openapi: "3.0.4" }, "3.0"],
  [{ openapi: "3.1.1" }, "3.1"],
  [{ openapi: "3.1" }, "3.1"],
  [{ openapi: 3.1 }, "3.1"],
  [{ openapi: 3 }, "3.0"],
])("understands %j", (root, version) => {
  expect(readVersion(root)).toEqual({ ok: true, value: { version, root } });
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
  const found = readVersion(root);
  expect(found.ok || found.problem.code).toBe(code);
});

it("fills in the defaults of server variables", () => {
  const servers = [
    { url: "https://{host}/v{n}", variables: { host: { default: "a.example" }, n: { default: "2" } } },
    { url: "/relative" },
    { url: "https://{nobody}/" },
    { url: 5 },
    null,
  ];
  expect(serverAddresses({ servers })).toEqual(["https://a.example/v2", "/relative"]);
  expect(serverAddresses(undefined)).toEqual([]);
});
