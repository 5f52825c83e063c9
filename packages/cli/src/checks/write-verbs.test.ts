import { expect, it } from "vitest";
import { isWriteVerb, wordsIn } from "./write-verbs.ts";

it.each([
  ["delete_item", ["delete", "item"]],
  ["deleteItem", ["delete", "item"]],
  ["shop.delete-item", ["shop", "delete", "item"]],
  ["", []],
])("reads the words of %j", (name, words) => {
  expect(wordsIn(name)).toStrictEqual(words);
});

it.each(["set", "delete", "write"])("%s changes something", (word) => {
  expect(isWriteVerb(word)).toBe(true);
});

it.each(["settings", "get", "order", "constructor"])("%s does not", (word) => {
  expect(isWriteVerb(word)).toBe(false);
});
