import { describe, expect, it } from "vitest";
import { registerSecrets } from "../safety/secrets.ts";
import { defineReason, defineReasons } from "./define.ts";
import * as slot from "./slot.ts";
import type { ReasonSpec } from "./types.ts";

// What JavaScript, or a value of type `string`, can pass. The compiler refuses the same mistakes where it sees them.
const define = (id: string, spec: object) => defineReason(id as "shop/order", spec as ReasonSpec);
const PLAIN = { kind: "not_found", text: "No order." };
const order = (more: object) => () => define("shop/order", { ...PLAIN, ...more });
const details = (of: object) => order({ details: of });
const long = (length: number) => "a".repeat(length);

describe("names", () => {
  it.each(["my-app", "Orders", "1a", "_a", "", "a b", "ä", "a/b", long(41)])("refuses the domain %j", (domain) => {
    expect(() => defineReasons(domain, { order: { kind: "not_found", text: "No order." } })).toThrow(
      new TypeError(
        `The domain ${JSON.stringify(domain)} is not valid. Use a lower-case letter, then at most 39 lower-case letters, digits or "_".`,
      ),
    );
  });

  it.each(["noOrder", "no-order", "1a", "", "a b", "a/b", long(61)])("refuses the name %j", (name) => {
    expect(() => defineReasons("shop", { [name]: { kind: "not_found", text: "No order." } })).toThrow(
      new TypeError(
        `The reason name ${JSON.stringify(name)} is not valid. Use a lower-case letter, then at most 59 lower-case letters, digits or "_".`,
      ),
    );
  });

  it.each(["order", "", "/", "shop/", "/order", "Shop/order", "shop/order/1", 7, undefined])(
    "refuses the id %j",
    (id) => {
      expect(() => define(id as string, PLAIN)).toThrow(TypeError);
    },
  );
});

describe("fields", () => {
  it("refuses a detail beside the kind, since it would be ignored", () => {
    expect(order({ effect: "applied" })).toThrow(
      new TypeError("Reason shop/order: move effect into details: { effect }."),
    );
  });

  it("refuses a field that does not exist", () => {
    expect(order({ slot: {} })).toThrow(
      new TypeError("Reason shop/order: there is no field slot. The fields are kind, text, slots and details."),
    );
  });

  it.each(["missing", "constructor", undefined, 7])("refuses the kind %j", (kind) => {
    expect(order({ kind })).toThrow(new TypeError(`Reason shop/order: there is no kind ${JSON.stringify(kind)}.`));
  });

  it.each([undefined, 7, null, ["No."]])("refuses the text %j", (text) => {
    expect(order({ text })).toThrow(new TypeError("Reason shop/order: the text is not a string."));
  });
});

describe("slots", () => {
  it("refuses a name in the text that no slot serves", () => {
    expect(order({ text: "No {id}." })).toThrow(
      new TypeError("Reason shop/order: no slot for {id}. Add it to slots, or correct its name."),
    );
    expect(order({ text: "No[ {toString}].", slots: { id: slot.uuid } })).toThrow("no slot for {toString}");
  });

  it("refuses an optional value outside of brackets", () => {
    expect(order({ text: "No {id}.", slots: { id: slot.optional(slot.uuid) } })).toThrow(
      new TypeError("Reason shop/order: {id} may be missing. Put the part of the text that needs it into [brackets]."),
    );
  });

  it("takes a slot that the text does not use: its value is only data", () => {
    expect(define("shop/order", { ...PLAIN, slots: { id: slot.uuid } }).slots).toHaveProperty("id");
  });

  it.each(["order-id", "1a", "", long(41)])("refuses the slot name %j", (name) => {
    expect(order({ slots: { [name]: slot.uuid } })).toThrow(
      new TypeError(
        `Reason shop/order: the slot name ${JSON.stringify(name)} is not valid. Use a letter, then at most 39 letters, digits or "_".`,
      ),
    );
  });

  it.each(["string", undefined, null, {}, String])("refuses %s as a slot", (value) => {
    expect(order({ slots: { id: value } })).toThrow(
      new TypeError("Reason shop/order: id is not a slot. Use one of slot.text(…), slot.integer and so on."),
    );
  });

  it("refuses more slots than a fault has params", () => {
    const slots = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, slot.uuid]));
    expect(order({ slots: slots(20) })).not.toThrow();
    expect(order({ slots: slots(21) })).toThrow(
      new TypeError("Reason shop/order: there are 21 slots, but a fault has at most 20 params."),
    );
  });
});

describe("the text", () => {
  it("may have 240 characters, values not counted", () => {
    expect(order({ text: long(240) })).not.toThrow();
    expect(order({ text: `${long(240)}{id}`, slots: { id: slot.uuid } })).not.toThrow();
    expect(order({ text: long(241) })).toThrow(
      new TypeError(
        "Reason shop/order: the text has 241 characters without its values, but a message has at most 240.",
      ),
    );
  });

  it("may not have a part in brackets that is always left out", () => {
    expect(order({ text: `${long(200)}[${long(40)}][${long(40)}].` })).toThrow(
      new TypeError(
        "Reason shop/order: a part in brackets can never be shown, since the text would have 241 characters with it, but a message has at most 240.",
      ),
    );
    expect(order({ text: `${long(200)}[${long(39)}][${long(39)}].` })).not.toThrow();
  });
});

