import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { CliCommand } from "./command.ts";
import { completionScript, SHELLS, type Shell } from "./completion.ts";

const probe: CliCommand = {
  name: "probe",
  about: "Check a server's failures: all of them",
  usage: "<url>",
  options: {
    "fail-on": { type: "string", choices: ["high", "low"], about: "Fail [on] it: always" },
    save: { type: "string", value: "file", about: "Save the recording" },
    header: { type: "string", multiple: true, short: "H", about: "Send a header" },
  },
  examples: [{ line: "recourse probe x", about: "" }],
  run: async () => ({ exit: "ok" }),
};
const completion: CliCommand = { ...probe, name: "completion", about: "Write a script", options: {}, words: SHELLS };

const folder = mkdtempSync(join(tmpdir(), "completion-"));
afterAll(() => rmSync(folder, { recursive: true }));
const files = Object.fromEntries(
  SHELLS.map((shell) => {
    const file = join(folder, `recourse.${shell}`);
    writeFileSync(file, completionScript(shell, [probe, completion]));
    return [shell, file];
  }),
) as Record<Shell, string>;

const missing = (shell: string) => spawnSync(shell, ["--version"]).status !== 0;
const lines = (text: string) => text.split(/\s+/).filter((word) => word !== "");

/** What bash would offer for the last of the words. */
function offeredByBash(...words: string[]): string[] {
  const script = `source '${files.bash}'; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _recourse; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return lines(spawnSync("bash", ["-c", script, "bash", "recourse", ...words], { encoding: "utf8" }).stdout);
}

function offeredByFish(line: string): string[] {
  const script = `source '${files.fish}'; complete -C '${line}'`;
  const { stdout } = spawnSync("fish", ["--no-config", "-c", script], {
    encoding: "utf8",
    env: { ...process.env, HOME: folder },
  });
  return stdout.split("\n").flatMap((one) => one.split("\t")[0] || []);
}

describe.skipIf(missing("bash"))("bash (skipped where it is missing)", () => {
  it("completes commands, options and choices", () => {
    expect(offeredByBash("")).toEqual(["probe", "completion", "help"]);
    expect(offeredByBash("pr")).toEqual(["probe"]);
    expect(offeredByBash("help", "c")).toEqual(["completion"]);
    expect(offeredByBash("--json", "probe", "--sa")).toEqual(["--save"]);
    expect(offeredByBash("probe", "--fail-on", "")).toEqual(["high", "low"]);
    expect(offeredByBash("probe", "--color", "al")).toEqual(["always"]);
    expect(offeredByBash("completion", "z")).toEqual(["zsh"]);
    expect(offeredByBash("probe", "")).toEqual([]);
  });
});

describe.skipIf(missing("zsh"))("zsh (skipped where it is missing)", () => {
  it("reads the script and registers the function", () => {
    const script = `autoload -Uz compinit && compinit -u -D; source '${files.zsh}' && print -r -- $_comps[recourse]`;
    const { stdout, stderr } = spawnSync("zsh", ["-f", "-c", script], {
      encoding: "utf8",
      env: { ...process.env, HOME: folder },
    });
    expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: "_recourse", stderr: "" });
  });
});

describe.skipIf(missing("fish"))("fish (skipped where it is missing)", () => {
  it("completes commands, options and choices", () => {
    expect(offeredByFish("recourse pr")).toEqual(["probe"]);
    expect(offeredByFish("recourse probe --fail-on ")).toEqual(["high", "low"]);
    expect(offeredByFish("recourse probe --sa")).toEqual(["--save"]);
    expect(offeredByFish("recourse completion z")).toContain("zsh");
    expect(offeredByFish("recourse help c")).toContain("completion");
  });
});
