import { expect, test } from "vitest";
import type { SitePage } from "../content/page.ts";
import { describePicture, drawSharePicture, wrapText } from "./share-picture.ts";

const page = (address: string): SitePage => ({
  source: { file: "x.md", address, text: "" },
  title: "Title <b>",
  description: "A sentence.",
  body: "",
  generatedBy: undefined,
});

test.each([
  ["/errors/core/timeout/", { label: "Error", code: "core/timeout" }],
  ["/checks/leak-stack/", { label: "Check", code: "leak-stack" }],
  ["/gateway/breakers/", { label: "Gateway" }],
  ["/survey/", { label: "Documentation" }],
])("%s has its template", (address, expected) => {
  expect(describePicture(page(address))).toMatchObject(expected);
});

test("pages that are many and rarely shared have no picture of their own", () => {
  expect(describePicture(page("/design/2026-11-15-text/"))).toBeUndefined();
  expect(describePicture(page("/reference/api/faults/"))).toBeUndefined();
});

test("text is escaped", () => {
  const picture = describePicture(page("/survey/"));
  expect(picture && drawSharePicture(picture)).toContain("Title &lt;b&gt;");
});

test("long titles are broken into lines, and cut after the last", () => {
  const options = { size: 60, weight: 600, width: 1000, lines: 3 } as const;
  expect(wrapText("one two", options)).toEqual(["one two"]);
  const lines = wrapText("a long title of many words ".repeat(12).trim(), options);
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatch(/ …$/);
});
