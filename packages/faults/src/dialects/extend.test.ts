import { describe, expect, it } from "vitest";
import { core, defineReasons, fail, protocol, registerSecrets, slot } from "../index.ts";
import { closient, defineDialect, erlmcp, extendDialect, mcp, onx, platica, qaqnuz } from "./index.ts";

const shop = defineReasons("shop", {
  out_of_stock: {
    kind: "precondition_failed",
    text: "Only {left} of {sku} are left.",
    slots: { left: slot.integer, sku: slot.pattern(/^[A-Z]{2}\d{3}$/, { bare: true }) },
  },
  not_found: { kind: "not_found", text: "There is no order {order}.", slots: { order: slot.integer } },
  maintenance: { kind: "overloaded", text: "The shop is closed for maintenance." },
  broken: { kind: "invalid_request", text: "That is no order." },
});
const sold = shop.out_of_stock.fault({ left: 2, sku: "AB123" });

const acme = extendDialect(closient, {
  name: "acme",
  codes: [
    { code: -32250, reason: shop.out_of_stock, fields: { left: "units_left", sku: "sku" } },
    { code: -32350, reason: shop.maintenance, name: "closed", title: "Shop Closed", status: 503 },
    { code: -32251, reason: core.conflict, name: "edit_conflict" },
  ],
});

describe("an extension of closient", () => {
  it("writes the code, its name and its fields into the problem document", () => {
    expect(acme.name).toBe("acme");
    expect(acme.encode(sold)).toMatchObject({
      result: {
        isError: true,
        error: {
          code: -32250,
          message: "Out Of Stock",
          data: {
            type: "urn:closient:error:out_of_stock",
            title: "Out Of Stock",
            status: 422,
            error_code: "out_of_stock",
            detail: "Only 2 of AB123 are left.",
            units_left: 2,
            sku: "AB123",
          },
        },
      },
    });
    expect(
      acme.encode(shop.maintenance.fault(), { form: "reply", docsBase: "https://acme.example/errors" }),
    ).toMatchObject({
      status: 503,
      body: { type: "https://acme.example/errors/closed", title: "Shop Closed", status: 503, error_code: "closed" },
    });
  });

  it("reads the reason with its values, and does not quote what the message says", () => {
    const read = acme.decode(acme.encode(sold));
    expect(read).toMatchObject({
      reason: "shop/out_of_stock",
      kind: "precondition_failed",
      message: "Only 2 of AB123 are left.",
      params: { left: 2, sku: "AB123" },
      effect: "none",
      basis: "mapped",
      retry: { allowed: false },
    });
    expect(read).not.toHaveProperty("quote");
    expect(acme.decode(acme.encode(sold, { form: "reply" }))).toEqual(read);
  });

  it("checks what it reads by the slots of the reason", () => {
    const wire = JSON.parse(JSON.stringify(acme.encode(sold)).replace('"units_left":2', '"units_left":"rm -rf"'));
    expect(acme.decode(wire)).toMatchObject({ params: { left: null, sku: "AB123" } });
  });

  it("chooses the code of a library reason, and only of that reason", () => {
    expect(acme.encode(core.conflict.fault())).toMatchObject({ result: { error: { code: -32251 } } });
    expect(acme.decode(acme.encode(core.conflict.fault()))?.reason).toBe("core/conflict");
    expect(acme.encode(fail.conflict`Too late.`.fault)).toMatchObject({ result: { error: { code: -32201 } } });
  });

  it("states the effect where a reader that knows only closient would think otherwise", () => {
    const none = shop.maintenance.fault({}, { effect: "none" });
    const wire = acme.encode(none);
    expect(wire).toMatchObject({ result: { _meta: { "recourse/effect": "none" } } });
    expect(acme.decode(wire)?.effect).toBe("none");
    const applied = shop.out_of_stock.fault({ left: 1, sku: "AB123" }, { effect: "possible" });
    expect(closient.decode(acme.encode(applied))?.effect).toBe("possible");
  });

  it("is read by plain closient as the range says", () => {
    expect(closient.decode(acme.encode(sold))).toMatchObject({
      kind: "precondition_failed",
      quote: { text: "Only 2 of AB123 are left.", from: "peer" },
    });
  });

  it("tells the code of a fault, and publishes its codes beside those of closient", () => {
    expect(acme.codes.codeOf(sold)).toBe(-32250);
    expect(acme.codes.codeOf(core.not_found.fault())).toBe(-32200);
    expect(acme.codes.published()).toMatchObject({
      "-32250": "shop/out_of_stock",
      "-32251": "core/conflict",
      "-32200": "core/not_found",
    });
  });

  it("can be extended again", () => {
    const more = extendDialect(acme, {
      name: "acme2",
      codes: [{ code: -32252, reason: shop.not_found, name: "order_not_found" }],
    });
    expect(more.decode(more.encode(sold))).toEqual(acme.decode(acme.encode(sold)));
    expect(more.decode(more.encode(shop.not_found.fault({ order: 7 })))?.reason).toBe("shop/not_found");
    expect(() => extendDialect(acme, { name: "acme3", codes: [{ code: -32250, reason: shop.not_found }] })).toThrow(
      "acme3: code -32250 of shop/not_found is given to shop/out_of_stock already.",
    );
  });

  it("may add fields to a code of closient", () => {
    const told = extendDialect(closient, {
      name: "told",
      codes: [{ code: -32200, reason: core.not_found, fields: { what: "subject" } }],
    });
    const wire = told.encode(core.not_found.fault({ what: "order 7" }));
    expect(wire).toMatchObject({
      result: { error: { code: -32200, data: { error_code: "not_found", subject: "order 7" } } },
    });
    expect(told.decode(wire)).toMatchObject({ reason: "core/not_found", params: { what: "order 7" } });
    expect(told.decode(told.encode(fail.not_found`No.`.fault))).toMatchObject({ reason: "core/not_found" });
  });
});

