import { slot } from "@recourse/core";
import { expect, it } from "vitest";
import * as z from "zod";
import { failFor } from "./adapter-error.ts";
import { defineAdapter } from "./define-adapter.ts";

const FAULTS = {
  GONE: { kind: "not_found", text: "It is gone." },
  SOLD_OUT: { kind: "precondition_failed", text: "Only {left} are left.", slots: { left: slot.integer } },
  LATE: {
    kind: "conflict",
    text: "It is {state}[ since {since}].",
    slots: { state: slot.oneOf(["open", "closed"]), since: slot.optional(slot.text(10)) },
  },
} as const;
const fail = failFor(FAULTS);

// Never run: each line is a mistake that must not compile.
function mistakes(): void {
  // @ts-expect-error the identifier is not declared
  fail("LOST");
  // @ts-expect-error the param is missing
  fail("SOLD_OUT");
  // @ts-expect-error the param has the wrong type
  fail("SOLD_OUT", { left: "two" });
  // @ts-expect-error the param is misspelt
  fail("SOLD_OUT", { lfet: 2 });
  // @ts-expect-error there is no such param
  fail("SOLD_OUT", { left: 2, more: 1 });
  // @ts-expect-error the value is not one of the declared ones
  fail("LATE", { state: "ajar" });
  // @ts-expect-error the failure has no params
  fail("GONE", { left: 2 });
  // @ts-expect-error there is no such effect
  fail("GONE", {}, { effect: "maybe" });
  // @ts-expect-error params come second, not among the details
  fail("SOLD_OUT", { left: 2 }, { params: { left: 2 } });

  defineAdapter({
    name: "shop",
    // The specs need no `as const` if they are written in place.
    faults: { SOLD_OUT: { kind: "conflict", text: "Only {left} are left.", slots: { left: slot.integer } } },
    lifecycle: { initialise: () => ({ stock: 2 }) },
    tools: {
      buy: {
        description: "Buys.",
        inputSchema: z.object({ quantity: z.number() }),
        handler: ({ quantity }, context) => {
          if (context.backend.stock < quantity) throw context.fail("SOLD_OUT", { left: context.backend.stock });
          // @ts-expect-error the identifier is not declared
          if (quantity === 1) throw context.fail("LOST");
          // @ts-expect-error there is no such member of the backend
          return { content: context.backend.content };
        },
      },
    },
  });
}

it("what compiles also runs", () => {
  expect(mistakes).toBeTypeOf("function");
  expect(fail("GONE")).toMatchObject({ identifier: "GONE", params: {} });
  expect(fail("SOLD_OUT", { left: 2 })).toMatchObject({ identifier: "SOLD_OUT", params: { left: 2 } });
  expect(fail("LATE", { state: "open" }).params).toEqual({ state: "open" });
  expect(fail("LATE", { state: "open", since: "May" }).params).toEqual({ state: "open", since: "May" });
  const cause = new Error("private");
  expect(fail("GONE", {}, { cause, effect: "none" })).toMatchObject({ cause, effect: "none" });
});
