// What only one system knows stays in platform/, so that there is one place to look at for another system.
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SRC = fileURLToPath(new URL(".", import.meta.url));

/** What may not stand outside of platform/, each with a line that must be found. */
const RULES = {
  "starts programs": [/from "node:child_process"/, 'import { spawn } from "node:child_process";'],
  "sends signals": [/\.kill\(/, 'process.kill(-pid, "SIGTERM")'],
  "listens to signals": [/\bon(?:ce)?\(\s*["'`]SIG[A-Z]+/, 'process.on("SIGINT", stop)'],
  "uses process groups": [/\bdetached\s*:/, "{ detached: true }"],
  "uses a shell": [/\bshell\s*:\s*(?:true|["'`])|["'`](?:sh|bash|\/bin\/sh)["'`]\s*,\s*\[/, 'run("sh", ["-c", line])'],
  "names a folder of POSIX": [
    // A template begins an expression; within a sentence the sign marks code.
    /(?:["']|[(=:,[]\s*`)\/(?:tmp|dev|etc|usr|bin|sbin|var|home|root|proc|opt)(?:["'`]|\/[\w$])/,
    'const file = "/tmp/recording";',
  ],
  "sets rights of files": [/\b[lf]?ch(?:mod|own)(?:Sync)?\(/, "chmodSync(file, 0o755)"],
  "asks for the user": [/process\.(?:get|set)e?[ug]id\b/, "process.getuid?.()"],
  "joins paths by a slash": [
    /\$\{[\w.]*(?:cwd|dir|folder|directory|tmpdir\(\))\w*\}\/|\b\w*(?:cwd|dir|folder|directory)\w*\s*\+\s*["'`]\//i,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a line of code.
    "readFileSync(`${io.cwd}/package.json`)",
  ],
  "splits paths by a slash": [
    /\b\w*(?:cwd|path|folder|directory)\b\.(?:split|lastIndexOf)\(\s*["'`]\//i,
    'io.cwd.split("/")',
  ],
  "splits lists of folders by a colon": [/\bPATH\b[^;\n]*\.split\(\s*["'`]:/, 'env["PATH"].split(":")'],
} as const satisfies Record<string, readonly [pattern: RegExp, example: string]>;

/** The code of a file without its comments, and without the samples that a reader copies. */
function codeOf(file: string): string {
  const text = readFileSync(join(SRC, file), "utf8");
  return text.replaceAll(/\bcode: `[^`]*`/g, "").replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
}

const FILES = globSync("**/*.ts", { cwd: SRC }).filter(
  (file) => !file.endsWith(".test.ts") && file.split(sep)[0] !== "platform",
);

test("there are files to look at", () => {
  expect(FILES).toContain("main.ts");
  expect(FILES.length).toBeGreaterThan(20);
});

test.each(Object.entries(RULES))("only platform/ %s", (_, [pattern, example]) => {
  expect(example).toMatch(pattern);
  const found = FILES.flatMap((file) =>
    codeOf(file)
      .split("\n")
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test("the page about systems names every file that only one system needs", () => {
  const page = readFileSync(fileURLToPath(new URL("../../../docs/cli/platforms.md", import.meta.url)), "utf8");
  const files = globSync("*.ts", { cwd: join(SRC, "platform") }).filter((file) => !file.endsWith(".test.ts"));
  expect(files).not.toEqual([]);
  for (const file of [...files, "child.ts", "windows-command.ts"]) expect(page).toContain(`| \`${file}\`: `);
});
