import { basename } from "node:path";
import { expect, test } from "vitest";
import { projectName } from "./project-name.ts";

test.each([
  ["my-server", "my-server"],
  ["deep/down/Orders", "orders"],
  ["/tmp/My Server!", "my-server"],
  ["_private", "private"],
  [".hidden", "hidden"],
  ["größe", "gr-e"],
  ["日本", "fallback"],
  ["node_modules", "fallback"],
  ["x".repeat(300), "x".repeat(214)],
])("the project in %s is %s", (folder, name) => {
  expect(projectName(folder, "fallback")).toBe(name);
});

test("the project in this folder has its name", () => {
  expect(projectName(".", "fallback")).toBe(basename(process.cwd()).toLowerCase());
});
