import { expect, test } from "vitest";
import { windowsCommand } from "./windows-command.ts";

const FILES = new Set(["C:\\node\\npx.cmd", "C:\\node\\node.exe", "C:\\work\\start.bat"]);
const lookup = {
  env: { Path: "C:\\windows;C:\\node", PATHEXT: ".exe;.cmd;.bat", ComSpec: "C:\\windows\\cmd.exe" },
  cwd: "C:\\work",
  isFile: (path: string) => FILES.has(path),
};

test("a program is started as it is", () => {
  expect(windowsCommand("node", ["a b.js", 'say "hi"'], lookup)).toEqual({
    file: "C:\\node\\node.exe",
    args: ["a b.js", 'say "hi"'],
    verbatim: false,
  });
});

test("a batch file goes through cmd.exe, and no argument can start another command", () => {
  const found = windowsCommand("npx", ["-y", "a&calc", "%PATH%", 'q"uote', "end\\"], lookup);
  expect(found.file).toBe("C:\\windows\\cmd.exe");
  expect(found.verbatim).toBe(true);
  const [, , , line = ""] = found.args;
  expect(line).toMatch(/^"C:\\node\\npx\.cmd .*"$/);
  // Every character with a meaning for cmd.exe stands behind a caret.
  expect(line.slice(1, -1).replaceAll(/\^./g, "")).not.toMatch(/[%&"|<>!]/);
  expect(line).toContain("end\\\\");
});

test("a name with a folder is looked up in the working directory, an unknown one is left alone", () => {
  expect(windowsCommand(".\\start.bat", [], lookup).args.at(-1)).toBe('"C:\\work\\start.bat "'.replace(' "', '"'));
  expect(windowsCommand("missing", [], lookup)).toEqual({ file: "missing", args: [], verbatim: false });
});
