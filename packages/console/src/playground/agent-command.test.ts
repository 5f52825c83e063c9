import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isNightly } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { writeAgentCommand } from "./agent-command.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-command-"));
afterAll(() => rmSync(folder, { recursive: true }));
const trap = join(folder, "trap");

// Stands in for npx: it writes what it was asked to run, and what it reads.
writeFileSync(join(folder, "npx"), '#!/bin/sh\necho "$@"\ncat\n', { mode: 0o755 });

/** What the program behind the command reads, as a shell runs the command. */
function runIn(shell: "sh" | "bash", text: string): string {
  const env = { PATH: `${folder}:${process.env["PATH"]}`, LC_ALL: "C.UTF-8" };
  const out = execFileSync(shell, { input: writeAgentCommand(text), env, encoding: "utf8", cwd: folder });
  const [asked, ...read] = out.split("\n");
  expect(asked).toBe("-y @recourse/cli explain");
  return read.join("\n");
}

const ATTACKS: Readonly<Record<string, string>> = {
  "the end mark": `END\ntouch ${trap}\n`,
  "the end mark and the next ones": `END\nEND_1\nEND_2\ntouch ${trap}`,
  "the end mark within a word": `xENDx\nxEND_1\nEND\ntouch ${trap}`,
  "a substitution": `$(touch ${trap}) \${HOME} $((1 + 1))`,
  backticks: `\`touch ${trap}\``,
  quotes: `'; touch ${trap}; echo '\n"; touch ${trap}; echo "`,
  backslashes: "a\\\nb\\\\ \\n \\$HOME",
  "exclamation marks": `!touch ${trap}\n!!\n!$ BANG BANG_1 !`,
  "what sed could take for its own": "!/!&!\\1!\ns/x/y/e",
  "empty lines": "\n\na\n\n",
  nothing: "",
};

describe.each(["sh", "bash"] as const)("in %s", (shell) => {
  it.each(Object.entries(ATTACKS))("%s is read, and not run", (_name, text) => {
    expect(runIn(shell, text)).toBe(`${text}\n`);
    expect(existsSync(trap)).toBe(false);
  });

  it("any text is read as it is", () => {
    const word = fc.constantFrom(
      "END",
      "END_1",
      "BANG",
      "!",
      "\n",
      "$(",
      ")",
      "`",
      "'",
      '"',
      "\\",
      "<<",
      "é",
      "😀",
      " ",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ unit: "grapheme-ascii" })), { maxLength: 12 }), (words) => {
        const text = words.join("");
        expect(runIn(shell, text)).toBe(`${text}\n`);
      }),
      { numRuns: isNightly ? 40 : 8 },
    );
  });
});

it("holds no character that a terminal takes for a key", () => {
  // A pasted command is typed: Ctrl-C and Ctrl-D end a here-document, and escape sequences end the paste.
  const command = writeAgentCommand("a\u0003\ntouch x\n\u0004\u001b[201~\rtouch y\tb\u007f\u009b");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  expect(command).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(command).toContain("a⟨U+0003⟩\ntouch x\n⟨U+0004⟩⟨U+001B⟩[201~\ntouch y    b⟨U+007F⟩⟨U+009B⟩");
});
