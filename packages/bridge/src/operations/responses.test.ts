import { expect, it } from "vitest";
import { acceptOf, responsesOf } from "./responses.ts";

const document = { version: "3.1", root: { r: { description: "Not\nthere." } } } as const;

it("reads responses, ranges and references", () => {
  const responses = {
    200: { description: "OK", content: { "Application/JSON": {}, "bad\r\ntype": {} } },
    404: { $ref: "#/r" },
    "5xx": {},
    default: { description: "Else." },
    teapot: {},
  };
  expect(responsesOf(document, { responses })).toEqual([
    { status: "200", description: "OK", mediaTypes: ["application/json"] },
    { status: "404", description: "Not there.", mediaTypes: [] },
    { status: "5XX", description: "", mediaTypes: [] },
    { status: "default", description: "Else.", mediaTypes: [] },
  ]);
});

it("asks for what is declared, and for problems", () => {
  const response = { description: "", mediaTypes: ["text/csv"] };
  expect(acceptOf([{ ...response, status: "200" }])).toBe(
    "text/csv, application/json, application/problem+json, */*;q=0.1",
  );
  expect(acceptOf([{ ...response, status: "404" }])).toBe("application/json, application/problem+json, */*;q=0.1");
});

it("keeps the header short", () => {
  const mediaTypes = Array.from({ length: 200 }, (_, index) => `application/vnd.type-${index}+json`);
  expect(acceptOf([{ status: "200", description: "", mediaTypes }]).length).toBeLessThan(520);
});
