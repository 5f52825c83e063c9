import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { doctorLine, shellWord } from "./shell.ts";

test.for([
  ["node", "node"],
  ["dist/server.js", "dist/server.js"],
  ["my server.js", '"my server.js"'],
  ["http://[::1]:3000/mcp", '"http://[::1]:3000/mcp"'],
  ["http://x/mcp?a=1&b=2", '"http://x/mcp?a=1&b=2"'],
  ["C:\\Program Files\\node.exe", "'C:\\Program Files\\node.exe'"],
  ["it's $5", "'it'\\''s $5'"],
  ["", '""'],
] as const)("%j is typed as %s", ([word, line]) => {
  expect(shellWord(word)).toBe(line);
});

test("a command line names every word", () => {
  expect(doctorLine("--cwd", "my project", "npm", "start")).toBe('recourse doctor --cwd "my project" npm start');
});

test.skipIf(process.platform === "win32")("a shell reads the word back", () => {
  for (const word of ["a b", 'it\'s $HOME `x` "y" \\ !', "*?[a]", "(&|;<>)", "~/x"]) {
    const read = execFileSync("sh", ["-c", `printf %s ${shellWord(word)}`], { encoding: "utf8" });
    expect(read).toBe(word);
  }
});
