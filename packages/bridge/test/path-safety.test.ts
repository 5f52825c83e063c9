// For any value of a path parameter, the request stays below its base and in its own segment.

import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildRequest } from "../src/request/build-request.ts";
import { withParameters } from "./operation.ts";

const BASES = ["https://api.example", "https://api.example/", "https://api.example:8443/v1", "http://127.0.0.1/a/b/"];
const TEMPLATES = ["/users/{x}", "/users/{x}/keys", "/{x}.json", "/a/v{x}:run", "/{x}/", "/a/{y}...{x}"];
const bits = fc.constantFrom(
  ...".. . / \\ %2e %2E%2e %2f %5C %252e %25 ? # ; @ // : a evil.example ． ／ %c0%ae".split(" "),
  ...["\u0000", "\r\n", " "],
);
const hostile = fc.oneof(
  fc.array(bits, { minLength: 1, maxLength: 6 }).map((all) => all.join("")),
  fc.string({ unit: "binary", maxLength: 12 }),
);

/** A path as the least careful server may read it. */
function decodedFully(path: string): string {
  let text = path;
  for (let times = 0; times < 4; times++)
    text = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return text.replaceAll("\\", "/");
}

describe.each(["simple", "label", "matrix"])("style %s", (style) => {
  it("has the same origin, base and number of segments, or is refused", () => {
    fc.assert(
      fc.property(fc.constantFrom(...BASES), fc.constantFrom(...TEMPLATES), hostile, (base, template, value) => {
        const [server, parameter] = [new URL(base), { name: "x", in: "path", style }];
        const more = template.includes("{y}") ? [{ name: "y", in: "path" }] : [];
        const operation = withParameters(template, parameter, ...more);
        const built = buildRequest(operation, { x: value, ...(more.length > 0 && { y: "." }) }, { server });
        if (!built.ok) return;
        const { url } = built.request;
        expect([url.origin, url.search, url.hash, url.username]).toEqual([server.origin, "", "", ""]);
        const root = server.pathname.replace(/\/$/, "");
        expect(url.pathname.startsWith(`${root}/`)).toBe(true);
        const seen = decodedFully(url.pathname).slice(root.length).split("/");
        expect(seen).toHaveLength(template.split("/").length);
        expect(seen.filter((segment) => /^\.{1,2}(?:;|$)/.test(segment))).toEqual([]);
        expect(new URL(url.href).pathname).toBe(url.pathname);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

it("stays below its place with several segments", () => {
  const operation = withParameters("/repos/{x}/raw", { name: "x", in: "path", "x-multi-segment": true });
  fc.assert(
    fc.property(hostile, (value) => {
      const built = buildRequest(operation, { x: value }, { server: new URL("https://api.example/v1") });
      if (!built.ok) return;
      const seen = decodedFully(built.request.url.pathname);
      expect(seen).toMatch(/^\/v1\/repos\/.+\/raw$/s);
      expect(seen.split("/").filter((segment) => /^\.{0,2}(?:;|$)/.test(segment))).toEqual([""]);
    }),
    { numRuns: runs(1_000) },
  );
});
