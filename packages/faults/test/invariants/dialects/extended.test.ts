import { isNightly, runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { closient, erlmcp, extendDialect, onx, platica } from "../../../src/dialects/index.ts";
import { core, defineReasons, rest, slot } from "../../../src/index.ts";
import { testDialectInvariants } from "../dialect-invariants.ts";

// Extended dialects keep the laws of the dialects that they extend, also where a code is shared or a reason is the library's.

const shop = defineReasons("shop", {
  out_of_stock: {
    kind: "precondition_failed",
    text: "Only {left} of {sku} are left[, {colours} ones][ until {until}].",
    slots: {
      left: slot.integer,
      sku: slot.pattern(/^[A-Z]{2}\d{3}$/, { bare: true }),
      colours: slot.optional(slot.list(slot.oneOf(["red", "blue"]))),
      until: slot.optional(slot.date),
      note: slot.optional(slot.text(80)),
    },
  },
  not_found: { kind: "not_found", text: "There is no order {order}.", slots: { order: slot.integer } },
  maintenance: { kind: "overloaded", text: "The shop is closed.", slots: { reason: slot.optional(slot.text(60)) } },
  wrong_sku: { kind: "invalid_input", text: "That is not a number of an article.", slots: { sku: slot.text(20) } },
  refused: { kind: "forbidden", text: "This shop is not yours." },
  lost: { kind: "internal", text: "The warehouse lost it.", details: { effect: "applied" } },
  signed_out: { kind: "unauthenticated", text: "Sign in to the shop." },
});
const reasons = [...Object.values(shop), core.conflict, core.not_found, core.rate_limited, rest.wrong_state];
/** Most of what can go wrong is checked for the shipped dialects already. */
const MORE = { reasons, numRuns: isNightly ? runs(250) : Math.ceil(runs() / 3) };
const outOfStock = {
  reason: shop.out_of_stock,
  fields: { left: "units_left", sku: "sku", colours: "colours", until: "until", note: "note" },
} as const;

testDialectInvariants(
  extendDialect(closient, {
    name: "closient-extended",
    codes: [
      { code: -32250, ...outOfStock },
      { code: -32251, reason: core.conflict, name: "edit_conflict" },
      { code: -32110, reason: shop.wrong_sku, fields: { sku: "sku" } },
      { code: -32350, reason: shop.maintenance, name: "closed", status: 503, fields: { reason: "why" } },
      { code: -32050, reason: shop.refused },
      { code: -32150, reason: shop.lost },
      { code: -32051, reason: shop.signed_out },
      { code: -32200, reason: core.not_found, fields: { what: "subject" } },
      { code: -32003, reason: core.rate_limited, fields: { limit: "limit" } },
    ],
  }),
  [undefined, { docsBase: "https://acme.example/errors" }, { at: "2026-04-26T04:34:56+02:00", form: "reply" }],
  MORE,
);

testDialectInvariants(
  extendDialect(onx, {
    name: "onx-extended",
    codes: [
      { code: 3100, ...outOfStock },
      { code: 4001, reason: shop.not_found, fields: { order: "order" }, fixed: { originalError: "ORDER_NOT_FOUND" } },
      { code: 4001, reason: core.conflict, fixed: { originalError: "ORDER_CHANGED" } },
      { code: 2100, reason: shop.wrong_sku, fields: { sku: "sku" } },
      { code: 4100, reason: shop.maintenance, fields: { reason: "why" } },
      { code: 2101, reason: shop.lost },
      { code: 1100, reason: shop.signed_out },
      { code: 3004, reason: core.not_found, fields: { what: "what" } },
    ],
  }),
  [undefined, { method: "tools/call" }, { method: "resources/read" }],
  MORE,
);

testDialectInvariants(
  extendDialect(erlmcp, {
    name: "erlmcp-extended",
    codes: [
      { code: -32035, ...outOfStock },
      { code: -32024, reason: shop.not_found, fields: { order: "order" } },
      { code: -32036, reason: shop.wrong_sku, fields: { sku: "sku" } },
      { code: 1092, reason: shop.maintenance, fields: { reason: "why" } },
      { code: -32016, reason: shop.lost },
      { code: -32055, reason: shop.signed_out },
      { code: -32037, reason: core.conflict },
      { code: -32010, reason: core.rate_limited, fields: { limit: "allowance" } },
    ],
  }),
  [undefined, { method: "tools/call" }, { method: "tools/call", tool: "calculate" }],
  MORE,
);

const RAW = ["<html>Bad gateway</html>", '{"code":404,"error":"Client not found"}', '{"code":423,"error":"Locked"}'];
testDialectInvariants(
  extendDialect(platica, {
    name: "platica-extended",
    codes: [
      { code: 423, ...outOfStock },
      { code: 410, reason: shop.not_found, fields: { order: "order" } },
      { code: 460, reason: shop.wrong_sku, fields: { sku: "sku" } },
      { code: 520, reason: shop.maintenance, fields: { reason: "why" } },
      { code: 461, reason: shop.lost },
      { code: 419, reason: shop.signed_out },
      { code: 412, reason: core.conflict },
      { code: 424, reason: rest.wrong_state },
    ],
  }),
  fc.oneof(
    fc.constant(undefined),
    fc.constantFrom(...RAW).map((raw) => ({ raw })),
  ),
  MORE,
);
