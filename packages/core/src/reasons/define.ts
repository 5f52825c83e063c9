import { buildFault, type FaultDetails } from "../fault/build.ts";
import { type Codec, cleanCount, FAULT_MEMBERS, FORM_ONLY, pack } from "../fault/clean.ts";
import { FaultError } from "../fault/error.ts";
import { DOMAIN_NAME, FAULT_LIMITS, type Fault, PARAM_NAME, REASON_NAME } from "../fault/fault.ts";
import { isKind, type StatedKind } from "../fault/kinds.ts";
import { toLine } from "../safety/line.ts";
import type { FilterOptions } from "../safety/show-line.ts";
import { buildSafely, causeIn, faultInside, type ReasonOptions } from "./build-safely.ts";
import { composeMessage, parseTemplate, type TemplatePart } from "./template.ts";
import type { AnySlot, CheckedDomain, CheckedId, CheckedSpec, CheckedSpecs, Reason, ReasonSpec } from "./types.ts";

type AnyValues = Readonly<Record<string, unknown>>;

/** Makes a reason of a definition that is known to be right. */
export function createReason(id: string, spec: ReasonSpec) {
  const { kind, text, slots = {}, details } = spec;
  const template = parseTemplate(text);
  function build(values: AnyValues, options: ReasonOptions): Fault {
    const { message, params } = composeMessage(template, slots, values, options);
    return buildFault({
      ...details,
      ...pack<FaultDetails & FilterOptions>(options),
      kind,
      reason: id,
      message,
      params,
      cause: faultInside(options.cause, options),
    });
  }
  function fault(values?: AnyValues | null, options?: ReasonOptions | null): Fault {
    return buildSafely(build, values ?? {}, {}, options);
  }
  function reason(values?: AnyValues, options?: ReasonOptions): FaultError {
    return new FaultError(fault(values, options), { cause: causeIn(options) });
  }
  return Object.freeze(Object.assign(reason, { id, kind, text, slots, fault }));
}

/**
 * Defines a single reason, named `domain/name`, in the way of `defineReasons`. A mistake throws a `TypeError`.
 *
 * @example
 * const soldOut = defineReason("shop/sold_out", {
 *   kind: "precondition_failed",
 *   text: "Only {left} are left.",
 *   slots: { left: slot.integer },
 * });
 * throw soldOut({ left: 2 });
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineReason<const Id extends string, const S extends ReasonSpec>(
  id: CheckedId<Id>,
  spec: CheckedSpec<S>,
): Reason<Id, S> {
  return createChecked(id, spec as ReasonSpec) as unknown as Reason<Id, S>;
}

/**
 * Defines the reasons of one domain. A mistake in a definition throws a `TypeError`.
 *
 * @example
 * export const orders = defineReasons("orders", {
 *   not_found: { kind: "not_found", text: "There is no order {id}.", slots: { id: slot.uuid } },
 *   already_paid: { kind: "conflict", text: "The order is already paid." },
 * });
 * throw orders.not_found({ id });
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineReasons<
  const Domain extends string,
  const M extends Readonly<Record<string, ReasonSpec & { readonly kind: StatedKind }>>,
>(
  domain: CheckedDomain<Domain>,
  specs: CheckedSpecs<M>,
): { readonly [K in keyof M & string]: Reason<`${Domain}/${K}`, M[K]> } {
  checkReasonDomain(domain);
  const reasons = Object.entries(specs as M).map(([name, spec]) => {
    checkReasonName(name);
    return [name, createChecked(`${domain}/${name}`, spec)];
  });
  return Object.freeze(Object.fromEntries(reasons));
}

function createChecked(id: string, spec: ReasonSpec) {
  checkReasonDefinition(id, spec);
  return createReason(id, spec);
}

// A mistake in a definition is reported when the program starts. Building a fault never throws, so a mistake that is only
// found then would cut or drop something without a trace.

/** Throws if the domain cannot be sent. */
function checkReasonDomain(domain: unknown): void {
  if (typeof domain === "string" && DOMAIN_NAME.test(domain)) return;
  throw new TypeError(
    `The domain ${JSON.stringify(domain)} is not valid. Use a lower-case letter, then at most 39 lower-case letters, digits or "_".`,
  );
}

/** Throws if the name of a reason cannot be sent. */
function checkReasonName(name: unknown): void {
  if (typeof name === "string" && REASON_NAME.test(name)) return;
  throw new TypeError(
    `The reason name ${JSON.stringify(name)} is not valid. Use a lower-case letter, then at most 59 lower-case letters, digits or "_".`,
  );
}

/** Throws if a reason cannot be defined like this. */
export function checkReasonDefinition(id: unknown, spec: ReasonSpec): void {
  checkId(id);
  const problem = fieldProblem(spec) ?? slotProblem(spec) ?? reasonTextProblem(spec) ?? detailsProblem(spec.details);
  if (problem !== undefined) throw new TypeError(`Reason ${id}: ${problem}`);
}

function checkId(id: unknown): void {
  if (typeof id !== "string" || !id.includes("/")) {
    throw new TypeError(`The id ${JSON.stringify(id)} is not valid. The id of a reason is domain/name.`);
  }
  const slash = id.indexOf("/");
  checkReasonDomain(id.slice(0, slash));
  checkReasonName(id.slice(slash + 1));
}

