import { FaultError, render, toFault } from "@recourse/faults";
import { expect, test } from "vitest";
import { book, booking } from "./own-reasons.ts";

test("a reason says what to do next", () => {
  expect(() => book("12A")).not.toThrow();
  try {
    book("13F");
    expect.unreachable();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(FaultError);
    expect(render(toFault(thrown), { for: "model" })).toBe(
      'There is no seat "13F" on flight "RC42". Choose another one, such as "12F", "14F". [not_found booking/no_seat]',
    );
  }
});

test("defaults of a reason and missing values", () => {
  expect(booking.busy().fault.recourse).toEqual([{ do: "retry", afterMs: 5_000 }]);
  expect(booking.too_expensive().message).toBe("The fare has to be approved.");
  expect(booking.too_expensive({ euros: 900 }).message).toBe("The fare of 900 euros has to be approved.");
});
