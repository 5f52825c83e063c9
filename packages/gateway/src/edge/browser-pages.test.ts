import { expect, test } from "vitest";
import { headWith } from "../../test/support/head.ts";
import { createPageFinder } from "./browser-pages.ts";

const LOCAL_PAGE = "http://localhost:5173";
const PUBLIC_PAGE = "https://app.example.com";

/** What a page may read that calls a gateway by a name, at the address where the connection came in. */
function found(origin: string, at: { readonly host: string; readonly address: string }, origins?: string[] | "any") {
  const head = { ...headWith({ origin, host: at.host }), localAddress: at.address };
  return createPageFinder({ origins })(head);
}

const ON_MACHINE = { host: "127.0.0.1:8080", address: "127.0.0.1" };
const IN_NETWORK = { host: "mcp.example.com", address: "10.0.0.5" };

test("where nothing was said, no page may read what a gateway in a network answers, not even one of the visitor's machine", () => {
  expect(found(LOCAL_PAGE, IN_NETWORK)).toBeUndefined();
  expect(found(PUBLIC_PAGE, IN_NETWORK)).toBeUndefined();
  expect(found(LOCAL_PAGE, ON_MACHINE)).toBe(LOCAL_PAGE);
  expect(found(PUBLIC_PAGE, ON_MACHINE)).toBeUndefined();
});

test("what the file says counts everywhere", () => {
  for (const place of [ON_MACHINE, IN_NETWORK]) {
    expect(found(PUBLIC_PAGE, place, [PUBLIC_PAGE])).toBe(PUBLIC_PAGE);
    expect(found(PUBLIC_PAGE, place, "any")).toBe("*");
  }
});

test("without Origin there is no page", () => {
  expect(createPageFinder({ origins: "any" })(headWith({ host: "127.0.0.1" }))).toBeUndefined();
});
