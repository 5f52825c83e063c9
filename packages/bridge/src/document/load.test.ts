import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DocumentSource, type LoadOptions, loadDocument } from "./load.ts";

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

async function codeOf(source: DocumentSource, options?: LoadOptions) {
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
  const fetchText: LoadOptions["fetchText"] = async (url, { maxBytes }) => {
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