describe("details", () => {
  it("refuses constants that a fault would cut", () => {
    const tooLong = (path: string, length: number) =>
      new TypeError(`Reason shop/order: details.${path} has ${length} characters or a form that a fault cannot carry.`);
    const recourse = (move: object) => details({ recourse: [{ do: "stop" }, { do: "do_first", ...move }] });
    expect(recourse({ tool: long(64) })).not.toThrow();
    expect(recourse({ tool: long(65) })).toThrow(tooLong("recourse[1].tool", 65));
    expect(recourse({ candidates: ["a", long(65)] })).toThrow(tooLong("recourse[1].candidates[1]", 65));
    expect(recourse({ link: "javascript:alert(1)" })).toThrow(tooLong("recourse[1].link", 19));
    expect(recourse({ fields: ["/a", "b"] })).toThrow(tooLong("recourse[1].fields[1]", 1));
    expect(details({ issues: [{ pointer: "/a", rule: "type", expected: long(121) }] })).toThrow(
      tooLong("issues[0].expected", 121),
    );
    expect(details({ quote: { text: long(501), from: "peer" } })).toThrow(tooLong("quote.text", 501));
    expect(details({ limits: [{ policy: long(65) }] })).toThrow(tooLong("limits[0].policy", 65));
    expect(details({ origin: { layer: "server", name: "two\nlines" } })).toThrow(tooLong("origin.name", 9));
  });

  it("refuses lists that are too long", () => {
    const stop = { do: "stop" };
    expect(details({ recourse: [stop, stop, stop] })).not.toThrow();
    expect(details({ recourse: [stop, stop, stop, stop] })).toThrow(
      new TypeError("Reason shop/order: details.recourse has 4 items, but a fault keeps 3 of them."),
    );
    const candidates = Array.from({ length: 11 }, (_, i) => `c${i}`);
    expect(details({ recourse: [{ do: "choose_another", candidates }] })).toThrow(
      new TypeError("Reason shop/order: details.recourse[0].candidates has 11 items, but a fault keeps 10 of them."),
    );
  });

  it("refuses values and members that a fault does not have", () => {
    const unknown = (path: string) =>
      new TypeError(`Reason shop/order: details.${path} is not something that a fault can carry.`);
    expect(details({ efect: "none" })).toThrow(unknown("efect"));
    expect(details({ recourse: [{ do: "retry", after: 5 }] })).toThrow(unknown("recourse[0].after"));
    expect(details({ recourse: [] })).toThrow(unknown("recourse"));
    expect(details({ retry: { allowed: true, jitter: 1 } })).toThrow(unknown("retry.jitter"));
    expect(details({ afterMs: -1 })).toThrow(unknown("afterMs"));
    expect(details({ effect: 7 })).toThrow(unknown("effect"));
    expect(details({ retry: true })).toThrow(unknown("retry"));
    expect(order({ details: "none" })).toThrow(
      new TypeError("Reason shop/order: details is not something that a fault can carry."),
    );
    for (const wrong of [
      { effect: "maybe" },
      { basis: "sure" },
      { recourse: [{ do: "wait" }] },
      { origin: { layer: "x" } },
    ])
      expect(details(wrong)).toThrow(TypeError);
  });

  it("takes every valid constant, and what the pattern filter may remove later", () => {
    const all = {
      effect: "possible",
      repeatable: true,
      retry: { allowed: true, afterMs: 10.5, maxAttempts: 2, backoff: "fixed", jitter: 0.5 },
      afterMs: 1_000 / 3,
      issues: [{ pointer: "", rule: "custom", expected: "a path such as /etc/passwd", suggestion: "b" }],
      limits: [{ policy: "burst", unit: "calls", quota: 5, remaining: 0, windowMs: 1, resetMs: 1, scope: "user" }],
      recourse: [
        { do: "fix_input", fields: ["/a", ""], candidates: ["x"], tool: "t", approval: "a1", link: "/approve" },
      ],
      quote: { text: "It broke.", from: "upstream" },
      origin: { layer: "gateway", name: "edge" },
      basis: "mapped",
      tried: { attempts: 1, elapsedMs: 2, stopped: "final" },
    };
    expect(details(all)).not.toThrow();
    expect(
      details({ effect: undefined, retry: undefined, recourse: [{ do: "retry", tool: undefined }] }),
    ).not.toThrow();
  });

  it("does not depend on the secrets of the process", () => {
    const undo = registerSecrets("secret-tool-name");
    expect(details({ recourse: [{ do: "do_first", tool: "secret-tool-name" }] })).not.toThrow();
    undo();
  });
});
