import { describe, expect, it } from "vitest";
import { createProgress, createStyles, progressMode, symbolsFor, usesColor } from "./terminal.ts";

const tty = { isTTY: true };

describe("usesColor", () => {
  it.each([
    ["a terminal", { output: tty, env: {} }, true],
    ["no terminal", { output: {}, env: {} }, false],
    ["a dumb terminal", { output: tty, env: { TERM: "dumb" } }, false],
    ["NO_COLOR", { output: tty, env: { NO_COLOR: "1" } }, false],
    ["an empty NO_COLOR", { output: tty, env: { NO_COLOR: "" } }, true],
    ["FORCE_COLOR", { output: {}, env: { FORCE_COLOR: "1" } }, true],
    ["FORCE_COLOR=0", { output: tty, env: { FORCE_COLOR: "0" } }, false],
    ["NO_COLOR before FORCE_COLOR", { output: tty, env: { NO_COLOR: "1", FORCE_COLOR: "1" } }, false],
    ["--color always before NO_COLOR", { output: {}, env: { NO_COLOR: "1" }, color: "always" }, true],
    ["--color never before FORCE_COLOR", { output: tty, env: { FORCE_COLOR: "1" }, color: "never" }, false],
  ] as const)("%s", (_, given, expected) => {
    expect(usesColor(given)).toBe(expected);
  });
});

describe("createStyles", () => {
  it("surrounds a text, or leaves it", () => {
    expect(createStyles({ enabled: true }).red("a")).toBe("\u001b[31ma\u001b[39m");
    expect(createStyles({ enabled: true }).red("")).toBe("");
    expect(createStyles({ enabled: false }).red("a")).toBe("a");
  });
});

it.each([
  [{ LANG: "en_US.UTF-8" }, "✔"],
  [{ LANG: "de_DE.utf8" }, "✔"],
  [{ LANG: "C" }, "+"],
  [{ LANG: "en_US.UTF-8", LC_ALL: "POSIX" }, "+"],
  [{ LANG: "C", LC_CTYPE: "C.UTF-8" }, "✔"],
  [{}, "✔"],
  [{ TERM: "linux" }, "+"],
  [{ OS: "Windows_NT" }, "+"],
  [{ OS: "Windows_NT", WT_SESSION: "1" }, "✔"],
])("%o shows %s", (env, tick) => {
  expect(symbolsFor(env).tick).toBe(tick);
});

function outputOf(more = {}) {
  const written: string[] = [];
  return { written, output: { ...more, write: (text: string) => void written.push(text) } };
}

describe("progressMode", () => {
  it.each([
    [{ isTTY: true }, {}, "line"],
    [{}, {}, "silent"],
    [{}, { verbose: true }, "lines"],
    [{ isTTY: true }, { verbose: true }, "lines"],
    [{ isTTY: true }, { quiet: true }, "silent"],
    [{ isTTY: true }, { quiet: true, verbose: true }, "silent"],
  ])("%o and %o give %s", (output, options, mode) => {
    expect(progressMode(output, options)).toBe(mode);
  });
});

describe("createProgress", () => {
  it("draws one line again, cut to the terminal, and removes it", () => {
    const { output, written } = outputOf({ isTTY: true, columns: 20 });
    const progress = createProgress(output, "line");
    progress.step("connecting");
    progress.step("a text that is longer than the terminal");
    progress.done();
    progress.done();
    expect(written).toEqual(["\r\u001b[2Kconnecting", "\r\u001b[2Ka text that is lon…", "\r\u001b[2K"]);
  });

  it("writes plain lines, or nothing", () => {
    const lines = outputOf();
    createProgress(lines.output, "lines").step("connecting");
    expect(lines.written).toEqual(["connecting\n"]);
    const silent = outputOf();
    const progress = createProgress(silent.output, "silent");
    progress.step("connecting");
    progress.done();
    expect(silent.written).toEqual([]);
  });
});
