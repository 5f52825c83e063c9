import { describe, expect, it } from "vitest";
import { defineReasons, fail, slot } from "../index.ts";
import { core } from "../reasons/index.ts";
import { closient, erlmcp, mcp, onx, platica, qaqnuz } from "./index.ts";

const shop = defineReasons("shop", {
  out_of_stock: {
    kind: "precondition_failed",
    text: "Only {left} of {sku} are left.",
    slots: { left: slot.integer, sku: slot.pattern(/^[A-Z]{2}\d{3}$/, { bare: true }) },
  },
  not_found: { kind: "not_found", text: "There is no order {order}.", slots: { order: slot.integer } },
  maintenance: { kind: "overloaded", text: "The shop is closed for maintenance." },
  broken: { kind: "invalid_request", text: "That is no order." },
  taken: {
    kind: "conflict",
    text: "It is taken.",
    slots: { originalError: slot.oneOf(["ORDER_TAKEN"]) },
  },
});
const sold = shop.out_of_stock.fault({ left: 2, sku: "AB123" });
const SOLD = {
  reason: "shop/out_of_stock",
  kind: "precondition_failed",
  message: "Only 2 of AB123 are left.",
  params: { left: 2, sku: "AB123" },
  effect: "none",
  basis: "mapped",
};

describe("codes of your own in closient", () => {
  const acme = closient.with({
    codes: {
      "-32250": shop.out_of_stock,
      "-32350": shop.maintenance,
      "-32251": core.conflict,
      "-32252": shop.not_found,
    },
  });

  it("are written with name, status and values", () => {
    expect(acme.encode(sold)).toMatchObject({
      result: {
        isError: true,
        error: {
          code: -32250,
          message: "Shop Out Of Stock",
          data: {
            type: "urn:closient:error:shop_out_of_stock",
            title: "Shop Out Of Stock",
            status: 422,
            error_code: "shop_out_of_stock",
            detail: "Only 2 of AB123 are left.",
            retryable: false,
            params: { left: 2, sku: "AB123" },
          },
        },
      },
    });
    expect(acme.encode(shop.maintenance.fault(), { form: "reply", docsBase: "https://a.example/e" })).toMatchObject({
      status: 503,
      body: { type: "https://a.example/e/shop_maintenance", status: 503, retryable: true },
    });
  });

  it("are read as your reasons with their values, by the number and by the name", () => {
    const read = acme.decode(acme.encode(sold));
    expect(read).toMatchObject(SOLD);
    expect(read).not.toHaveProperty("quote");
    expect(acme.decode(acme.encode(sold, { form: "reply" }))).toEqual(read);
    // The name has its domain, so it is not taken for Closient's own `not_found`.
    const missing = acme.encode(shop.not_found.fault({ order: 7 }), { form: "reply" });
    expect(acme.decode(missing)).toMatchObject({ reason: "shop/not_found", params: { order: 7 } });
  });

  it("quote what the sender says beside the values", () => {
    const said = JSON.parse(JSON.stringify(acme.encode(sold)).replace('"Only 2 of AB123 are left."', '"Sold."'));
    expect(acme.decode(said)).toMatchObject({ ...SOLD, quote: { text: "Sold.", from: "peer" } });
  });

  it("are checked by the slots of the reason", () => {
    const wire = JSON.parse(JSON.stringify(acme.encode(sold)).replace('"left":2', '"left":"rm -rf"'));
    expect(acme.decode(wire)).toMatchObject({ params: { left: null, sku: "AB123" } });
  });

  it("are chosen for a library reason, and only for that reason", () => {
    expect(acme.codes.codeOf(core.conflict.fault())).toBe(-32251);
    expect(acme.decode(acme.encode(core.conflict.fault()))?.reason).toBe("core/conflict");
    expect(acme.codes.codeOf(fail.conflict`Too late.`.fault)).toBe(-32201);
    expect(acme.codes.codeOf(core.not_found.fault())).toBe(-32200);
  });

  it("state the effect, because most readers know only the range", () => {
    const applied = shop.out_of_stock.fault({ left: 1, sku: "AB123" }, { effect: "possible" });
    for (const fault of [sold, applied]) {
      expect(acme.encode(fault)).toMatchObject({ result: { _meta: { "recourse/effect": fault.effect } } });
      const read = closient.decode(acme.encode(fault));
      expect(read).toMatchObject({ kind: "precondition_failed", effect: fault.effect });
      expect(read?.quote).toMatchObject({ from: "peer" });
    }
  });

  it("are published beside those of the system, which stays as it is", () => {
    expect(acme.codes.published()).toEqual({
      ...closient.codes.published(),
      "-32250": "shop/out_of_stock",
      "-32350": "shop/maintenance",
      "-32251": "core/conflict",
      "-32252": "shop/not_found",
    });
    expect(closient.codes.codeOf(sold)).toBe(-32102);
  });

  it("can be added to again", () => {
    const more = acme.with({ codes: { "-32260": shop.broken } });
    expect(more.decode(more.encode(shop.broken.fault()))?.reason).toBe("shop/broken");
    expect(more.decode(more.encode(sold))).toMatchObject(SOLD);
    expect(() => acme.with({ codes: { "-32250": shop.broken } })).toThrow(
      "closient: code -32250 means shop/out_of_stock already. Choose a free one.",
    );
  });
});

