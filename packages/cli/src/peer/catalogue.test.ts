import { PEER_OPTIONS } from "@recourse/testing/peer";
import { expect, test } from "vitest";
import { peerCommand as command } from "../commands/index.ts";
import { createTerminal } from "../terminal/terminal.ts";
import { buildCatalogue } from "./catalogue.ts";
import { listText } from "./run.ts";

const catalogue = buildCatalogue();

test("everything has a sentence", () => {
  for (const { name, about } of [...catalogue.http, ...catalogue.stdio])
    expect([name, about]).toEqual([name, expect.stringMatching(/^[A-Z0-9].+\.$/)]);
});

test("the text names all of it, and no line but what can be copied is longer than the terminal", () => {
  const text = listText(catalogue, createTerminal({ columns: 60, write() {} }, {}));
  for (const { name } of [...catalogue.http, ...catalogue.stdio]) expect(text).toContain(`\n  ${name}`);
  const long = text.split("\n").filter((line) => line.length > 60);
  for (const line of long) expect(line).toMatch(/^ {4}(?:curl |"params"| {2}POST )/);
});

test("the command has the options that the peer reads", () => {
  for (const [name, { type, ...more }] of Object.entries(PEER_OPTIONS))
    expect([name, command.options[name]]).toMatchObject([name, { type, ...more }]);
});
