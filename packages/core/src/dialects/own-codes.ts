// Codes of your own, in the ranges that the document of a system leaves open.

import { amendFault } from "../fault/amend.ts";
import type { Fault } from "../fault/fault.ts";
import { isObject, type JsonObject, memberAt, objectAt } from "../wire/json.ts";
import { LEGAL_CODES } from "../wire/revisions.ts";
import type { DecodeContext, Dialect, DialectCodes, EncodeContext, TableReason } from "./dialect.ts";

/** The codes that you add to a dialect. */
export interface OwnCodes {
  /** The reason of each number: your own, or one of the library. */
  readonly codes: Readonly<Record<string, TableReason>>;
}

/** A dialect of a system that leaves room for more codes. */
export interface ExtensibleDialect<
  Wire,
  Encode extends EncodeContext = EncodeContext,
  Decode extends DecodeContext = DecodeContext,
> extends Dialect<Wire, Encode, Decode> {
  /** The codes of the system, and yours. */
  readonly codes: DialectCodes<Encode>;
  /**
   * The same dialect with codes of your own. Faults of these reasons are written with your codes and are read back as your
   * reasons, with their values. A mistake throws a `TypeError` that says what was expected.
   *
   * @example
   * const acme = closient.with({ codes: { "-32250": shop.sold_out, "-32350": shop.closed } });
   */
  with(own: OwnCodes): ExtensibleDialect<Wire, Encode, Decode>;
}

export interface OwnCode {
  readonly code: number;
  readonly reason: TableReason;
}

/** The system that codes are added to. */
interface OpenSystem {
  readonly name: string;
  /** The lowest and the highest code of each range. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
  /** The reason of each code that is taken. */
  readonly published: Readonly<Record<string, string>>;
  readonly own: readonly OwnCode[];
}

/** All codes of your own: those that were added before, and the checked new ones. */
export function addOwnCodes(system: OpenSystem, added: OwnCodes): readonly OwnCode[] {
  const codes: unknown = memberAt(added, "codes");
  if (!isObject(codes))
    throw new TypeError(`${system.name}: \`codes\` has to be an object of codes with their reasons.`);
  const own = [...system.own];
  for (const [text, reason] of Object.entries(codes)) {
    const problem = isReason(reason)
      ? codeProblem(text, reason, { ...system, own })
      : "has no reason. Name one that `defineReasons` made, or one of the library.";
    if (problem !== undefined) throw new TypeError(`${system.name}: code ${text} ${problem}`);
    own.push({ code: Number(text), reason: reason as TableReason });
  }
  return own;
}

function isReason(value: unknown): value is TableReason {
  const { id, slots, fault } = (value ?? {}) as Partial<TableReason>;
  return typeof id === "string" && isObject(slots) && typeof fault === "function";
}

function codeProblem(
  text: string,
  { id }: TableReason,
  { name, ranges, published, own }: OpenSystem,
): string | undefined {
  const code = Number(text);
  const isInside = ranges.some(([from, to]) => code >= from && code <= to);
  if (!isInside || !Number.isInteger(code) || String(code) !== text) {
    const open = ranges.map(([from, to]) => `${from} to ${to}`).join(", ");
    return `is outside of ${name}, whose codes are whole numbers from ${open}.`;
  }
  const meaning = memberAt(published, text);
  if (meaning !== undefined) return `means ${meaning} already. Choose a free one.`;
  // What a dialect cannot write is sent in MCP's own form, with MCP's codes.
  if (Object.values(LEGAL_CODES).flat().includes(code))
    return `belongs to MCP, which answers with it beside ${name}. Choose another.`;
  const first = own.find(({ reason }) => reason.id === id);
  return first && `is a second code of ${id}, which has ${first.code}. Give each reason one code.`;
}

export function ownCodeOf({ reason }: Fault, own: readonly OwnCode[]): OwnCode | undefined {
  return own.find((one) => one.reason.id === reason);
}

/** The values of a fault as the member `params`, for systems that have no members for them. */
export function ownParams({ params = {} }: Fault): { readonly params?: JsonObject } {
  const known = Object.entries(params).filter(([, value]) => value !== null);
  return known.length === 0 ? {} : { params: Object.fromEntries(known) };
}

/** The same values in a reply. The slots of the reason check them. */
export function readOwnParams(from: unknown): JsonObject {
  return objectAt(from, "params") ?? {};
}

/** A fault of your reason without a quotation that says no more than its own message. */
export function withoutRepetition(fault: Fault): Fault {
  return fault.quote?.text === fault.message ? amendFault(fault, { quote: undefined }) : fault;
}
