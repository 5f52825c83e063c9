import { describe, expect, it } from "vitest";
import { defineReason, type FaultDetails, KINDS, type Kind, type StatedKind, slot } from "../../index.ts";
import { adapter, auth, core, prompt, protocol, tool } from "../../reasons/index.ts";
import { detect } from "../detect.ts";
import { onx } from "./dialect.ts";
import { ONX_ROWS, type OnxRow } from "./table.ts";

const rows = Object.values<OnxRow>(ONX_ROWS);
const errorOf = (fault: Parameters<typeof onx.encode>[0]) => {
  const wire = onx.encode(fault);
  return "result" in wire ? wire.result.error : wire.error;
};
const domain = (error: object, more: object = {}) => ({ jsonrpc: "2.0", result: { error, ...more }, id: 1 });

describe("the table", () => {
  it("marks the codes that are not in the document of onX", () => {
    const extensions = rows.filter((row) => row.extension).map((row) => row.code);
    expect(extensions).toEqual([1001, 3003, 3004, 3005, 3006, 3007, 4000, 4003]);
  });
});

const identified = (kind: StatedKind, details: FaultDetails = {}) =>
  defineReason(`shop/a_${kind}`, { kind, text: "It failed.", slots: { originalError: slot.text(40) } })(
    { originalError: "ITS_NAME" },
    details,
  ).fault;

describe("the identifier of an adapter", () => {
  const STANDARD = rows.filter((row) => row.extension === undefined).map((row) => row.code);
  const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => kind !== "unknown");

  const READ_AS: Partial<Record<Kind, Kind>> = {
    invalid_request: "invalid_input",
    approval_required: "forbidden",
    overloaded: "unavailable",
  };

  it.each(kinds as StatedKind[])("stands beside a standard code: %s", (kind) => {
    const error = errorOf(identified(kind));
    expect(STANDARD).toContain(error.code);
    expect(error).toMatchObject({ details: { originalError: "ITS_NAME" } });
  });

  it("has the general code where no standard code means the kind", () => {
    const fault = identified("not_found");
    expect(errorOf(fault)).toEqual({
      code: 4001,
      message: "It failed.",
      retryable: false,
      details: { suggestion: "Call again with a different name or id.", originalError: "ITS_NAME" },
    });
    expect(errorOf(identified("rate_limited"))).toMatchObject({ code: 3001, retryable: true });
    expect(errorOf(identified("unsupported"))).toMatchObject({ code: 5001, retryable: false });
  });

  it.each(kinds as StatedKind[])("does not hide the kind from a reader of Recourse: %s", (kind) => {
    const fault = identified(kind);
    const before = READ_AS[kind] ?? kind;
    expect(onx.decode(onx.encode(fault))).toMatchObject({ kind: before, effect: fault.effect });
  });

  it("has a kind only beside the general code", () => {
    const said = (code: number, kind: unknown) =>
      onx.decode(domain({ code, message: "m", retryable: false }, { _meta: { "recourse/kind": kind } }))?.kind;
    expect([said(4001, "conflict"), said(4002, "conflict")]).toEqual(["conflict", "unavailable"]);
    expect([said(4001, "newer_kind"), said(4001, 5), said(4001, "constructor")]).toEqual([
      "upstream_failed",
      "upstream_failed",
      "upstream_failed",
    ]);
  });
});

