import { expect, it } from "vitest";
import { countRedaction, listenForRemovals, redactionCounts } from "./redaction-counts.ts";

it("counts by rule", () => {
  countRedaction("test.first");
  countRedaction("test.first", "a text");
  countRedaction("test.second");
  expect(redactionCounts()).toMatchObject({ "test.first": 2, "test.second": 1 });
});

it("tells the last listener about each text", () => {
  const heard: string[] = [];
  listenForRemovals(() => heard.push("replaced"));
  listenForRemovals((text, rule) => heard.push(`${rule}: ${text}`));
  countRedaction("test.third", "a text");
  countRedaction("test.third");
  expect(heard).toStrictEqual(["test.third: a text"]);
});
