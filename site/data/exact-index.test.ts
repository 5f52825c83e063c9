import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { listAnchors } from "../content/markdown.ts";
import { ROOT, readSources } from "../content/sources.ts";
import { makeExactIndex } from "./exact-index.ts";
import { findExact } from "./find-exact.ts";

const index = makeExactIndex(readFileSync(join(ROOT, "docs/gateway/configuration.md"), "utf8"));
const find = (query: string) =>
  findExact(index, query).map(({ label, name, address }) => `${label} ${name} ${address}`);

describe("the exact index", () => {
  it("is at most 12 kB", () => {
    expect(gzipSync(JSON.stringify(index)).length).toBeLessThan(12_000);
  });

  it("leads to pages and headings that exist", () => {
    const pages = new Map(readSources().map(({ address, text }) => [address, listAnchors(text)]));
    for (const { label, names } of index.groups) {
      expect(Object.keys(names).length, label).toBeGreaterThan(0);
      for (const name of Object.keys(names)) {
        const hit = findExact(index, name, 50).find((one) => one.label === label && one.name === name);
        const [, page = "", anchor] = /^([^#?]+)(?:\?[^#]*)?(?:#(.+))?$/.exec(hit?.address ?? "") ?? [];
        expect(pages.has(page), `${label} ${name}`).toBe(true);
        if (anchor !== undefined) expect(pages.get(page), name).toContain(anchor);
      }
    }
  });
});

describe("findExact", () => {
  it("finds a reason by its name without the domain, before everything else", () => {
    expect(find("breaker_open")[0]).toBe("Reason transport/breaker_open /errors/transport/breaker_open/");
    expect(find("session_not_found")[0]).toBe("Reason protocol/session_not_found /errors/protocol/session_not_found/");
    expect(find("core/timeout")).toEqual(["Reason core/timeout /errors/core/timeout/"]);
  });

  it.each([
    ["-32001", "Code -32001 /errors/?q=-32001"],
    ["32001", "Code -32001 /errors/?q=-32001"],
    ["HTTP 404", "Code 404 /errors/?q=404"],
    ["econnrefused", "Code ECONNREFUSED /errors/?q=ECONNREFUSED"],
    ["D10", "Cause D10 /causes/d10/"],
    ["leak-stack", "Check leak-stack /checks/leak-stack/"],
    ["recourse probe", "Command probe /cli/probe/"],
    ["permission", "Class permission /errors/by-class/#permission"],
    ["timeout", "Kind timeout /errors/by-kind/#timeout"],
  ])("finds %s", (query, first) => {
    expect(find(query)[0]).toBe(first);
  });

  it("finds names by their beginning, and by the beginning of a part", () => {
    expect(find("leak-s")).toEqual(["Check leak-stack /checks/leak-stack/", "Check leak-sql /checks/leak-sql/"]);
    expect(find("clientcred")[0]).toContain("upstreams.<name>.credential.clientCredentials");
  });

  it("finds nothing for an empty query and for words", () => {
    expect(find("  ")).toEqual([]);
    expect(find("how do I start a server")).toEqual([]);
  });
});

describe("the pages of causes", () => {
  it("exist for every cause", () => {
    const { as = {} } = index.groups.find(({ label }) => label === "Cause") ?? {};
    for (const file of Object.values(as)) expect(existsSync(join(ROOT, `docs/causes/${file}.md`)), file).toBe(true);
  });
});