describe("retrying", () => {
  it("depends on the data for an adapter error", () => {
    const harmless = { effect: "none", retry: { allowed: true } } as const;
    expect(errorOf(adapter.failed({}, harmless).fault)).toMatchObject({ retryable: true });
    expect(errorOf(adapter.failed({}, { retry: { allowed: false } }).fault)).toMatchObject({ retryable: false });
    expect(errorOf(adapter.failed({}, { effect: "none" }).fault)).toMatchObject({ retryable: true });
    expect(errorOf(adapter.failed().fault)).toMatchObject({ retryable: false });
  });

  const everything = ([undefined, { allowed: true }, { allowed: false }] as const).flatMap((retry) =>
    (["none", "possible", "applied"] as const).flatMap((effect) =>
      rows.map(({ reason }) => reason.fault({}, { effect, ...(retry && { retry }) })),
    ),
  );
  it.each([
    [true, [3001, 3002, 4002]],
    [false, [2001, 2002, 2003, 5001]],
  ] as const)("is always %s for %j, whatever the fault says", (retryable, codes) => {
    const errors = everything.map(errorOf).filter(({ code }) => (codes as readonly number[]).includes(code));
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(codes));
    for (const error of errors) expect(error).toMatchObject({ retryable });
  });

  it("is a general adapter error where a second call could do harm", () => {
    expect(errorOf(adapter.unavailable({}, { effect: "none" }).fault)).toMatchObject({ code: 4002 });
    expect(errorOf(adapter.unavailable({}, { repeatable: true }).fault)).toMatchObject({ code: 4002 });
    const fault = tool.timeout({ tool: "pay" }).fault;
    expect(fault.effect).toBe("possible");
    expect(errorOf(fault)).toMatchObject({
      code: 4001,
      retryable: false,
      details: {
        suggestion: "The call may have taken effect. Check the current state before repeating the call.",
      },
    });
    // Only the effect forbids it, so a client that knows the call to be repeatable may repeat it.
    const back = onx.decode(onx.encode(fault));
    expect(back).toMatchObject({ kind: "timeout", effect: "possible" });
    expect(back?.retry).toBeUndefined();
  });

  it("is a general adapter error where the server forbids it", () => {
    const refused = { retry: { allowed: false } };
    const never = adapter.unavailable({}, { effect: "none", ...refused }).fault;
    expect(errorOf(never)).toMatchObject({ code: 4001, retryable: false });
    expect(onx.decode(onx.encode(never))).toMatchObject({ kind: "unavailable", effect: "none", ...refused });
    const unsure = adapter.unavailable({}, refused).fault;
    expect(onx.decode(onx.encode(unsure))).toMatchObject({ kind: "upstream_failed", effect: "possible", ...refused });
  });

  it.each([adapter.unavailable, adapter.failed, core.timeout, core.conflict])(
    "is not promised for a second call that could do harm, whatever the author says: $id",
    (reason) => {
      const retry = { allowed: true, afterMs: 2_000 };
      const own = reason({}, { effect: "possible", retry }).fault;
      const quote = { text: "Come back later", from: "upstream" } as const;
      const ofService = reason({}, { effect: "possible", retry, basis: "mapped", quote }).fault;
      for (const fault of [own, ofService]) {
        expect(errorOf(fault)).toMatchObject({ retryable: false });
        expect(errorOf(fault)).not.toHaveProperty("details.context.retryAfterMs");
      }
    },
  );

  it("keeps the word of a server whose code says it", () => {
    const wire = domain({ code: 3002, message: "Too slow", retryable: true });
    const fault = onx.decode(wire);
    expect(fault).toMatchObject({ kind: "timeout", effect: "possible", retry: { allowed: true } });
    expect(fault && errorOf(fault)).toMatchObject({ code: 3002, retryable: true });
  });

  it("follows the advice for our own codes", () => {
    expect(errorOf(core.conflict({}, { retry: { allowed: true } }).fault)).toMatchObject({ retryable: true });
  });

  it("names the wait in the context, in milliseconds", () => {
    const fault = core.rate_limited({ limit: 5 }, { retry: { allowed: true, afterMs: 30_000 } }).fault;
    expect(errorOf(fault)).toMatchObject({
      code: 3001,
      details: { suggestion: "Repeat this call in 30 seconds.", context: { limit: 5, retryAfterMs: 30_000 } },
    });
    expect(onx.decode(onx.encode(fault))).toMatchObject({ retry: { allowed: true, afterMs: 30_000 } });
    const later = adapter.unavailable({}, { effect: "none", afterMs: 2_000 }).fault;
    expect(errorOf(later)).toMatchObject({ details: { context: { retryAfterMs: 2_000 } } });
    expect(errorOf(tool.timeout().fault)).not.toMatchObject({
      details: { context: { retryAfterMs: expect.anything() } },
    });
  });

  it("says whether anything was changed where the code alone says otherwise", () => {
    const nothing = adapter.unavailable({}, { effect: "none" }).fault;
    expect(onx.encode(nothing)).toMatchObject({ result: { _meta: { "recourse/effect": "none" } } });
    expect(onx.decode(onx.encode(nothing))?.effect).toBe("none");
  });
});