describe("an extension of onx", () => {
  const orders = extendDialect(onx, {
    name: "orders",
    codes: [
      {
        code: 4001,
        reason: shop.not_found,
        fields: { order: "order_id" },
        fixed: { originalError: "ORDER_NOT_FOUND" },
      },
      { code: 3100, reason: shop.out_of_stock, fields: { left: "left" } },
    ],
  });

  it("shares a code of onx where a member tells it apart", () => {
    const wire = orders.encode(shop.not_found.fault({ order: 7 }));
    expect(wire).toMatchObject({
      result: {
        error: {
          code: 4001,
          message: "There is no order 7.",
          retryable: false,
          details: { originalError: "ORDER_NOT_FOUND", context: { order_id: 7 } },
        },
      },
    });
    expect(orders.decode(wire)).toMatchObject({ reason: "shop/not_found", params: { order: 7 }, effect: "none" });
    expect(orders.decode(wire)).not.toHaveProperty("cause");
    expect(onx.decode(wire)).toMatchObject({ reason: "adapter/failed", params: { originalError: "ORDER_NOT_FOUND" } });
    const other = JSON.parse(JSON.stringify(wire).replace("ORDER_NOT_FOUND", "OTHER"));
    expect(orders.decode(other)?.reason).toBe("adapter/failed");
    expect(orders.codes.published()).toMatchObject({
      "4001": "adapter/failed",
      '4001 {"originalError":"ORDER_NOT_FOUND"}': "shop/not_found",
    });
  });

  it("leaves requests other than tool calls to onx", () => {
    const context = { method: "resources/read" };
    expect(orders.encode(shop.not_found.fault({ order: 7 }), context)).toMatchObject({ error: { code: -32602 } });
    expect(orders.codes.codeOf(shop.not_found.fault({ order: 7 }), context)).toBe(-32602);
  });
});

describe("an extension of erlmcp", () => {
  const tank = extendDialect(erlmcp, {
    name: "tank",
    codes: [{ code: -32035, reason: shop.out_of_stock, fields: { left: "left", sku: "sku" } }],
  });

  it("writes fields into data", () => {
    const wire = tank.encode(sold);
    expect(wire.error).toEqual({
      code: -32035,
      message: "Only 2 of AB123 are left.",
      data: { left: 2, sku: "AB123", effect: "none" },
    });
    expect(tank.decode({ jsonrpc: "2.0", id: 1, ...wire })).toMatchObject({
      reason: "shop/out_of_stock",
      params: { left: 2, sku: "AB123" },
      effect: "none",
    });
  });
});

describe("an extension of platica", () => {
  const crm = extendDialect(platica, {
    name: "crm",
    codes: [{ code: 423, reason: shop.out_of_stock, fields: { left: "left" } }],
  });

  it("writes fields into the body, which is also the text", () => {
    const wire = crm.encode(sold);
    expect(wire).toMatchObject({
      result: { structuredContent: { code: 423, error: "Only 2 of AB123 are left.", left: 2 } },
    });
    if (!("result" in wire)) throw new Error("no result");
    expect(JSON.parse(wire.result.content[0].text)).toEqual(wire.result.structuredContent);
    expect(crm.decode(wire)).toMatchObject({ reason: "shop/out_of_stock", params: { left: 2, sku: null } });
    expect(crm.decode({ status: 423, headers: {}, body: wire.result.structuredContent })?.reason).toBe(
      "shop/out_of_stock",
    );
  });

  it("leaves relayed bodies and wrong arguments to platica", () => {
    expect(crm.encode(sold, { raw: '{"error":"No."}' })).toEqual(platica.encode(sold, { raw: '{"error":"No."}' }));
  });
});

