import { defineReasons, slot } from "@recourse/faults";
import { LINK_PROBLEM_NAMES, LINK_PROBLEMS } from "./digital-link/digital-link.ts";
import { PROBLEM_NAMES, PROBLEMS } from "./gtin/problems.ts";

/** How long a caller should wait before it asks a database again that is away. */
const OUTAGE_WAIT_MS = 2_000;

/** The ways to fail that only this server has; the rest are the library's. */
export const gtin = defineReasons("gtin", {
  invalid: {
    kind: "invalid_input",
    text: "This is not a valid GTIN. {why}",
    slots: { problem: slot.oneOf(PROBLEM_NAMES), why: slot.oneOf(Object.values(PROBLEMS)) },
  },
  restricted_circulation: {
    kind: "invalid_input",
    text: "{gtin} is a number for use inside one company or region, so it must not stand in a public link.",
    slots: { gtin: slot.gtin },
  },
  not_a_trade_item: {
    kind: "invalid_input",
    text: "{gtin} names a coupon, a refund or the like, and not a product.",
    slots: { gtin: slot.gtin },
  },
  bad_uri: {
    kind: "invalid_request",
    text: "This is not a GS1 Digital Link that can be resolved. {why}",
    slots: { problem: slot.oneOf(LINK_PROBLEM_NAMES), why: slot.oneOf(Object.values(LINK_PROBLEMS)) },
  },
  method_not_served: {
    kind: "invalid_request",
    text: "This address does not serve the method of the request.",
  },
  not_found: {
    kind: "not_found",
    text: "No product found for GTIN {gtin}",
    slots: { gtin: slot.gtin },
  },
  no_default_link: {
    kind: "not_found",
    text: "GTIN {gtin} is known, but it has no default link; name a link type.",
    slots: { gtin: slot.gtin },
  },
  link_type_unavailable: {
    kind: "not_found",
    text: "GTIN {gtin} has no link of this type; it has: {available}.",
    slots: { gtin: slot.gtin, available: slot.list(slot.text(40)) },
  },
  already_claimed: {
    kind: "conflict",
    text: "GTIN {gtin} is already claimed by somebody else.",
    slots: { gtin: slot.gtin },
    details: { recourse: [{ do: "ask_user" }] },
  },
  database_unavailable: {
    kind: "unavailable",
    text: "The product database cannot be reached at the moment.",
    details: { repeatable: true, retry: { allowed: true, afterMs: OUTAGE_WAIT_MS } },
  },
});