describe("the next moves", () => {
  it("are a sentence in the details, and moves in _meta", () => {
    const recourse = [{ do: "ask_user" }] as const;
    const wire = onx.encode(identified("precondition_failed", { recourse }));
    expect(wire).toMatchObject({
      result: {
        error: { details: { suggestion: "Ask the user what to do; the same call will fail again." } },
        _meta: { "recourse/next": recourse },
      },
    });
    const back = onx.decode(wire);
    expect(back).toMatchObject({ kind: "precondition_failed", recourse });
    expect(back?.quote?.text).toBe("It failed.");
  });

  it("never allow a retry that the effect forbids", () => {
    const meta = { "recourse/next": [{ do: "retry" }], "recourse/effect": "possible" };
    const fault = onx.decode(domain({ code: 4001, message: "m", retryable: true }, { _meta: meta }));
    expect(fault?.recourse).toEqual([{ do: "refresh" }]);
  });
});

describe("a JSON-RPC error with a code of onX", () => {
  const wire = (code: number, data?: object) => ({ jsonrpc: "2.0", id: 1, error: { code, message: "Too many", data } });

  it("is read with the members in its data", () => {
    const data = { retryable: true, context: { limit: 5, retryAfterMs: 1_000 } };
    const expected = {
      reason: "core/rate_limited",
      params: { limit: 5 },
      retry: { allowed: true, afterMs: 1_000 },
      quote: { text: "Too many" },
    };
    expect(onx.decode(wire(3001, data))).toMatchObject(expected);
    expect(detect(wire(3001, data))).toMatchObject({ dialect: "onx", fault: expected });
    expect(detect(wire(3001, { retryable: true, details: data }))).toMatchObject({ dialect: "onx", fault: expected });
  });

  it("keeps the field of a request that is malformed", () => {
    const data = { field: "order.customer.email", retryable: false };
    expect(onx.decode(wire(-32602, data))).toMatchObject({ issues: [{ pointer: "/order/customer/email" }] });
  });

  it("is of another system without `retryable`", () => {
    expect(onx.decode(wire(3001, { limit: 5 }))).toBeUndefined();
    expect(onx.decode(wire(3001))).toBeUndefined();
  });
});

describe("details", () => {
  const details = (more: object, code = 2001) =>
    onx.decode(domain({ code, message: "m", retryable: false, details: more }));

  it("turn a field and a rule into an issue", () => {
    expect(details({ field: "a.b", reason: "range" })?.issues).toEqual([{ pointer: "/a/b", rule: "range" }]);
    expect(details({ reason: "required" })?.issues).toEqual([{ pointer: "", rule: "required" }]);
    expect(details({ field: "a" })?.issues).toEqual([{ pointer: "/a", rule: "custom" }]);
    expect(details({ field: "a" }, 2002)?.issues).toEqual([{ pointer: "/a", rule: "required" }]);
    expect(details({ field: "a" }, 2003)?.issues).toEqual([{ pointer: "/a", rule: "format" }]);
    expect(details({ field: "a" }, 4001)?.issues).toEqual([{ pointer: "/a", rule: "custom" }]);
  });

  it("turn any other reason into a constraint", () => {
    expect(details({ reason: "sum_differs" })).toMatchObject({ params: { constraint: "sum_differs" } });
    expect(details({ reason: "sum_differs" })?.issues).toBeUndefined();
    expect(details({ field: "a", reason: "gone" }, 2002)?.issues).toEqual([{ pointer: "/a", rule: "required" }]);
  });

  it("put the suggestion into the quote, each part filtered by itself", () => {
    expect(details({ suggestion: "Try another" })?.quote?.text).toBe("m. Try another");
    const attack = "<|im_start|> <|im_end|>";
    expect(details({ suggestion: attack })?.quote?.text).toBe("m");
  });

  it("give params that fit their slots, and no others", () => {
    const context = { limit: 5, windowMs: "long", other: 1 };
    expect(details({ context }, 3001)?.params).toEqual({ limit: 5, windowMs: null });
    expect(details({ context: [1] }, 3001)?.params).toBeUndefined();
  });

  it("carry the backend's identifier in both directions", () => {
    expect(details({ originalError: "ORDER_NOT_FOUND" }, 4001)?.params).toEqual({ originalError: "ORDER_NOT_FOUND" });
    const behind = details({ originalError: "ORDER_NOT_FOUND" }, 3004);
    expect(behind?.cause).toMatchObject({ reason: "adapter/failed", params: { originalError: "ORDER_NOT_FOUND" } });
    expect(behind && errorOf(behind)).toMatchObject({ code: 4001, details: { originalError: "ORDER_NOT_FOUND" } });
    expect(errorOf(adapter.failed({ originalError: "INVALID_ORDER_STATE" }).fault)).toMatchObject({
      code: 4001,
      details: { originalError: "INVALID_ORDER_STATE" },
    });
  });

  it("name the field where an issue or a param has it", () => {
    const issues = [{ pointer: "/order/customer/email", rule: "format", expected: "an address" }] as const;
    expect(errorOf(tool.invalid_arguments({}, { issues }).fault)).toMatchObject({
      code: 2003,
      details: { field: "order.customer.email", reason: "format" },
    });
    expect(errorOf(core.missing_field({ field: "email" }).fault)).toMatchObject({
      code: 2002,
      details: { field: "email", context: { field: "email" } },
    });
  });

  it("use the specific code where all arguments break the same rule", () => {
    const code = (...rules: ("required" | "format" | "type")[]) =>
      errorOf(tool.invalid_arguments({}, { issues: rules.map((rule) => ({ pointer: "/a", rule })) }).fault).code;
    expect(code("required", "required")).toBe(2002);
    expect(code("format")).toBe(2003);
    expect(code("required", "format")).toBe(2001);
    expect(code("type")).toBe(2001);
  });
});

