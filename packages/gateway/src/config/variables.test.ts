import { describe, expect, it } from "vitest";
import { fillVariables } from "./variables.ts";

describe("fillVariables", () => {
  it.each([
    ["no variable", "no variable"],
    [`\${TOKEN}`, "s3cret"],
    [`Bearer \${TOKEN}!`, "Bearer s3cret!"],
    [`\${PORT:-8080}`, "8080"],
    [`\${TOKEN:-other}`, "s3cret"],
    [`\${EMPTY:-filled}`, "filled"],
    [`\${URL:-http://127.0.0.1:6379}`, "http://127.0.0.1:6379"],
    [`\${NONE:-}`, ""],
    [`$\${TOKEN}`, `\${TOKEN}`],
    ["costs $5", "costs $5"],
  ])("fills %s", (text, filled) => {
    expect(fillVariables(text, { TOKEN: "s3cret", EMPTY: "" })).toMatchObject({ text: filled, missing: [] });
  });

  it("names what is missing, and takes an empty variable for missing", () => {
    expect(fillVariables(`\${A}/\${B}`, { B: "" }).missing).toEqual(["A", "B"]);
  });

  it("does not fill a value that looks like a variable again", () => {
    expect(fillVariables(`\${A}`, { A: `\${B}`, B: "x" }).text).toBe(`\${B}`);
  });

  it("reports what is no name", () => {
    expect(fillVariables(`\${a b}`, {}).hasBadName).toBe(true);
    expect(fillVariables(`\${__proto__}`, {}).missing).toEqual(["__proto__"]);
  });
});
