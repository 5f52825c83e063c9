import { expect, it } from "vitest";
import { defineReason, defineReasons } from "./define.ts";
import { fail } from "./fail.ts";
import * as slot from "./slot.ts";

const gtin = slot.pattern(/\d{8}|\d{12,14}/, { bare: true });
const reasons = defineReasons("types", {
  needs: { kind: "not_found", text: "No {gtin}.", slots: { gtin } },
  takes: { kind: "not_found", text: "No[ {gtin}].", slots: { gtin: slot.optional(gtin) } },
  plain: { kind: "not_found", text: "No." },
});

// Never run: each line is a mistake that must not compile.
function mistakes(name: string): void {
  // @ts-expect-error a name in brackets needs a slot too
  defineReason("a/b", { kind: "not_found", text: "No[ {gtni}].", slots: { gtin } });
  // @ts-expect-error an id has one slash
  defineReason("a/b/c", { kind: "not_found", text: "No." });
  // @ts-expect-error there is no such kind
  defineReason("a/b", { kind: "missing", text: "No." });
  // @ts-expect-error there is no such effect
  defineReason("a/b", { kind: "not_found", text: "No.", details: { effect: "maybe" } });
  // @ts-expect-error there is no such detail
  defineReason("a/b", { kind: "not_found", text: "No.", details: { effect: "none", recource: [] } });
  // @ts-expect-error a move has no such member
  defineReason("a/b", { kind: "not_found", text: "No.", details: { recourse: [{ do: "retry", after: 5 }] } });
  // @ts-expect-error a reason has no such field
  defineReason("a/b", { kind: "not_found", text: "No.", slot: { gtin } });
  // @ts-expect-error unknown is for decoders
  defineReasons("a", { b: { kind: "unknown", text: "No." } });
  // @ts-expect-error a domain starts with a letter
  defineReasons("1a", { b: { kind: "not_found", text: "No." } });
  // @ts-expect-error a domain is not empty
  defineReasons("", { b: { kind: "not_found", text: "No." } });

  // @ts-expect-error the param is missing
  reasons.needs();
  // @ts-expect-error the param is missing
  reasons.needs({});
  // @ts-expect-error the param has the wrong type
  reasons.needs({ gtin: 12345678 });
  // @ts-expect-error the param is misspelt
  reasons.needs({ gtni: "12345678" });
  // @ts-expect-error there is no such param
  reasons.needs({ gtin: "12345678", more: 1 });
  // @ts-expect-error the param has the wrong type
  reasons.takes({ gtin: 12345678 });
  // @ts-expect-error there is no such param
  reasons.takes({ more: 1 });
  // @ts-expect-error there are no params
  reasons.plain({ more: 1 });
  // @ts-expect-error there is no such effect
  reasons.plain({}, { effect: "maybe" });
  // @ts-expect-error a message comes from the template alone
  reasons.plain({}, { message: "Other." });
  // @ts-expect-error the param is missing
  reasons.needs.fault({});
  // @ts-expect-error there is no such reason
  reasons.other;

  // @ts-expect-error a plain string has no author
  fail.not_found(name);
  // @ts-expect-error a template that was filled in before is a plain string
  fail.not_found(`No ${name}.`);
  // @ts-expect-error values are scalars
  fail.not_found`No ${{ name }}.`;
  // @ts-expect-error values are scalars
  fail.not_found`No ${undefined}.`;
  // @ts-expect-error unknown is for decoders
  fail.unknown`No.`;
  // @ts-expect-error a plain string has no author
  fail.not_found({})(name);
  // @ts-expect-error only one of the set
  slot.oneOf(["a", "b"]).read("c", {});
}

it("what compiles also runs", () => {
  expect(mistakes).toBeTypeOf("function");
  expect(reasons.needs({ gtin: "12345678" }).message).toBe("No 12345678.");
  expect(reasons.takes().message).toBe("No.");
  expect(reasons.plain().message).toBe("No.");
  expect(fail.not_found`No ${"x"}.`.message).toBe('No "x".');
});

it("names that are known only at run time compile", () => {
  const domain: string = "types";
  const [name]: string[] = ["late"];
  const late = defineReasons(domain, { [`${name}_1`]: { kind: "not_found", text: "No." } });
  expect(late["late_1"]?.id).toBe("types/late_1");
  expect(defineReason(`${domain}/late`, { kind: "not_found", text: "No." }).id).toBe("types/late");
});
