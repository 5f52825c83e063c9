import { isNightly, runs } from "@recourse/test-kit/runs";
import { closient, erlmcp, onx } from "../../../src/dialects/index.ts";
import { defineReasons, slot } from "../../../src/index.ts";
import { core, protocol } from "../../../src/reasons/index.ts";
import { testDialectInvariants } from "../dialect-invariants.ts";

// Dialects with codes of an author keep the laws too, also where a reason is the library's.

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
const reasons = [...Object.values(shop), core.conflict, protocol.parse_error];
/** Most of what can go wrong is checked for the shipped dialects already. */
const MORE = { reasons, numRuns: isNightly ? runs(250) : Math.ceil(runs() / 3) };

testDialectInvariants(
  closient.with({
    codes: {
      "-32250": shop.out_of_stock,
      "-32251": core.conflict,
      "-32110": shop.wrong_sku,
      "-32350": shop.maintenance,
      "-32050": shop.refused,
      "-32150": shop.lost,
      "-32051": shop.signed_out,
    },
  }),
  [undefined, { docsBase: "https://acme.example/errors" }, { at: "2026-04-26T04:34:56+02:00", form: "reply" }],
  MORE,
);

testDialectInvariants(
  onx.with({
    codes: {
      "3100": shop.out_of_stock,
      "4100": shop.not_found,
      "2100": shop.wrong_sku,
      "4101": shop.maintenance,
      "2101": shop.lost,
      "1100": shop.signed_out,
      "1101": protocol.parse_error,
    },
  }),
  [undefined, { method: "tools/call" }, { method: "resources/read" }],
  MORE,
);

testDialectInvariants(
  erlmcp.with({
    codes: {
      "-32035": shop.out_of_stock,
      "-32024": shop.not_found,
      "-32036": shop.wrong_sku,
      "1092": shop.maintenance,
      "-32016": shop.lost,
      "-32055": shop.signed_out,
      "-32037": core.conflict,
    },
  }),
  [undefined, { method: "tools/call" }, { method: "tools/call", tool: "calculate" }],
  MORE,
);
