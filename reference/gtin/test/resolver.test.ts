import { afterAll, describe, expect, test } from "vitest";
import { createTestEnvironment, PUBLIC_URL } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${environment.url}${path}`, { redirect: "manual", ...init });
const OATS = "/01/09520123456788";

describe("where a scanned code leads", () => {
  test.each([
    [OATS, {}, "https://products.example.com/oats"],
    [`${OATS}/`, {}, "https://products.example.com/oats"],
    ["/01/9520123456788", {}, "https://products.example.com/oats"],
    [`${OATS}/10/LOT/21/1`, {}, "https://products.example.com/oats"],
    [`${OATS}?linkType=gs1:pip`, { "accept-language": "de-AT, en;q=0.5" }, "https://products.example.com/de/oats"],
    [`${OATS}?linkType=https://ref.gs1.org/voc/pip`, { "accept-language": "en" }, "https://products.example.com/oats"],
    [`${OATS}?linkType=gs1:defaultLink`, {}, "https://products.example.com/oats"],
    [`${OATS}?utm=1&17=271231`, {}, "https://products.example.com/oats?utm=1&17=271231"],
    [`${OATS}?linkType=gs1:recallStatus&utm=1`, {}, "https://recalls.example.com/oats"],
    [OATS, { authorization: "Bearer whatever" }, "https://products.example.com/oats"],
  ])("%s %j", async (path, headers, location) => {
    const answer = await ask(path, { headers: headers as Record<string, string> });
    expect(answer.status).toBe(307);
    expect(answer.headers.get("location")).toBe(location);
    expect(answer.headers.get("link")).toContain(`<${PUBLIC_URL}${OATS}?linkType=linkset>; rel="linkset"`);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("several equally good links are offered as a choice", async () => {
    const answer = await ask(`${OATS}?linkType=gs1:instructions`);
    expect(answer.status).toBe(300);
    expect(await answer.json()).toEqual({
      choices: [
        { href: "https://products.example.com/oats/stove", title: "On the stove", link_type: "gs1:instructions" },
        {
          href: "https://products.example.com/oats/microwave",
          title: "In the microwave",
          link_type: "gs1:instructions",
        },
      ],
    });
  });
});

describe("links that cannot be resolved", () => {
  test.each([
    ["/01/00614141123452", 404, "not_found"],
    ["/01/09521234543213", 404, "not_found"],
    [`${OATS}?linkType=gs1:epil`, 404, "not_found"],
    ["/01/00614141123452?linkType=linkset", 404, "not_found"],
    ["/01/09520123456789", 400, "bad_request"],
    ["/01/2112345678900", 400, "bad_request"],
    [`${OATS}/21/1/10/A`, 400, "bad_request"],
    [`${OATS}?10=A`, 400, "bad_request"],
    [`${OATS}/10/%E0%A4`, 400, "bad_request"],
    ["/01", 400, "bad_request"],
  ])("%s: %d %s", async (path, status, code) => {
    const answer = await ask(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await answer.json()).toMatchObject({ status, error_code: code });
  });

  test("the three that are not found say why", async () => {
    const details = ["/01/00614141123452", "/01/09521234543213", `${OATS}?linkType=gs1:epil`].map(async (path) => {
      const { detail } = (await (await ask(path)).json()) as { detail: string };
      return detail;
    });
    expect(await Promise.all(details)).toEqual([
      "No product found for GTIN 00614141123452",
      'GTIN 09521234543213 is known, but it has no default link; its link types are: "gs1:recallStatus".',
      'GTIN 09520123456788 has no link of this type; there are: "gs1:pip", "gs1:instructions", "gs1:recallStatus".',
    ]);
  });
});

test.each([`${OATS}?linkType=linkset`, OATS])("all links of a product: %s", async (path) => {
  const answer = await ask(path, { headers: { accept: "application/linkset+json" } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/linkset+json");
  const { linkset } = (await answer.json()) as { linkset: readonly Record<string, unknown>[] };
  expect(linkset).toHaveLength(1);
  expect(linkset[0]).toMatchObject({
    anchor: `${PUBLIC_URL}${OATS}`,
    itemDescription: "Mountain oats, coarse",
    "https://ref.gs1.org/voc/defaultLink": [{ href: "https://products.example.com/oats", title: "Product page" }],
    "https://ref.gs1.org/voc/recallStatus": [
      { href: "https://recalls.example.com/oats", title: "Recalls", fwqs: false },
    ],
  });
});

test("HEAD and OPTIONS are served, other methods are not", async () => {
  const head = await ask(OATS, { method: "HEAD" });
  expect([head.status, head.headers.get("location")]).toEqual([307, "https://products.example.com/oats"]);
  expect((await ask(OATS, { method: "OPTIONS" })).status).toBe(204);
  const post = await ask(OATS, { method: "POST" });
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  expect(await post.json()).toMatchObject({ status: 405, error_code: "bad_request" });
});

test("the resolver describes itself", async () => {
  expect(await (await ask("/.well-known/gs1resolver")).json()).toMatchObject({
    resolverRoot: PUBLIC_URL,
    supportedPrimaryKeys: ["01"],
  });
  expect((await ask("/.well-known/other")).status).toBe(404);
});
