import { describe, expect, it } from "vitest";
import { groupCommands } from "../program/help.ts";
import { runProgram } from "../program/run.ts";
import { COMMANDS } from "./index.ts";

async function recourse(...args: string[]) {
  let out = "";
  let err = "";
  const exit = await runProgram(COMMANDS, args, {
    stdin: (async function* () {})(),
    stdout: {
      write: (text) => {
        out += text;
      },
    },
    stderr: {
      write: (text) => {
        err += text;
      },
    },
    env: {},
    cwd: "/",
    now: () => 0,
    signal: new AbortController().signal,
  });
  return { exit, out, err };
}

describe("recourse --help", () => {
  it("lists every command once, in a group with a title", async () => {
    const groups = groupCommands(COMMANDS);
    expect(groups.map(({ title }) => title)).not.toContain("Others");
    expect(groups.flatMap(({ commands }) => commands).toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(
      COMMANDS.toSorted((a, b) => a.name.localeCompare(b.name)),
    );
    const { out } = await recourse("--help");
    for (const { title, commands } of groups) {
      const [, block = ""] = out.split(`\n${title}:\n`);
      for (const { name } of commands) expect(block.split("\n\n")[0]).toMatch(new RegExp(`^ {2}${name} `, "m"));
    }
  });
});

describe("a mistyped word", () => {
  it.each([
    [["proob"], "probe"],
    [["incidnt"], "incident"],
    [["aprovals"], "approvals"],
    [["help", "docter"], "doctor"],
    [["probe", "--sarfi", "x"], "--sarif"],
    [["probe", "--write-baselin", "x"], "--write-baseline"],
    [["probe", "--makdown", "x"], "--markdown"],
  ])("%j is near to %s", async (args, meant) => {
    const { exit, err } = await recourse(...args);
    expect(exit).toBe("usage");
    expect(err).toContain(`Did you mean ${meant}?`);
  });
});

describe("recourse completion", () => {
  it.each(["bash", "zsh", "fish"])("knows every command and option in %s", async (shell) => {
    const { out } = await recourse("completion", shell);
    for (const { name, options } of COMMANDS)
      for (const word of [name, ...Object.keys(options)]) expect(out).toContain(word);
  });
});
