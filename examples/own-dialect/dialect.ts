import { closient } from "@recourse/dialects/closient";
import { core } from "@recourse/faults/reasons";
import { lending } from "./reasons.ts";

/** The wire of the library: Closient's, with ten codes of its own. */
export const library = closient.with({
  codes: {
    "-32210": lending.no_book,
    "-32211": lending.no_loan,
    "-32212": lending.all_lent,
    "-32213": lending.returned,
    "-32214": lending.renewed_too_often,
    "-32010": lending.card_expired,
    "-32011": lending.fees_open,
    "-32012": lending.too_many_loans,
    "-32310": lending.closed,
    "-32311": core.timeout,
  },
});
