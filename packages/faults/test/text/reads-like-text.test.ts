import { expect, it } from "vitest";
import { readsLikeText } from "../../src/safety/rules/authored.ts";
import { AUTHORED_VALUES } from "./authored-values.ts";
import { INTERPOLATED_LABELS, INTERPOLATED_TEXTS } from "./interpolated.ts";
import { SERVER_TEXTS } from "./server-texts.ts";

it.each(INTERPOLATED_TEXTS)("catches %j", (text) => {
  expect(readsLikeText(text)).toBe(true);
});

it.each(INTERPOLATED_LABELS)("leaves %j alone", (label) => {
  expect(readsLikeText(label)).toBe(false);
});

it("catches nine of ten texts that it was not made for", () => {
  expect(SERVER_TEXTS.filter(readsLikeText).length / SERVER_TEXTS.length).toBeGreaterThanOrEqual(0.9);
});

it("leaves values of authors alone, except a statement", () => {
  expect(AUTHORED_VALUES.filter(readsLikeText)).toStrictEqual(["SELECT id, name FROM users WHERE id = 5"]);
});

it("catches what is longer than any title", () => {
  expect([readsLikeText("a".repeat(300)), readsLikeText("a".repeat(301))]).toStrictEqual([false, true]);
});
