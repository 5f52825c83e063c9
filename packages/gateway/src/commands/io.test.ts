import { expect, it } from "vitest";
import { commandWords } from "./io.ts";

it.each([
  ["node server.js", ["node", "server.js"]],
  ["  npx -y \"my server\" --name='a b' ", ["npx", "-y", "my server", "--name=a b"]],
  ["", []],
])("reads %s", (text, words) => {
  expect(commandWords(text)).toEqual(words);
});