const REASON_FIELDS: readonly string[] = ["kind", "text", "slots", "details"] satisfies readonly (keyof ReasonSpec)[];

function fieldProblem(spec: ReasonSpec): string | undefined {
  const unknown = Object.keys(spec).find((field) => !REASON_FIELDS.includes(field));
  if (unknown !== undefined) {
    return unknown in DETAILS
      ? `move ${unknown} into details: { ${unknown} }.`
      : `there is no field ${unknown}. The fields are kind, text, slots and details.`;
  }
  if (!isKind(spec.kind)) return `there is no kind ${JSON.stringify(spec.kind)}.`;
  return typeof spec.text === "string" ? undefined : "the text is not a string.";
}

function slotProblem({ text, slots = {} }: ReasonSpec): string | undefined {
  const names = Object.keys(slots);
  for (const name of names) {
    if (!PARAM_NAME.test(name)) {
      return `the slot name ${JSON.stringify(name)} is not valid. Use a letter, then at most 39 letters, digits or "_".`;
    }
    if (!isSlot(slots[name])) return `${name} is not a slot. Use one of slot.text(…), slot.integer and so on.`;
  }
  if (names.length > FAULT_LIMITS.params)
    return `there are ${names.length} slots, but a fault has at most ${FAULT_LIMITS.params} params.`;
  for (const { group, pieces } of parseTemplate(text)) {
    for (const piece of pieces) {
      if ("literal" in piece) continue;
      if (!Object.hasOwn(slots, piece.name)) {
        return `no slot for {${piece.name}}. Add it to slots, or correct its name.`;
      }
      if (!group && slots[piece.name]?.optional === true) {
        return `{${piece.name}} may be missing. Put the part of the text that needs it into [brackets].`;
      }
    }
  }
  return undefined;
}

function isSlot(value: AnySlot | undefined): boolean {
  return typeof value?.read === "function" && typeof value.show === "function";
}

/** Values can make a message too long as well, but they are not known here. */
function reasonTextProblem({ text }: ReasonSpec): string | undefined {
  const parts = parseTemplate(text);
  const limit = `but a message has at most ${FAULT_LIMITS.message}.`;
  const required = literalLength(parts.filter((part) => !part.group));
  if (required > FAULT_LIMITS.message) return `the text has ${required} characters without its values, ${limit}`;
  for (const group of parts.filter((part) => part.group)) {
    const length = literalLength(parts.filter((part) => part === group || !part.group));
    if (length <= FAULT_LIMITS.message) continue;
    return `a part in brackets can never be shown, since the text would have ${length} characters with it, ${limit}`;
  }
  return undefined;
}

function literalLength(parts: readonly TemplatePart[]): number {
  const pieces = parts.flatMap((part) => part.pieces);
  const literals = pieces.map((piece) => ("literal" in piece ? piece.literal : "")).join("");
  return toLine(literals, Number.POSITIVE_INFINITY).length;
}

const {
  params: _params,
  incident: _incident,
  requestId: _id,
  at: _at,
  trace: _trace,
  docs: _docs,
  ...CARRIED
} = FAULT_MEMBERS;
/** Each detail as it would stand in a fault. */
const DETAILS = {
  ...CARRIED,
  repeatable: { clean: (value) => (typeof value === "boolean" ? value : undefined) },
  afterMs: { clean: cleanCount },
} satisfies { readonly [K in keyof FaultDetails]-?: Pick<Codec<unknown>, "clean"> };

function detailsProblem(details: unknown): string | undefined {
  if (details === undefined) return undefined;
  if (typeof details !== "object" || details === null) return notCarried("details");
  for (const [name, value] of Object.entries(details)) {
    const path = `details.${name}`;
    const codec = Object.hasOwn(DETAILS, name) ? DETAILS[name as keyof typeof DETAILS] : undefined;
    const problem =
      codec === undefined ? notCarried(path) : differenceProblem(value, codec.clean(value, FORM_ONLY), path);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Describes the first place where a fault would carry less than the author wrote. Numbers may be rounded. */
function differenceProblem(given: unknown, kept: unknown, path: string): string | undefined {
  if (given === undefined || given === kept) return undefined;
  if (typeof given === "string") return `${path} has ${given.length} characters or a form that a fault cannot carry.`;
  if (typeof given === "number") return typeof kept === "number" ? undefined : notCarried(path);
  if (typeof given !== "object" || given === null || typeof kept !== "object" || kept === null) return notCarried(path);
  const listName = path.slice(path.lastIndexOf(".") + 1);
  const limit = Array.isArray(given) ? (FAULT_LIMITS as Readonly<Record<string, number>>)[listName] : undefined;
  if (Array.isArray(given) && limit !== undefined && given.length > limit) {
    return `${path} has ${given.length} items, but a fault keeps ${limit} of them.`;
  }
  for (const [key, value] of Object.entries(given)) {
    const inside = Array.isArray(given) ? `${path}[${key}]` : `${path}.${key}`;
    const problem = differenceProblem(value, (kept as Readonly<Record<string, unknown>>)[key], inside);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function notCarried(path: string): string {
  return `${path} is not something that a fault can carry.`;
}
