import { describe, expect, test } from "vitest";
import { allowedServer, chooseServer, type ServerChoice } from "./server.ts";

const NOTHING: ServerChoice = { server: undefined, allowed: [], declared: [], fetchedFrom: undefined };
const chosen = (choice: Partial<ServerChoice>) => chooseServer({ ...NOTHING, ...choice }).href;

describe("the base address", () => {
  test("is the operator's server, else the first of the document", () => {
    const declared = ["https://api.example/v1"];
    expect(chosen({ server: "https://own.example", declared })).toBe("https://own.example/");
    expect(chosen({ server: new URL("https://own.example/a"), declared })).toBe("https://own.example/a");
    expect(chosen({ declared })).toBe("https://api.example/v1");
  });

  test("of a document that was fetched stays at its origin, or is allowed", () => {
    const fetchedFrom = new URL("https://docs.example/openapi.json");
    expect(chosen({ declared: ["/v1"], fetchedFrom })).toBe("https://docs.example/v1");
    const declared = ["https://api.example/v1"];
    expect(() => chosen({ declared, fetchedFrom })).toThrow("of another origin");
    expect(chosen({ declared, fetchedFrom, allowed: ["https://api.example"] })).toBe("https://api.example/v1");
    expect(chosen({ declared, fetchedFrom, allowed: ["https://api.example/v1/"] })).toBe("https://api.example/v1");
    expect(() => chosen({ declared, fetchedFrom, allowed: ["https://api.example/v2"] })).toThrow("of another origin");
  });

  test.each(["/v1", "ftp://a.example", "https://u:p@a.example", "https://a.example/?k=1", "nonsense"])(
    "is not %s",
    (server) => {
      expect(() => chosen({ server })).toThrow("cannot be used");
    },
  );

  test("has to be given or declared", () => {
    expect(() => chosen({})).toThrow("names no server");
  });
});

test("the server of an operation has to be allowed", () => {
  expect(allowedServer("https://files.example/v1", ["https://files.example"])?.href).toBe("https://files.example/v1");
  expect(allowedServer("https://files.example/v1", [])).toBeUndefined();
  expect(allowedServer("file:///etc", ["file:///etc"])).toBeUndefined();
});