describe("codes of your own in onx", () => {
  const orders = onx.with({ codes: { "3100": shop.out_of_stock, "1100": shop.broken, "4100": shop.taken } });

  it("are written with the values in the context, and are read back", () => {
    const wire = orders.encode(sold);
    expect(wire).toMatchObject({
      result: {
        error: { code: 3100, message: "Only 2 of AB123 are left.", details: { context: { left: 2, sku: "AB123" } } },
      },
    });
    expect(orders.decode(wire)).toMatchObject(SOLD);
    expect(orders.decode(wire)).not.toHaveProperty("quote");
    expect(onx.decode(wire)).toMatchObject({ reason: "core/precondition_failed", effect: "none" });
  });

  it("stand beside the identifier of a backend", () => {
    const wire = orders.encode(shop.taken.fault({ originalError: "ORDER_TAKEN" }));
    expect(wire).toMatchObject({ result: { error: { code: 4100, details: { originalError: "ORDER_TAKEN" } } } });
    expect(orders.decode(wire)).toMatchObject({ reason: "shop/taken", params: { originalError: "ORDER_TAKEN" } });
    expect(orders.decode(wire)).not.toHaveProperty("cause");
  });

  it("are for failures of tools: other requests keep the codes of JSON-RPC", () => {
    expect(orders.codes.codeOf(shop.broken.fault())).toBe(1100);
    expect(orders.codes.codeOf(shop.broken.fault(), { method: "resources/read" })).toBe(-32600);
  });
});

describe("codes of your own in erlmcp", () => {
  const tank = erlmcp.with({ codes: { "-32035": shop.out_of_stock, "1092": shop.maintenance } });

  it("are written with the values in data, and are read back", () => {
    const wire = tank.encode(sold);
    expect(wire.error).toEqual({
      code: -32035,
      message: "Only 2 of AB123 are left.",
      data: { params: { left: 2, sku: "AB123" }, effect: "none" },
    });
    const read = tank.decode({ jsonrpc: "2.0", id: 1, ...wire });
    expect(read).toMatchObject(SOLD);
    expect(read).not.toHaveProperty("quote");
    expect(tank.decode(tank.encode(shop.maintenance.fault()))?.reason).toBe("shop/maintenance");
  });

  it("keep the helper functions of erlmcp", () => {
    expect(tank.errorCategory(-32035)).toBe("tool");
    expect(tank.maxMessageBytes).toBe(erlmcp.maxMessageBytes);
  });
});

describe("a wrong code", () => {
  it.each([
    [
      { "-32500": shop.broken },
      "closient: code -32500 is outside of closient, whose codes are whole numbers from -32399",
    ],
    [{ "-32250.5": shop.broken }, "is outside of closient"],
    [{ " -32250": shop.broken }, "is outside of closient"],
    [{ out_of_stock: shop.broken }, "code out_of_stock is outside of closient"],
    [{ "-32200": shop.broken }, "closient: code -32200 means core/not_found already. Choose a free one."],
    [{ "-32020": shop.broken }, "belongs to MCP, which answers with it beside closient. Choose another."],
    [
      { "-32250": shop.broken, "-32251": shop.broken },
      "closient: code -32251 is a second code of shop/broken, which has -32250. Give each reason one code.",
    ],
    [{ "-32250": undefined }, "closient: code -32250 has no reason. Name one that `defineReasons` made, or one of"],
    [{ "-32250": { id: "a/b" } }, "code -32250 has no reason."],
    [undefined, "closient: `codes` has to be an object of codes with their reasons."],
    [[shop.broken], "closient: `codes` has to be an object"],
  ])("is refused with a sentence that says what was expected: %#", (codes, message) => {
    const wrong = () => closient.with({ codes: codes as never });
    expect(wrong).toThrow(TypeError);
    expect(wrong).toThrow(message);
  });

  it("is refused by the ranges and the table of its system", () => {
    expect(() => onx.with({ codes: { "3001": shop.broken } })).toThrow(
      "onx: code 3001 means core/rate_limited already.",
    );
    expect(() => onx.with({ codes: { "6000": shop.broken } })).toThrow("from 1000 to 1999, 2000 to 2999,");
    expect(() => erlmcp.with({ codes: { "-32101": shop.broken } })).toThrow("code -32101 is outside of erlmcp");
    expect(() => erlmcp.with({ codes: { "-32020": shop.broken } })).toThrow("belongs to MCP");
    expect(() => erlmcp.with({ codes: { "-32042": shop.broken } })).toThrow("belongs to MCP");
    expect(() => closient.with(undefined as never)).toThrow("closient: `codes` has to be an object");
  });

  it("has no place where the document of a system has a closed list", () => {
    for (const dialect of [mcp, qaqnuz, platica]) expect(dialect).not.toHaveProperty("with");
  });
});
