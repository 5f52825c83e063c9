import { defineReasons, slot } from "@recourse/faults";

export const booking = defineReasons("booking", {
  // Who acts: the model. It is told what to choose from.
  no_seat: {
    kind: "not_found",
    text: "There is no seat {seat} on flight {flight}.",
    slots: { seat: slot.text(8), flight: slot.text(8) },
  },
  // Who acts: time. The engine waits, and repeats only because nothing was booked.
  busy: { kind: "overloaded", text: "The booking system is busy.", details: { effect: "none", afterMs: 5_000 } },
  // Who acts: a person. `[…]` goes when its value is missing.
  too_expensive: {
    kind: "approval_required",
    text: "The fare[ of {euros} euros] has to be approved.",
    slots: { euros: slot.optional(slot.integer) },
  },
});

/** What a handler throws: the sentence is the author's, the values pass their slots. */
export function book(seat: string): void {
  if (seat === "13F") {
    throw booking.no_seat(
      { seat, flight: "RC42" },
      { recourse: [{ do: "choose_another", candidates: ["12F", "14F"] }] },
    );
  }
}
