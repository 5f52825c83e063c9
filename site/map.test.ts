import { expect, test } from "vitest";
import { readSources } from "./content/sources.ts";
import { compareMap, expandMap } from "./map.ts";

/** Pages that the build makes from other sources than Markdown files. */
const MADE_BY_BUILD = /^\/reference\/(?!api\/?$)|^\/reference\/$/;

const addresses = readSources().map(({ address }) => address);

test("every page is in the map, and every entry of the map is a page", () => {
  expect(addresses.length).toBeGreaterThan(300);
  const { missing, unknown } = compareMap(addresses);
  expect(missing).toEqual([]);
  expect(unknown.filter((address) => !MADE_BY_BUILD.test(address))).toEqual([]);
});

test("a page that is missing in the map is found", () => {
  expect(compareMap([...addresses, "/guide/new-page/"]).missing).toEqual(["/guide/new-page/"]);
});

test("an entry whose page is gone is found", () => {
  expect(compareMap(addresses.filter((address) => address !== "/gateway/breakers/")).unknown).toContain(
    "/gateway/breakers/",
  );
});

test("no page is shown twice", () => {
  const shown = expandMap(addresses).flatMap(({ groups }) => groups.flatMap(({ pages }) => pages));
  expect(shown.filter((address, place) => shown.indexOf(address) !== place)).toEqual([]);
});