describe("a definition", () => {
  it("is copied: what happens to it later changes nothing", () => {
    const fixed: Record<string, string> = { shelf: "A" };
    const fields: Record<string, string> = { left: "left" };
    const copied = extendDialect(closient, {
      name: "copied",
      codes: [{ code: -32250, reason: shop.out_of_stock, fields, fixed }],
    });
    const [wire, published] = [copied.encode(sold), copied.codes.published()];
    fixed["effect"] = "none";
    fixed["shelf"] = "B";
    fields["sku"] = "sku";
    expect(copied.encode(sold)).toEqual(wire);
    expect(copied.codes.published()).toEqual(published);
  });
});

describe("a wrong definition", () => {
  const row = { code: -32250, reason: shop.out_of_stock } as const;
  const define =
    (...codes: readonly object[]) =>
    () =>
      extendDialect(closient, { name: "acme", codes: codes as never, retired: [-32260] });

  it.each([
    [define({ ...row, code: -32500 }), "is outside of closient, whose codes are -32399 to -32000."],
    [define({ ...row, code: 1.5 }), "is outside of closient"],
    [
      define({ ...row, code: -32200 }),
      "means core/not_found in closient. Choose another, or tell it apart by a member in `fixed`.",
    ],
    [define({ ...row, code: -32260 }), "was retired, and a published code is never used again."],
    [define(row, { ...row, code: -32251, name: "x" }), "is a second code of this reason."],
    [define(row, { code: -32250, reason: shop.not_found, name: "x" }), "is given to shop/out_of_stock already."],
    [
      define({ code: -32250, reason: shop.not_found }),
      'has the name "not_found", which is taken. Give it a `name` of its own.',
    ],
    [define({ ...row, name: "Größe" }), 'has the name "Größe", which is not a name.'],
    [
      define({ ...row, fields: { left: "retryable" } }),
      'has a field "retryable", which is a member of the system. Give it another name.',
    ],
    [define({ ...row, fixed: { code: 1 } }), 'has a field "code", which is a member of the system.'],
    [define({ ...row, fields: { left: "n", sku: "n" } }), 'has two fields "n".'],
    [define({ ...row, fields: { left: "__proto__" } }), 'has a field "__proto__", which is not a name.'],
    [define({ ...row, fields: { right: "right" } }), 'has a field for "right", for which the reason has no slot.'],
    [define({ ...row, fields: { left: ["units"] } }), 'has a field "units", which is not a name.'],
    [
      define({ ...row, fixed: { x: Number.NaN } }),
      'has the fixed member "x", which is not a text, a finite number or a boolean.',
    ],
    [define({ ...row, fixed: { x: null } }), 'has the fixed member "x", which is not'],
    [define({ ...row, fixed: { x: {} } }), 'has the fixed member "x", which is not'],
    [define({ ...row, fixed: "x" }), "has `fixed`, which is not an object of members."],
    [
      define({ ...row, fixed: { x: "a\nb" } }),
      'has the fixed member "x", which is not one printable line of at most 200 characters.',
    ],
    [define({ ...row, fixed: { x: "a\u202eb" } }), 'has the fixed member "x", which is not one printable line'],
    [define({ ...row, fixed: { x: "x".repeat(201) } }), 'has the fixed member "x", which is not one printable line'],
    [define({ ...row, title: "Out\r\nSet-Cookie: a" }), "has a title, which is not one printable line"],
    [define({ ...row, title: "" }), "has a title, which is not one printable line"],
    [define({ ...row, title: 7 }), "has a title, which is not one printable line"],
    [define({ ...row, status: 200 }), "has the status 200, which is not one of a failure: 400 to 599."],
    [define({ ...row, status: 404.5 }), "has the status 404.5"],
    [define({ ...row, status: "404" }), "has the status 404, which is not"],
    [define({ ...row, code: "-32250" }), "is outside of closient"],
    [define({ ...row, code: -32020 }), "belongs to MCP, which answers with it beside closient."],
    [define({ ...row, code: -32042, fixed: { x: 1 } }), "belongs to MCP"],
    [
      define({ code: -32250 }),
      "acme: code -32250 has no reason. Name one that `defineReasons` made, or one of the library.",
    ],
    [define({ code: -32250, reason: { id: "a/b" } }), "acme: code -32250 has no reason."],
    [define(null as never), "acme: `codes` has an entry that is not a code."],
  ])("%# is refused with a sentence that says why", (wrong, message) => {
    expect(wrong).toThrow(TypeError);
    expect(wrong).toThrow(message);
  });

  it("is refused where the wire has no place for a code", () => {
    expect(() => extendDialect(onx, { name: "x", codes: [{ code: 1005, reason: shop.broken }] })).toThrow(
      "x: code 1005 of shop/broken cannot be written: onx writes failures of the kind invalid_request in a form that has only its own codes.",
    );
    expect(() => extendDialect(onx, { name: "x", codes: [{ code: 1005, reason: protocol.parse_error }] })).toThrow(
      TypeError,
    );
    expect(() => extendDialect(onx, { name: "onx", codes: [] })).toThrow("Give the extension of onx a name of its own");
  });

  it("is refused where a text has a registered secret, which is not repeated", () => {
    const forget = registerSecrets("hunter2-hunter2");
    const wrong = define({ ...row, fixed: { x: "by hunter2-hunter2" } });
    expect(wrong).toThrow('has the fixed member "x", which contains a registered secret.');
    expect(define({ ...row, title: "hunter2-hunter2" })).toThrow("has a title, which contains a registered secret.");
    forget();
    expect(wrong).not.toThrow();
  });

  it("is refused where onx would not write the value", () => {
    const define = (own: object) => () =>
      extendDialect(onx, { name: "x", codes: [{ code: 4100, reason: shop.out_of_stock, ...own }] });
    const message = 'has a field "originalError", which is a text in onx. Choose a slot for texts, or another field.';
    expect(define({ fields: { left: "originalError" } })).toThrow(message);
    expect(define({ fixed: { originalError: 7 } })).toThrow(message);
    expect(define({ fields: { sku: "originalError" } })).not.toThrow();
  });

  it("is refused where MCP's own failures have the code", () => {
    const define = (code: number) => () =>
      extendDialect(erlmcp, { name: "x", codes: [{ code, reason: shop.out_of_stock }] });
    expect(define(-32020)).toThrow("belongs to MCP, which answers with it beside erlmcp.");
    expect(define(-32042)).toThrow("belongs to MCP");
    expect(define(-32019)).not.toThrow();
  });

  it.each([
    [-32200, "acme4: code -32200 cannot be retired: core/not_found has it."],
    [-32250, "acme4: code -32250 cannot be retired: shop/out_of_stock has it."],
    [-1, "acme4: -1 cannot be retired: it is not a code of closient."],
    ["-32260", "acme4: -32260 cannot be retired: it is not a code of closient."],
    [Number.NaN, "acme4: NaN cannot be retired: it is not a code of closient."],
    [null, "acme4: null cannot be retired: it is not a code of closient."],
  ])("is refused where it retires %j", (code, message) => {
    const wrong = () => extendDialect(acme, { name: "acme4", codes: [], retired: [code as never] });
    expect(wrong).toThrow(new TypeError(message));
  });

  it.each([
    [
      () => extendDialect(mcp as never, { name: "x", codes: [] }),
      "mcp cannot be extended: it has no codes with room for more.",
    ],
    [() => extendDialect(qaqnuz as never, { name: "x", codes: [] }), "qaqnuz cannot be extended: it has no codes"],
    [
      () =>
        extendDialect(
          defineDialect({ name: "own", encode: () => ({}), decode: () => undefined }) as never,
          {} as never,
        ),
      "own cannot be extended: it has no codes",
    ],
    [() => extendDialect(undefined as never, {} as never), "undefined cannot be extended: it is not a dialect."],
    [() => extendDialect(closient, undefined as never), "Give the extension of closient a name of its own"],
    [
      () => extendDialect(closient, { name: ["x"] as never, codes: [] }),
      "Give the extension of closient a name of its own",
    ],
    [() => extendDialect(closient, { name: "x" } as never), "x: `codes` is not a list of codes."],
    [() => extendDialect(closient, { name: "x", codes: {} } as never), "x: `codes` is not a list of codes."],
    [
      () => extendDialect(closient, { name: "x", codes: [], retired: -32260 as never }),
      "x: `retired` is not a list of codes.",
    ],
  ])("%# of plain JavaScript is refused with a sentence that says why", (wrong, message) => {
    expect(wrong).toThrow(TypeError);
    expect(wrong).toThrow(message);
  });

  it("does not compile where the reason has no such value", () => {
    extendDialect(closient, {
      name: "typed",
      codes: [
        // @ts-expect-error a code has no member `colour`
        { code: -32250, reason: shop.maintenance, fields: {}, colour: 1 },
      ],
    });
    expect(() =>
      extendDialect(closient, {
        name: "typed",
        codes: [
          // @ts-expect-error the reason has no slots
          { code: -32250, reason: shop.maintenance, fields: { left: "left" } },
        ],
      }),
    ).toThrow("no slot");
    expect(() =>
      extendDialect(closient, {
        name: "typed",
        codes: [
          { code: -32251, reason: shop.not_found, name: "missing", fields: { order: "order" } },
          // @ts-expect-error the reason has no slot `colour`
          { code: -32250, reason: shop.out_of_stock, fields: { colour: "colour" } },
        ],
      }),
    ).toThrow("no slot");
  });
});
