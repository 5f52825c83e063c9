import { describe, expect, it } from "vitest";
import { type Environment, fillPlaces, pathText, problemLine } from "./document.ts";

/** Fills a text with these variables and files. */
function fill(text: string, environment: Environment = {}, files: Readonly<Record<string, string>> = {}) {
  return fillPlaces(text, {
    environment,
    readFile: (path) => {
      const value = files[path];
      return value === undefined ? { problem: "does not exist.", fix: "Create it." } : { value };
    },
  });
}

describe("fillPlaces", () => {
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
    expect(fill(text, { TOKEN: "s3cret", EMPTY: "" })).toMatchObject({ text: filled, problems: [] });
  });

  it("names what is missing, and takes an empty variable for missing", () => {
    const { problems } = fill(`\${A}/\${B}`, { B: "" });
    expect(problems.map(({ message }) => message)).toEqual([
      "the variable A is not set.",
      "the variable B is not set.",
    ]);
  });

  it("does not fill a value that looks like a variable again", () => {
    expect(fill(`\${A}`, { A: `\${B}`, B: "x" }).text).toBe(`\${B}`);
    expect(fill(`\${file:a}`, { B: "x" }, { a: `\${B}` }).text).toBe(`\${B}`);
  });

  it.each([`\${a b}`, `\${}`, `\${file:}`])("reports %s, which is no name", (text) => {
    expect(fill(text).problems[0]?.message).toBe(`the text between \${ and } is not the name of a variable.`);
  });

  it("takes no variable from the prototype", () => {
    expect(fill(`\${__proto__}`).problems[0]?.message).toBe("the variable __proto__ is not set.");
  });

  it("puts in what files hold", () => {
    const files = { "/run/token": "t0ken", name: "ann" };
    expect(fill(`\${file:/run/token}`, {}, files).text).toBe("t0ken");
    expect(fill(`\${file:name} and \${X:-y}: \${file:/run/token}!`, {}, files).text).toBe("ann and y: t0ken!");
    expect(fill(`$\${file:name}`, {}, files).text).toBe(`\${file:name}`);
    // A variable may have this name.
    expect(fill(`\${file} \${file:-none}`, { file: "v" }, files).text).toBe("v v");
  });

  it("names a file that cannot be used, and one with a default", () => {
    expect(fill(`\${file:/run/none}`).problems).toEqual([
      { message: "the file /run/none does not exist.", fix: "Create it." },
    ]);
    expect(fill(`\${file:/run/none:-x}`).problems[0]?.message).toBe("a file has no default.");
  });

  it.each([
    [`postgres://app:\${file:raw}@db:5432/app`, "postgres://app:p%40%2F%3A%20%25@db:5432/app"],
    [`redis://:\${file:raw}@cache`, "redis://:p%40%2F%3A%20%25@cache"],
    [`postgres://\${USER}:\${file:raw}@\${HOST:-db}/app`, "postgres://app:p%40%2F%3A%20%25@db/app"],
    [`postgres://\${file:raw}:\${file:raw}@db`, "postgres://p%40%2F%3A%20%25:p%40%2F%3A%20%25@db"],
    [`https://\${file:host}/mcp`, "https://shop:8080/mcp"],
    [`https://shop/\${file:raw}@x`, "https://shop/p@/: %@x"],
    [`Basic \${file:raw}`, "Basic p@/: %"],
    [`\${file:url}`, "postgres://app:a%40b@db"],
  ])("encodes the user and the password of a URL only: %s", (text, filled) => {
    const files = { raw: "p@/: %", host: "shop:8080", url: "postgres://app:a%40b@db" };
    expect(fill(text, { USER: "app" }, files).text).toBe(filled);
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
