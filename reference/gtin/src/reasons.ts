import { defineReasons, slot } from "@recourse/faults";
import { LINK_PROBLEM_NAMES, LINK_PROBLEMS } from "./digital-link/digital-link.ts";
import { GTIN_PROBLEM_NAMES, GTIN_PROBLEMS } from "./gtin/check-gtin.ts";

/** A GTIN: 8, 12, 13 or 14 digits. */
const gtinSlot = slot.pattern(/^(?:\d{8}|\d{12,14})$/, { bare: true });

/** How long a caller should wait during an outage of the database, in ms. */
const OUTAGE_WAIT_MS = 2_000;

/** The reasons of this server; all others come from the library. */
export const gtin = defineReasons("gtin", {
  invalid: {
    kind: "invalid_input",
    text: "gtin is not a valid GTIN. {why}",
    slots: { problem: slot.oneOf(GTIN_PROBLEM_NAMES), why: slot.oneOf(Object.values(GTIN_PROBLEMS)) },
  },
  restricted_circulation: {
    kind: "invalid_input",
    text: "{gtin} is a number for use inside one company or region, so it must not stand in a public link.",
    slots: { gtin: gtinSlot },
  },
  not_a_trade_item: {
    kind: "invalid_input",
    text: "{gtin} names a coupon, a refund or the like, and not a product.",
    slots: { gtin: gtinSlot },
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
    slots: { gtin: gtinSlot },
  },
  no_default_link: {
    kind: "not_found",
    text: "GTIN {gtin} is known, but it has no default link; its link types are: {available}.",
    slots: { gtin: gtinSlot, available: slot.list(slot.text(40)) },
  },
  no_link: {
    kind: "not_found",
    text: "GTIN {gtin} is known, but it has no links.",
    slots: { gtin: gtinSlot },
  },
  link_type_unavailable: {
    kind: "not_found",
    text: "GTIN {gtin} has no link of this type; there are: {available}.",
    slots: { gtin: gtinSlot, available: slot.list(slot.text(40)) },
  },
  already_claimed: {
    kind: "conflict",
    text: "GTIN {gtin} is already claimed by somebody else.",
    slots: { gtin: gtinSlot },
    details: { recourse: [{ do: "ask_user" }] },
  },
  database_unavailable: {
    kind: "unavailable",
    text: "The product database cannot be reached at the moment.",
    details: { repeatable: true, retry: { allowed: true, afterMs: OUTAGE_WAIT_MS } },
  },
});
