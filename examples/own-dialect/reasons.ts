import { defineReasons, slot } from "@recourse/faults";

const isbn = slot.pattern(/^\d{13}$/, { bare: true });
const loan = slot.integer;

/** How lending books can fail. */
export const lending = defineReasons("lending", {
  no_book: { kind: "not_found", text: "There is no book {isbn}.", slots: { isbn } },
  no_loan: { kind: "not_found", text: "There is no loan {loan}.", slots: { loan } },
  all_lent: {
    kind: "precondition_failed",
    text: "All copies of {isbn} are lent[ until {until}].",
    slots: { isbn, until: slot.optional(slot.date) },
    details: { recourse: [{ do: "do_first", tool: "reserve" }] },
  },
  returned: { kind: "conflict", text: "Loan {loan} is returned already.", slots: { loan } },
  renewed_too_often: {
    kind: "precondition_failed",
    text: "Loan {loan} was renewed {times} times, which is the limit.",
    slots: { loan, times: slot.integer },
  },
  card_expired: { kind: "forbidden", text: "The card expired on {on}.", slots: { on: slot.date } },
  fees_open: { kind: "forbidden", text: "{cents} cents of fees are open.", slots: { cents: slot.integer } },
  too_many_loans: {
    kind: "quota_exhausted",
    text: "A card has at most {limit} loans.",
    slots: { limit: slot.integer },
  },
  closed: {
    kind: "unavailable",
    text: "The library is closed[ until {until}].",
    slots: { until: slot.optional(slot.date) },
    details: { effect: "none" },
  },
});
