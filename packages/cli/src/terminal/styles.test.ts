import { describe, expect, it } from "vitest";
import { createStyles, usesColor } from "./styles.ts";

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
