import { buildFault } from "../fault/build.ts";
import { cleanText } from "../fault/clean.ts";
import { FaultError } from "../fault/error.ts";
import { FAULT_LIMITS, type Fault, type Param } from "../fault/fault.ts";
import { KINDS, type StatedKind } from "../fault/kinds.ts";
import { containsSecret } from "../safety/secrets.ts";
import { buildSafely, causeIn, faultInside, type ReasonOptions } from "./build-safely.ts";
import { authored, inQuotes, WITHHELD_VALUE } from "./template.ts";

/** A value between the literals of a `fail` template. */
export type FailValue = string | number | boolean;

/** Tags a template: its literals become the message as they are, its values are checked and quoted. */
export type FailTag = (literals: TemplateStringsArray, ...values: readonly FailValue[]) => FaultError;

/** A template tag. Call it with options first if the fault needs more than a message. */
export interface Fail extends FailTag {
  (options: ReasonOptions): FailTag;
}

function isLiterals(value: unknown): value is TemplateStringsArray {
  return isArray(value) && isArray((value as { raw?: unknown }).raw) && value.every(isLiteral);
}

function isLiteral(literal: unknown): boolean {
  return typeof literal === "string" || literal === undefined;
}

function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

function createFail(kind: StatedKind): Fail {
  const tag =
    (options: ReasonOptions): FailTag =>
    (literals, ...values) =>
      new FaultError(
        buildSafely<readonly unknown[], Fault>(
          (shown, details) => buildAdhoc(kind, literals, shown, details),
          values,
          values.map(nothing),
          options,
        ),
        { cause: causeIn(options) },
      );
  const fail = (first: TemplateStringsArray | ReasonOptions, ...values: readonly FailValue[]) =>
    typeof first === "object" && first !== null && !isArray(first)
      ? tag(first as ReasonOptions)
      : tag({})(first as TemplateStringsArray, ...values);
  return fail as Fail;
}

function nothing(): undefined {}

function buildAdhoc(kind: StatedKind, literals: unknown, values: readonly unknown[], options: ReasonOptions): Fault {
  const { cause, ...details } = options;
  const params: Record<string, Param> = {};
  let message = "";
  // A text that was passed as a plain argument has no author, so it is never shown.
  if (isLiterals(literals)) {
    message = literals[0] ?? "";
    for (const [index, value] of values.entries()) {
      const param = readValue(value, options);
      params[`p${index + 1}`] = param;
      const shown = typeof param === "string" ? inQuotes(param) : String(param ?? WITHHELD_VALUE);
      message += containsSecret(shown, options.secrets) ? WITHHELD_VALUE : shown;
      message += literals[index + 1] ?? "";
    }
  }
  return buildFault({
    ...details,
    kind,
    reason: `adhoc/${kind}`,
    message: authored(message),
    params: Object.keys(params).length === 0 ? undefined : Object.freeze(params),
    cause: faultInside(cause, options),
  });
}

function readValue(value: unknown, filter: ReasonOptions): string | number | boolean | null {
  if (typeof value === "string") return value === "" ? "" : (cleanText(value, FAULT_LIMITS.paramText, filter) ?? null);
  if (typeof value === "boolean") return value;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function failByKind(): { readonly [K in StatedKind]: Fail } {
  const stated = Object.keys(KINDS).filter((kind): kind is StatedKind => kind !== "unknown");
  return Object.freeze(
    Object.fromEntries(stated.map((kind) => [kind, createFail(kind)])) as { [K in StatedKind]: Fail },
  );
}

/**
 * Creates a `FaultError` without a defined reason: one template tag for each kind. Its reason is `adhoc/<kind>`.
 *
 * @example
 * throw fail.not_found`No channel ${name}. Call list_channels first.`;
 *
 * @example
 * throw fail.conflict({ effect: "applied" })`The order was already paid.`;
 */
export const fail: { readonly [K in StatedKind]: Fail } = /* @__PURE__ */ failByKind();
