import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type DocumentSource,
  type LoadDocumentOptions,
  loadDocument,
  parseText,
  readVersion,
  serverAddresses,
  toPlainData,
} from "./document.ts";

it.each([
  [{ openapi: "3.0.0" }, "3.0"],
  [{ openapi: "3.0.4" }, "3.0"],
  [{ openapi: "3.1.1" }, "3.1"],
  [{ openapi: "3.1" }, "3.1"],
  [{ openapi: 3.1 }, "3.1"],
  [{ openapi: 3 }, "3.0"],
])("understands %j", (root, version) => {
  expect(readVersion(root)).toEqual({ ok: true, value: { version, root } });
});

it.each([
  [{ swagger: "2.0" }, "swagger_2"],
  [{ openapi: "3.2.0" }, "newer"],
  [{ openapi: "4.0.0" }, "newer"],
  [{ openapi: "2.0" }, "newer"],
  [{ openapi: "3.1.x" }, "newer"],
  [{ openapi: "three" }, "not_openapi"],
  [{ openapi: null }, "not_openapi"],
  [{}, "not_openapi"],
  [[], "not_openapi"],
  ["3.1.0", "not_openapi"],
])("refuses %j as %s", (root, code) => {
  const found = readVersion(root);
  expect(found.ok || found.problem.code).toBe(code);
});

it("fills in the defaults of server variables", () => {
  const servers = [
    { url: "https://{host}/v{n}", variables: { host: { default: "a.example" }, n: { default: "2" } } },
    { url: "/relative" },
    { url: "https://{nobody}/" },
    { url: 5 },
    null,
  ];
  expect(serverAddresses({ servers })).toEqual(["https://a.example/v2", "/relative"]);
  expect(serverAddresses(undefined)).toEqual([]);
});

const text = "openapi: 3.1.0\npaths: {}\n";
const loaded = { ok: true, value: { version: "3.1", root: { openapi: "3.1.0", paths: {} } } };
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "documents-"));
  await writeFile(join(folder, "a.yaml"), text);
  await writeFile(join(folder, "bom.yaml"), `\ufeff${text}`);
  await writeFile(join(folder, "latin.yaml"), Buffer.from([0x61, 0x3a, 0x20, 0xe9, 0x0a]));
});
afterAll(() => rm(folder, { recursive: true }));

async function codeOf(source: DocumentSource, options?: LoadDocumentOptions) {
  const found = await loadDocument(source, options);
  return found.ok ? "ok" : found.problem.code;
}

it("loads a text, an object, a path, a file address", async () => {
  const file = join(folder, "a.yaml");
  for (const source of [text, { openapi: "3.1.0", paths: {} }, file, pathToFileURL(file), pathToFileURL(file).href])
    expect(await loadDocument(source)).toEqual(loaded);
  expect(await loadDocument('{ "openapi": "3.1.0", "paths": {} }')).toEqual(loaded);
  expect(await loadDocument(join(folder, "bom.yaml"))).toEqual(loaded);
});

it("never fetches from the network by itself", async () => {
  expect(await codeOf("http://127.0.0.1:9/openapi.yaml")).toBe("remote");
  expect(await codeOf(new URL("https://api.example/openapi.yaml"))).toBe("remote");
});

it("reads from the network with the given function", async () => {
  const asked: [string, number][] = [];
  const fetchText: LoadDocumentOptions["fetchText"] = async (url, { maxBytes }) => {
    asked.push([url.href, maxBytes]);
    return { ok: true, value: text };
  };
  expect(await loadDocument("https://api.example/openapi.yaml", { fetchText, maxBytes: 1_000 })).toEqual(loaded);
  expect(asked).toEqual([["https://api.example/openapi.yaml", 1_000]]);
  expect(await codeOf("https://api.example", { fetchText: () => Promise.reject(new Error("gone")) })).toBe(
    "unreadable",
  );
});

it("respects the size limit", async () => {
  expect(await codeOf(text, { maxBytes: 10 })).toBe("too_large");
  expect(await codeOf(join(folder, "a.yaml"), { maxBytes: 10 })).toBe("too_large");
  expect(await codeOf("https://a.example", { maxBytes: 10, fetchText: async () => ({ ok: true, value: text }) })).toBe(
    "too_large",
  );
});

