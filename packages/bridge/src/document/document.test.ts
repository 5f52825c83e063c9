import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  DocumentError,
  type DocumentSource,
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
  expect(readVersion(root)).toEqual({ version, root });
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
] as const)("refuses %j as %s", (root, code) => {
  expect(() => readVersion(root)).toThrow(new DocumentError(code));
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
const loaded = { version: "3.1", root: { openapi: "3.1.0", paths: {} } };
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "documents-"));
  await writeFile(join(folder, "a.yaml"), text);
  await writeFile(join(folder, "bom.yaml"), `\ufeff${text}`);
  await writeFile(join(folder, "latin.yaml"), Buffer.from([0x61, 0x3a, 0x20, 0xe9, 0x0a]));
});
afterAll(() => rm(folder, { recursive: true }));

const unreachable = () => Promise.reject(new Error("gone"));
const load = (source: DocumentSource, signal?: AbortSignal) => loadDocument(source, unreachable, signal);
const refused = (code: DocumentError["code"]) => ({ name: "DocumentError", code });

it("loads a text, an object, a path, a file address", async () => {
  const file = join(folder, "a.yaml");
  for (const source of [text, { openapi: "3.1.0", paths: {} }, file, pathToFileURL(file), pathToFileURL(file).href])
    expect(await load(source)).toEqual(loaded);
  expect(await load('{ "openapi": "3.1.0", "paths": {} }')).toEqual(loaded);
  expect(await load(join(folder, "bom.yaml"))).toEqual(loaded);
});

it("reads from the network with the given function", async () => {
  const asked: string[] = [];
  const fetchText = async (url: URL) => (asked.push(url.href) === 1 ? text : "");
  expect(await loadDocument("https://api.example/openapi.yaml", fetchText)).toEqual(loaded);
  expect(asked).toEqual(["https://api.example/openapi.yaml"]);
  await expect(load("https://api.example")).rejects.toMatchObject(refused("unreadable"));
});

it("respects the size limit", async () => {
  const large = `${text}# ${"x".repeat(16 * 1024 * 1024)}`;
  const file = join(folder, "large.yaml");
  await writeFile(file, large);
  for (const source of [large, file, "https://a.example"])
    await expect(loadDocument(source, async () => large)).rejects.toMatchObject(refused("too_large"));
});

it("refuses text that is not UTF-8, and stops when the signal is aborted", async () => {
  await expect(load(join(folder, "latin.yaml"))).rejects.toMatchObject(refused("unreadable"));
  await expect(load(join(folder, "a.yaml"), AbortSignal.abort())).rejects.toMatchObject(refused("unreadable"));
});

function code(text: string) {
  try {
    parseText(text);
    return "ok";
  } catch (error) {
    return (error as DocumentError).code;
  }
}

it.each([
  ["JSON", '{ "paths": { "/a": { "x": [1, true, null] } } }'],
  ["YAML", "paths:\n  /a:\n    x: [1, true, null]\n"],
  ["YAML in braces, with a comment", "{ paths: { /a: { x: [1, true, null] } } } # all"],
])("reads %s", (_, text) => {
  expect(parseText(text)).toEqual({ paths: { "/a": { x: [1, true, null] } } });
});

it("reads keys as text, and yes and no as text", () => {
  const text = "responses:\n  200: no\n  404: 2024-01-01\n";
  expect(parseText(text)).toEqual({ responses: { 200: "no", 404: "2024-01-01" } });
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

it("accepts a few aliases", () => {
  expect(parseText("a: &x { b: 1 }\nc: *x\n")).toEqual({ a: { b: 1 }, c: { b: 1 } });
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
  expect(Object.keys(parseText(text) as object)).toHaveLength(5_000);
});

it("copies JSON unchanged", () => {
  const value = { a: [1, "x", null, true, { b: {} }], c: "" };
  expect(toPlainData(value)).toEqual(value);
});

it("leaves out __proto__ and values that JSON does not have", () => {
  const value: unknown = JSON.parse('{ "__proto__": { "evil": 1 }, "a": { "__proto__": 2, "b": 1 } }');
  const more = { date: new Date(0), big: 1n, call: () => 1, not: Number.NaN, list: [Symbol("x"), 2], at: new Map() };
  expect(toPlainData({ value, ...more })).toEqual({ value: { a: { b: 1 } }, list: [null, 2] });
});

it("refuses an object that is nested too deeply, or contains itself", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200; level++) deep = [deep];
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  for (const value of [deep, loop]) expect(() => toPlainData(value)).toThrow(new DocumentError("too_deep"));
});

it("counts shared objects each time, so that they cannot multiply", () => {
  let shared: unknown = ["x"];
  for (let level = 0; level < 60; level++) shared = [shared, shared];
  expect(() => toPlainData(shared)).toThrow(new DocumentError("too_large"));
});
