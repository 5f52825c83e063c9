import { core } from "@recourse/faults";
import { closient, extendDialect } from "@recourse/faults/dialects";
import { lending } from "./reasons.ts";

/** The wire of the library: Closient's, with ten codes of its own. */
export const library = extendDialect(closient, {
  name: "library",
  codes: [
    { code: -32210, reason: lending.no_book, fields: { isbn: "isbn" } },
    { code: -32211, reason: lending.no_loan, fields: { loan: "loan_id" } },
    { code: -32212, reason: lending.all_lent, fields: { isbn: "isbn", until: "lent_until" } },
    { code: -32213, reason: lending.returned, fields: { loan: "loan_id" } },
    { code: -32214, reason: lending.renewed_too_often, fields: { loan: "loan_id", times: "renewals" } },
    { code: -32010, reason: lending.card_expired, fields: { on: "expired_on" } },
    { code: -32011, reason: lending.fees_open, fields: { cents: "fees_cents" }, status: 402 },
    { code: -32012, reason: lending.too_many_loans, fields: { limit: "limit" }, status: 429 },
    { code: -32310, reason: lending.closed, name: "library_closed", fields: { until: "opens" }, status: 503 },
    { code: -32311, reason: core.timeout, name: "catalogue_timeout", status: 504 },
  ],
});
