import { expect, test } from "vitest";
import { renderHeaders, renderNginx, renderRobots } from "./host-files.ts";

test.each([
  ["_headers", renderHeaders()],
  ["nginx.conf", renderNginx()],
])("%s forbids frames and guessed types, and keeps hashed files", (_, text) => {
  expect(text).toContain("frame-ancestors 'none'");
  expect(text).toContain("nosniff");
  expect(text).toContain("Referrer-Policy");
  expect(text).toContain("max-age=31536000, immutable");
});

test("nginx repeats the headers in the location that has one of its own", () => {
  const [, location = ""] = /location ~ [^{]+\{([^}]*)\}/.exec(renderNginx()) ?? [];
  expect(location).toContain("X-Content-Type-Options");
});

test("robots are kept out of older versions and of the main branch", () => {
  const text = renderRobots({ site: "https://recourse-mcp.github.io/recourse", version: "1.2.0" });
  expect(text).toBe(
    "User-agent: *\nDisallow: /recourse/next/\nDisallow: /recourse/v0.\nDisallow: /recourse/v1.\n\nSitemap: https://recourse-mcp.github.io/recourse/sitemap-index.xml\n",
  );
});
