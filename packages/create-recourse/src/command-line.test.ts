import { expect, test } from "vitest";
import { HELP, readCommand } from "./command-line.ts";

test("a folder alone is a server", () => {
  expect(readCommand(["my-server"])).toEqual({ do: "create", folder: "my-server", template: "server" });
});

test.each([["--template", "agent"], ["--template=agent"]])("a template is named by %s", (...args) => {
  expect(readCommand(["my-agent", ...args])).toEqual({ do: "create", folder: "my-agent", template: "agent" });
});

test.each([
  [["--help"], "help"],
  [["-h", "my-server"], "help"],
  [["--version"], "version"],
])("%s", (args, expected) => {
  expect(readCommand(args)).toEqual({ do: expected });
});

test.each([
  ["no folder", [], "Name a folder"],
  ["an empty name", [""], "Name a folder"],
  ["two folders", ["a", "b"], "Name one folder, not 2."],
  ["a template that does not exist", ["a", "--template", "gateway"], 'There is no template "gateway".'],
  ["a name that every object has", ["a", "--template", "toString"], 'There is no template "toString".'],
  ["an unknown option", ["a", "--typescript"], "--typescript"],
  ["an option without its value", ["a", "--template"], "--template"],
])("%s is refused with a sentence", (_, args, text) => {
  expect(readCommand(args)).toEqual({ do: "refuse", text: expect.stringContaining(text) });
});

test("the help names every template", () => {
  expect(HELP).toMatch(/^ {2}server {2}.*\n {2}agent {3}/m);
});
