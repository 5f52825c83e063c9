import { expect, test } from "vitest";
import { CAUSE_IDS, DOCTOR_CAUSES, findDoctorCause } from "./causes.ts";

test("ids are D1 to D45, without a gap", () => {
  expect(CAUSE_IDS).toEqual(Array.from({ length: 45 }, (_, at) => `D${at + 1}`));
});

test("titles have no full stop, and sentences end with one", () => {
  for (const id of CAUSE_IDS) {
    const { title, seen, because, fix } = DOCTOR_CAUSES[id];
    expect(title, id).toMatch(/[^.]$/);
    for (const text of [seen, because, fix]) expect(text, id).toMatch(/\.$/);
  }
});

test("a cause is found in any case of letters", () => {
  expect(findDoctorCause("d10")).toMatchObject({ id: "D10", title: "The program writes other text to stdout" });
  expect(findDoctorCause("D99")).toBeUndefined();
  expect(findDoctorCause("toString")).toBeUndefined();
});
