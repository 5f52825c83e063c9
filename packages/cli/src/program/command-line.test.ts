import { describe, expect, it } from "vitest";
import type { OptionSpec } from "./command.ts";
import { readOptions } from "./command-line.ts";

const specs = {
  json: { type: "boolean", about: "" },
  env: { type: "string", short: "e", multiple: true, value: "NAME=value", about: "" },
  save: { type: "string", value: "file", about: "" },
  color: { type: "string", choices: ["auto", "never"], about: "" },
} as const satisfies Record<string, OptionSpec>;

const read = (...args: string[]) => readOptions(args, { specs });
const program = (...args: string[]) => readOptions(args, { specs, restFrom: "program" });

describe("readOptions", () => {
  it("reads options in every form", () => {
    expect(read("--json", "-e", "A=b", "-eC=d", "--env=E=f", "--save", "x", "y")).toEqual({
      options: { json: true, env: ["A=b", "C=d", "E=f"], save: "x" },
      positionals: ["y"],
    });
  });

  it("reads negative numbers as words and as values", () => {
    expect(read("-32001", "--json")).toEqual({ options: { json: true }, positionals: ["-32001"] });
    expect(read("--save", "-5")).toEqual({ options: { save: "-5" }, positionals: [] });
  });

  it("takes everything behind -- as it is", () => {
    expect(read("--", "--json", "-5")).toEqual({ options: {}, positionals: ["--json", "-5"] });
  });

  it.each([
    [["--jsno"], 'There is no option "--jsno".'],
    [["-x"], 'There is no option "-x".'],
    [["--json=1"], "The option --json takes no value."],
    [["--save"], "The option --save needs a value: --save <file>."],
    [["--save", "--json"], "The option --save needs a value; for one that begins with a dash write --save=…."],
    [["--color", "red"], "The option --color needs one of auto, never."],
    [["--constructor"], 'There is no option "--constructor".'],
  ])("refuses %j", (args, message) => {
    expect(read(...args)).toMatchObject({ message });
  });

  it("never repeats a value, which may be a secret", () => {
    const refusals = [read("--heder=Bearer-s3cr3t"), read("--json=s3cr3t"), read("--color=s3cr3t"), read("-ps3cr3t")];
    for (const refusal of refusals) expect(JSON.stringify(refusal)).not.toContain("s3cr3t");
  });
});

describe("readOptions of a command that starts a program", () => {
  it("gives everything after the name of the program to the program", () => {
    expect(program("-e", "A=b", "node", "server.js", "--json", "-e", "-3", "--", "x")).toEqual({
      options: { env: ["A=b"] },
      positionals: ["node", "server.js", "--json", "-e", "-3", "--", "x"],
    });
  });

  it("does the same behind --", () => {
    expect(program("--json", "--", "--odd-program", "--json")).toEqual({
      options: { json: true },
      positionals: ["--odd-program", "--json"],
    });
  });

  it("reads options behind an address", () => {
    expect(program("https://example.com/mcp", "--json")).toEqual({
      options: { json: true },
      positionals: ["https://example.com/mcp"],
    });
  });
});
