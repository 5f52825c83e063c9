import { gzipSync } from "node:zlib";
import { KINDS } from "@recourse/core";
import { catalogue, meaningsOf } from "@recourse/explain";
import { describe, expect, it } from "vitest";
import { CODES } from "../../packages/explain/src/data/systems.ts";
import { makeCodeBook } from "./codes.ts";

const { codes, ranges } = makeCodeBook();
/** One system sends names of classes as codes. They lead to the page of the class. */
const CLASSES = new Set<string>(Object.values(KINDS).map((row) => row.class));

describe("the book of codes", () => {
  it("has every code of the library, with every meaning", () => {
    const systemCodes = Object.values(catalogue).flatMap(({ doc }) => (doc.codes ?? []).map(({ code }) => code));
    const known = [...Object.keys(CODES), ...systemCodes].filter((code) => !CLASSES.has(code));
    for (const code of known) {
      const senders = codes[code]?.senses.map(({ sender }) => sender);
      expect(senders, code).toEqual(expect.arrayContaining(meaningsOf(code).map(({ sender }) => sender)));
    }
  });

  it.each(["-32001", "404", "ECONNREFUSED", "ENOTFOUND", "REQUEST_TIMEOUT", "UND_ERR_SOCKET"])("has %s", (code) => {
    const { senses = [] } = codes[code] ?? {};
    expect(senses.length).toBeGreaterThan(0);
    for (const { reason, advice } of senses) {
      expect(Object.keys(catalogue)).toContain(reason);
      expect(advice).not.toBe("");
    }
  });

  it("says what JSON-RPC says of numbers that no one sends", () => {
    const range = ranges.find(({ from, to }) => -32050 >= from && -32050 <= to);
    expect(range?.rule).toContain("reserved for MCP");
  });

  it("is small", () => {
    expect(gzipSync(JSON.stringify({ codes, ranges })).length).toBeLessThan(12_000);
  });
});
