import { expect, test } from "vitest";
import { CONNECTION_CAUSE_IDS, CONNECTION_CAUSES, findConnectionCause } from "./causes.ts";

test("ids are D1 to D78, without a gap", () => {
  expect(CONNECTION_CAUSE_IDS).toEqual(Array.from({ length: 78 }, (_, at) => `D${at + 1}`));
});

test("titles have no full stop, and sentences end with one", () => {
  for (const id of CONNECTION_CAUSE_IDS) {
    const { title, seen, because, fix } = CONNECTION_CAUSES[id];
    expect(title, id).toMatch(/[^.]$/);
    for (const text of [seen, because, fix]) expect(text, id).toMatch(/\.$/);
  }
});

test("a cause is found in any case of letters", () => {
  expect(findConnectionCause("d10")).toMatchObject({ id: "D10", title: "The program writes other text to stdout" });
  expect(findConnectionCause("D99")).toBeUndefined();
  expect(findConnectionCause("toString")).toBeUndefined();
});
