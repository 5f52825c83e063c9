import { expect, test } from "vitest";
import { findGivenUp, listAddresses, readPublished } from "./addresses.ts";
import { REDIRECTS, renderRedirect } from "./redirects.ts";

const addresses = listAddresses();

test("every address that was published is a page, or leads to one", () => {
  expect(readPublished().length).toBeGreaterThan(400);
  expect(findGivenUp(readPublished(), addresses)).toEqual([]);
});

test("every page is in the list of published addresses: run `node --conditions=@recourse/source site/addresses.ts --update`", () => {
  const published = new Set(readPublished());
  expect(addresses.filter((address) => !published.has(address))).toEqual([]);
});

test("no redirect hides a page, and each leads to one", () => {
  expect(Object.keys(REDIRECTS).filter((address) => addresses.includes(address))).toEqual([]);
  expect(Object.values(REDIRECTS).filter((address) => !addresses.includes(address))).toEqual([]);
});

test("an address that is gone is found, unless it leads to a page", () => {
  expect(findGivenUp(["/old/"], ["/new/"], {})).toEqual(["/old/"]);
  expect(findGivenUp(["/old/"], ["/new/"], { "/old/": "/new/" })).toEqual([]);
  expect(findGivenUp(["/old/"], ["/new/"], { "/old/": "/gone/" })).toEqual(["/old/"]);
});

test("a redirect works without a script", () => {
  const html = renderRedirect({
    target: "../../causes/",
    canonical: "https://recourse-mcp.github.io/recourse/causes/",
  });
  expect(html).toContain('<meta http-equiv="refresh" content="0; url=../../causes/">');
  expect(html).not.toContain("<script");
});
