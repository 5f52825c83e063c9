import { isFault, slot } from "@recourse/faults";
import { describe, expect, it } from "vitest";
import { declareReasons } from "./failures.ts";

const gone = { kind: "not_found", text: "It is gone." } as const;

describe("declareReasons", () => {
  it("names reasons after the adapter and the identifier", () => {
    const reasons = declareReasons("shop", { ORDER_NOT_FOUND: gone, soldOut: gone });
    expect([...reasons].map(([identifier, { id, kind, text }]) => [identifier, id, kind, text])).toEqual([
      ["ORDER_NOT_FOUND", "shop/order_not_found", "not_found", "It is gone."],
      ["soldOut", "shop/soldout", "not_found", "It is gone."],
    ]);
  });

  it("makes valid faults with the declared slots and the identifier", () => {
    const reason = declareReasons("shop", {
      SOLD_OUT: {
        kind: "precondition_failed",
        text: "Only {left} are left.",
        slots: { left: slot.integer },
        retry: { allowed: false },
        effect: "applied",
        recourse: [{ do: "do_first", tool: "restock" }],
      },
    }).get("SOLD_OUT");
    const fault = reason?.fault({ left: 2, originalError: "SOLD_OUT" } as never);
    expect(isFault(fault)).toBe(true);
    expect(fault).toMatchObject({
      reason: "shop/sold_out",
      message: "Only 2 are left.",
      params: { left: 2, originalError: "SOLD_OUT" },
      retry: { allowed: false },
      effect: "applied",
      recourse: [{ do: "do_first", tool: "restock" }],
    });
  });

  it("shows no identifier but the declared one", () => {
    const reason = declareReasons("shop", { GONE: gone }).get("GONE");
    expect(reason?.fault({ originalError: "postgres://app:hunter2@10.0.0.5" } as never).params).toEqual({
      originalError: null,
    });
  });

  it.each(["", "Shop", "my-shop", "1shop", "a".repeat(41), "../shop", "core", "adapter", "adhoc"])(
    "refuses the name %j",
    (name) => {
      expect(() => declareReasons(name, {})).toThrow(/cannot be the name of an adapter/);
    },
  );

  it.each(["", "NOT FOUND", "9LIVES", "a/b", "X".repeat(61)])("refuses the identifier %j", (identifier) => {
    expect(() => declareReasons("shop", { [identifier]: gone })).toThrow(/cannot be the identifier of a failure/);
  });

  it("refuses two identifiers that would be one reason", () => {
    expect(() => declareReasons("shop", { GONE: gone, Gone: gone })).toThrow("shop/gone");
  });
});
