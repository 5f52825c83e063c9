import { expect, test } from "vitest";
import { type Figures, worseThan } from "./figures.ts";

const counts = { authors: 5, services: 3, libraries: 1, secrets: 0, less: 2, moves: 7, stops: 1, wrongStops: 1 };
const figures = (changed: Partial<typeof counts>): Figures => ({
  shop: { public: { ...counts, ...changed }, quote: counts },
});

test.each([
  [{}, []],
  [{ authors: 6, less: 1, stops: 0 }, []],
  [{ authors: 4 }, ["shop, public, authors: 5 before, 4 now"]],
  [{ secrets: 1 }, ["shop, public, secrets: 0 before, 1 now"]],
  [{ less: 3, moves: 6 }, ["shop, public, less: 2 before, 3 now", "shop, public, moves: 7 before, 6 now"]],
])("%o is worse in %j", (changed, problems) => {
  expect(worseThan(figures({}), figures(changed))).toEqual(problems);
});

test("a server that was not guarded before has nothing to fall below, and one that was has to be", () => {
  expect(worseThan({}, figures({}))).toEqual([]);
  expect(worseThan({ shop: null }, figures({ authors: 0 }))).toEqual([]);
  expect(worseThan(figures({}), { shop: null })).toEqual(["shop: guard refuses it now"]);
});
