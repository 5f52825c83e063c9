import { buildFault } from "../fault/build.ts";
import { cleanText } from "../fault/clean.ts";
import { FaultError } from "../fault/error.ts";
import { type Fault, MAX, type Param } from "../fault/fault.ts";
import { KINDS, type StatedKind } from "../fault/kinds.ts";
import { holdsSecret } from "../safety/nets.ts";
import { quoted } from "./show.ts";
import { WITHHELD } from "./slot-type.ts";
import type { Rest } from "./sparing.ts";
import { causeOf, sparing } from "./sparing.ts";
import { authored } from "./template.ts";
import { statedFault } from "./unknown/stated.ts";

/** What may stand between the literals of an ad-hoc fault. */
export type FailValue = string | number | boolean;

/** Writes an ad-hoc fault: the literals are the author's, the values are quoted and checked. */
export type FailTag = (literals: TemplateStringsArray, ...values: readonly FailValue[]) => FaultError;

/** A tag, or a call with details that gives one. */
export interface Fail extends FailTag {
  (rest: Rest): FailTag;
}

function isLiterals(value: unknown): value is TemplateStringsArray {
  return isArray(value) && isArray((value as { raw?: unknown }).raw) && value.every(isText);
}

function isText(literal: unknown): boolean {
  return typeof literal === "string" || literal === undefined;
}

function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

function failOf(kind: StatedKind): Fail {
  const tag =
    (rest: Rest): FailTag =>
    (literals, ...values) =>
      new FaultError(
        sparing<readonly unknown[], Fault>(
          (shown, details) => build(kind, literals, shown, details),
          values,
          values.map(nothing),
          rest,
        ),
        { cause: causeOf(rest) },
      );
  const fail = (first: TemplateStringsArray | Rest, ...values: readonly FailValue[]) =>
    typeof first === "object" && first !== null && !isArray(first)
      ? tag(first as Rest)
      : tag({})(first as TemplateStringsArray, ...values);
  return fail as Fail;
}

function nothing(): undefined {}

function build(kind: StatedKind, literals: unknown, values: readonly unknown[], rest: Rest): Fault {
  const { cause, ...details } = rest;
  const params: Record<string, Param> = {};
  let message = "";
  // Without literals there is no author: a text passed as a plain argument is never shown.
  if (isLiterals(literals)) {
    message = literals[0] ?? "";
    for (const [index, value] of values.entries()) {
      const param = readValue(value, rest);
      params[`p${index + 1}`] = param;
      const shown = typeof param === "string" ? quoted(param) : String(param ?? WITHHELD);
      message += holdsSecret(shown, rest.secrets) ? WITHHELD : shown;
      message += literals[index + 1] ?? "";
    }
  }
  return buildFault({
    ...details,
    kind,
    reason: `adhoc/${kind}`,
    message: authored(message),
    params: Object.keys(params).length === 0 ? undefined : Object.freeze(params),
    cause: statedFault(cause, rest),
  });
}

function readValue(value: unknown, nets: Rest): string | number | boolean | null {
  if (typeof value === "string") return value === "" ? "" : (cleanText(value, MAX.name, nets) ?? null);
  if (typeof value === "boolean") return value;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function failByKind(): { readonly [K in StatedKind]: Fail } {
  const stated = Object.keys(KINDS).filter((kind): kind is StatedKind => kind !== "unknown");
  return Object.freeze(Object.fromEntries(stated.map((kind) => [kind, failOf(kind)])) as { [K in StatedKind]: Fail });
}

/**
 * Ad-hoc faults, by kind: `` fail.not_found`No channel ${name}. Call list_channels first.` ``.
 * Details go before the sentence: `` fail.conflict({ effect: "applied" })`…` ``.
 */
export const fail: { readonly [K in StatedKind]: Fail } = /* @__PURE__ */ failByKind();
