import { describe, expect, it } from "vitest";
import { fillVariables, pathText, problemLine } from "./document.ts";

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

it("writes a path as people write it", () => {
  expect(pathText(["upstreams", "shop", "command", 0])).toBe("upstreams.shop.command[0]");
  expect(pathText(["keys", 1, "id"])).toBe("keys[1].id");
  expect(pathText([])).toBe("");
});

it("writes a problem on one line, so that editors and terminals can jump to it", () => {
  const problem = { line: 12, column: 7, path: "upstreams.shop.url", message: "expected a URL with http or https." };
  expect(problemLine("gateway.yaml", problem)).toBe(
    "gateway.yaml:12:7 upstreams.shop.url: expected a URL with http or https.",
  );
  expect(problemLine("a/b.yaml", { line: 1, column: 1, path: "", message: "The file is empty.", fix: "Run it." })).toBe(
    "a/b.yaml:1:1 The file is empty. Run it.",
  );
});