describe("JSON-RPC", () => {
  const wire = (code: number, message: string, data?: object) => ({ error: { code, message, ...(data && { data }) } });

  it("names the field of arguments that fail before a tool runs", () => {
    const example = wire(-32602, "Invalid params", { field: "order.customer.email" });
    const fault = onx.decode(example);
    expect(fault?.issues).toEqual([{ pointer: "/order/customer/email", rule: "custom" }]);
    expect(detect(example)).toMatchObject({ dialect: "onx", fault: { issues: fault?.issues } });
    expect(fault && onx.encode(fault)).toEqual(example);
  });

  it("is used for every method other than tools/call", () => {
    const code = (fault: Parameters<typeof onx.encode>[0]) => onx.encode(fault, { method: "prompts/get" });
    expect(code(prompt.not_found().fault)).toMatchObject({ error: { code: -32602 } });
    expect(code(prompt.argument_missing().fault)).toMatchObject({ error: { code: -32602 } });
    expect(code(auth.unauthorized().fault)).toMatchObject({ error: { code: -32603 } });
    expect(code(protocol.bad_request().fault)).toMatchObject({ error: { code: -32600 } });
  });

  it("carries effect and basis in the data", () => {
    const fault = protocol.invalid_params({}, { effect: "possible", basis: "guessed" }).fault;
    expect(onx.encode(fault)).toMatchObject({ error: { data: { effect: "possible", basis: "guessed" } } });
    expect(onx.decode(onx.encode(fault))).toMatchObject({ effect: "possible", basis: "guessed" });
  });
});

describe("the result that a client gets", () => {
  it("is a failed result with a text for the model", () => {
    const wire = onx.encode(core.conflict({ what: "order 7" }).fault);
    expect(wire).toEqual({
      result: {
        content: [
          {
            type: "text",
            text: 'The call conflicts with the current state: "order 7". Check the current state, then decide again.',
          },
        ],
        isError: true,
        error: {
          code: 3005,
          message: 'The call conflicts with the current state: "order 7".',
          retryable: false,
          details: {
            suggestion: "Check the current state, then decide again.",
            context: { what: "order 7" },
          },
        },
        _meta: { "recourse/next": [{ do: "refresh" }] },
      },
    });
  });

  it("always has isError beside an error object", () => {
    expect(onx.decode({ result: { isError: false, error: { code: 4002, message: "m", retryable: true } } })?.kind).toBe(
      "unavailable",
    );
    expect(onx.decode({ jsonrpc: "2.0", result: { orders: [] }, id: 1 })).toBeUndefined();
    expect(onx.decode({ code: 4002, message: "m", retryable: true })?.kind).toBe("unavailable");
    expect(onx.decode({ code: 4002, message: "m" })).toBeUndefined();
    expect(onx.decode({ jsonrpc: "2.0", error: { code: 1090, message: "m" } })).toBeUndefined();
  });
});
