import { expect, test } from "vitest";
import { changingWord, readingChoice } from "./verbs.ts";

test.each([
  ["set_flag", "set"],
  ["deleteItem", "delete"],
  ["DELETEItem", "delete"],
  ["user.remove-all", "remove"],
  ["deleteall", "deleteall"],
  ["runSQL", "run"],
  ["order_pizza", "order"],
  ["git_commit", "commit"],
  ["connect", "connect"],
  ["export_data", "export"],
  ["get_and_update", "update"],
  ["prune_images", "prune"],
  ["cleanup", "cleanup"],
  ["shell", "shell"],
  ["eval", "eval"],
  ["l\u00f6schen", "l\u00f6schen"],
  ["d\u0435lete_all", "d\u0435lete_all"],
])("%s means a change", (name, word) => {
  expect(changingWord(name)).toBe(word);
});

test.each([
  "get_order",
  "list_open_issues",
  "settings",
  "get_settings",
  "searchNodes",
  "read_file",
  "git_show_commit",
  "echo",
  "resolve-library-id",
  "get_retry_policy",
  "list_comments",
])("%s only reads", (name) => {
  expect(changingWord(name)).toBeUndefined();
});

test("the choice that most surely reads is taken, else a neutral one, else none", () => {
  expect(readingChoice(["set", "get", "list"])).toEqual({ value: "list" });
  expect(readingChoice(["delete", "list_and_delete", "get_user"])).toEqual({ value: "get_user" });
  expect(readingChoice(["create", "asc", "desc"])).toEqual({ value: "asc" });
  expect(readingChoice([1, 2])).toEqual({ value: 1 });
  expect(readingChoice(["create", "delete"])).toBeUndefined();
  expect(readingChoice([])).toBeUndefined();
});