it("refuses a missing file, a directory, and text that is not UTF-8", async () => {
  expect(await codeOf(join(folder, "missing.yaml"))).toBe("unreadable");
  expect(await codeOf(folder)).toBe("unreadable");
  expect(await codeOf("/dev/zero")).toBe("unreadable");
  expect(await codeOf(join(folder, "latin.yaml"))).toBe("unreadable");
});

it("stops when the signal is aborted", async () => {
  expect(await codeOf(join(folder, "a.yaml"), { signal: AbortSignal.abort() })).toBe("unreadable");
});

const code = (text: string) => {
  const parsed = parseText(text);
  return parsed.ok ? "ok" : parsed.problem.code;
};

it.each([
  ["JSON", '{ "paths": { "/a": { "x": [1, true, null] } } }'],
  ["YAML", "paths:\n  /a:\n    x: [1, true, null]\n"],
  ["YAML in braces, with a comment", "{ paths: { /a: { x: [1, true, null] } } } # all"],
])("reads %s", (_, text) => {
  expect(parseText(text)).toEqual({ ok: true, value: { paths: { "/a": { x: [1, true, null] } } } });
});

it("reads keys as text, and yes and no as text", () => {
  const text = "responses:\n  200: no\n  404: 2024-01-01\n";
  expect(parseText(text)).toEqual({ ok: true, value: { responses: { 200: "no", 404: "2024-01-01" } } });
});

it.each([
  "a: !!js/function 'function () {}'\n",
  "a: !include /etc/passwd\n",
  "a: !!binary aGk=\n",
  "%YAML 1.1\n---\na: !!timestamp 2024-01-01\n",
  "a: !<tag:example.org,2026:x> 1\n",
])("refuses the tag in %j", (text) => {
  expect(code(text)).toBe("custom_tag");
});

it("refuses a repeated key", () => {
  expect(code("paths:\n  /a: 1\n  /a: 2\n")).toBe("ambiguous");
});

it("refuses aliases that multiply", () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 12; level++)
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  expect(code(`${lines.join("\n")}\n`)).toBe("aliases");
});

it("accepts a few aliases", () => {
  expect(parseText("a: &x { b: 1 }\nc: *x\n")).toEqual({ ok: true, value: { a: { b: 1 }, c: { b: 1 } } });
});

it.each([
  ["text that is no YAML", "a: [1\nb: }\n"],
  ["two documents", "a: 1\n---\nb: 2\n"],
  ["an alias of nothing", "a: *nothing\n"],
])("refuses %s", (_, text) => {
  expect(["malformed", "aliases"]).toContain(code(text));
});

it("survives endless nesting", () => {
  expect(["too_deep", "malformed"]).toContain(code(`a: ${"[".repeat(20_000)}`));
});

it("reads a mapping with many keys quickly", () => {
  const text = Array.from({ length: 5_000 }, (_, index) => `k${index}: ${index}`).join("\n");
  const parsed = parseText(text);
  expect(parsed.ok && Object.keys(parsed.value as object).length).toBe(5_000);
});

it("copies JSON unchanged", () => {
  const value = { a: [1, "x", null, true, { b: {} }], c: "" };
  expect(toPlainData(value)).toEqual({ ok: true, value });
});

it("leaves out __proto__ and values that JSON does not have", () => {
  const value: unknown = JSON.parse('{ "__proto__": { "evil": 1 }, "a": { "__proto__": 2, "b": 1 } }');
  const more = { date: new Date(0), big: 1n, call: () => 1, not: Number.NaN, list: [Symbol("x"), 2], at: new Map() };
  expect(toPlainData({ value, ...more })).toEqual({ ok: true, value: { value: { a: { b: 1 } }, list: [null, 2] } });
});

it("refuses an object that is nested too deeply", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200; level++) deep = [deep];
  expect(toPlainData(deep)).toMatchObject({ ok: false, problem: { code: "too_deep" } });
});

it("refuses an object that contains itself", () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  expect(toPlainData(loop)).toMatchObject({ ok: false, problem: { code: "too_deep" } });
});

it("counts shared objects each time, so that they cannot multiply", () => {
  let shared: unknown = ["x"];
  for (let level = 0; level < 60; level++) shared = [shared, shared];
  expect(toPlainData(shared)).toMatchObject({ ok: false, problem: { code: "too_large" } });
});
