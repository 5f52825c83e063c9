// What an extension of a dialect looks like, and what is wrong with one. Programs without types make every mistake that is
// looked for here.

import { isObject, memberAt } from "@recourse/wire";
import { FAULT_LIMITS } from "../fault/fault.ts";
import { toLine } from "../safety/line.ts";
import { containsSecret } from "../safety/secrets.ts";
import { isDialectName } from "./define.ts";
import type { DecodeContext, EncodeContext, ExtensibleCodes, ExtensibleDialect, TableReason } from "./dialect.ts";
import { MCP_REASON_BY_CODE } from "./rpc.ts";

/** A value that a field always has. */
export type FixedValue = string | number | boolean;

/** The names of the values that a reason takes. */
type ParamNames<R extends TableReason> = NamesOf<NonNullable<Parameters<R["fault"]>[0]>>;

type NamesOf<P> = 0 extends 1 & P ? string : string extends keyof P ? never : keyof P & string;

/** A reason without values has no fields. */
type FieldsOf<Name extends string> = [Name] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [P in Name]?: string };

/** A code of your own: the reason that it stands for, and what it carries beside the members of the system. */
export interface CodeOfYours<R extends TableReason = TableReason> {
  /** The number on the wire, inside the ranges of the system. */
  readonly code: number;
  /** The reason that is written with this code, and that the code is read as. It may be one of the library. */
  readonly reason: R;
  /**
   * The member of the wire for each value of the reason, such as `{ left: "units_left" }`. The slots of the reason check
   * what is read.
   * @default none: no value is written
   */
  readonly fields?: FieldsOf<ParamNames<R>>;
  /**
   * Members that always have the same value, such as `{ originalError: "ORDER_NOT_FOUND" }`. They tell apart codes of yours
   * with the same number, and may tell one apart from a code of the system. A text is one line of at most 200 characters.
   * @default none
   */
  readonly fixed?: Readonly<Record<string, FixedValue>>;
  /** Name of the code, for wires that write names too. @default the name of the reason, without its domain */
  readonly name?: string;
  /** Title of the code, for wires that write titles too: one line of at most 200 characters. @default made from the name */
  readonly title?: string;
  /** HTTP status from 400 to 599, for wires that write one too. @default that of the kind of the reason */
  readonly status?: number;
}

/** The codes that you add to a dialect. */
export interface DialectExtension<Reasons extends readonly TableReason[] = readonly TableReason[]> {
  /** Name of the new dialect. */
  readonly name: string;
  /** Your codes. */
  readonly codes: { readonly [I in keyof Reasons]: CodeOfYours<Reasons[I]> };
  /** Numbers that you published once and use no more. They are never given to another reason. @default none */
  readonly retired?: readonly number[];
}

/** A checked code of yours. */
export interface ExtensionRow {
  readonly code: number;
  readonly reason: TableReason;
  readonly name: string;
  readonly title: string | undefined;
  readonly status: number | undefined;
  /** Pairs of a param and its member. */
  readonly fields: readonly (readonly [param: string, member: string])[];
  readonly fixed: Readonly<Record<string, FixedValue>>;
  /** The code that the system itself writes for this reason. */
  readonly baseCode: number;
  /** Every member of your own. */
  readonly members: readonly string[];
}

const MEMBER = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** Throws a `TypeError` for a dialect that has no place for more codes. */
export function checkExtensible(dialect: unknown): void {
  if (!isObject(dialect)) throw new TypeError(`${dialect} cannot be extended: it is not a dialect.`);
  if (Array.isArray(memberAt(dialect["codes"], "ranges"))) return;
  throw new TypeError(`${dialect["name"]} cannot be extended: it has no codes with room for more.`);
}

/** Checks the definition of an extension. A mistake throws a `TypeError` that names it. */
export function readExtension<Wire, Encode extends EncodeContext, Decode extends DecodeContext>(
  base: ExtensibleDialect<Wire, Encode, Decode>,
  extension: DialectExtension,
  earlier: { readonly rows: readonly ExtensionRow[]; readonly retired: readonly number[] },
): readonly ExtensionRow[] {
  const { name, codes, retired = [] }: Partial<DialectExtension> = extension ?? {};
  if (!isDialectName(name) || name === base.name) {
    throw new TypeError(`Give the extension of ${base.name} a name of its own, in lower case: "${name}" is not one.`);
  }
  if (!Array.isArray(codes)) throw new TypeError(`${name}: \`codes\` is not a list of codes.`);
  if (!Array.isArray(retired)) throw new TypeError(`${name}: \`retired\` is not a list of codes.`);
  for (const code of retired) {
    const problem = retiringProblem(code, base, earlier.rows);
    if (problem !== undefined) throw new TypeError(`${name}: ${problem}`);
  }
  const rows = [...earlier.rows];
  for (const own of codes as readonly CodeOfYours[]) {
    if (!isObject(own)) throw new TypeError(`${name}: \`codes\` has an entry that is not a code.`);
    const about = `${name}: code ${own.code}`;
    if (!isReason(own.reason)) {
      throw new TypeError(`${about} has no reason. Name one that \`defineReasons\` made, or one of the library.`);
    }
    if (!isObject(own.fixed ?? {})) throw new TypeError(`${about} has \`fixed\`, which is not an object of members.`);
    const row = readRow(base, own);
    const problem = rowProblem(row, base, rows) ?? retiredProblem(row, [...earlier.retired, ...retired]);
    if (problem !== undefined) throw new TypeError(`${about} of ${row.reason.id} ${problem}`);
    rows.push(row);
  }
  return rows;
}

function isReason(value: unknown): boolean {
  const { id, slots, fault } = (value ?? {}) as Partial<TableReason>;
  return typeof id === "string" && isObject(slots) && typeof fault === "function";
}

function readRow<Wire, Encode extends EncodeContext, Decode extends DecodeContext>(
  { codes }: ExtensibleDialect<Wire, Encode, Decode>,
  own: CodeOfYours,
): ExtensionRow {
  const { code, reason, title, status } = own;
  const fixed = Object.freeze({ ...own.fixed });
  const fields = Object.entries<string | undefined>(own.fields ?? {}).flatMap(([param, member]) =>
    member === undefined ? [] : [[param, member] as const],
  );
  return {
    code,
    reason,
    name: own.name ?? codes.names?.[code] ?? (reason.id.split("/")[1] as string),
    title,
    status,
    fields,
    fixed,
    baseCode: codes.codeOf(reason.fault()) ?? Number.NaN,
    members: [...fields.map(([, member]) => member), ...Object.keys(fixed)],
  };
}

function rowProblem<Wire, Encode extends EncodeContext, Decode extends DecodeContext>(
  row: ExtensionRow,
  base: ExtensibleDialect<Wire, Encode, Decode>,
  others: readonly ExtensionRow[],
): string | undefined {
  return (
    codeProblem(row, base, others) ??
    nameProblem(row, base.codes.names, others) ??
    memberProblem(row, base) ??
    valueProblem(row)
  );
}

function codeProblem<Wire, Encode extends EncodeContext, Decode extends DecodeContext>(
  { code, reason, fixed, baseCode }: ExtensionRow,
  { name, codes }: ExtensibleDialect<Wire, Encode, Decode>,
  others: readonly ExtensionRow[],
): string | undefined {
  if (!isInRanges(code, codes)) {
    return `is outside of ${name}, whose codes are ${codes.ranges.map(([from, to]) => `${from} to ${to}`).join(", ")}.`;
  }
  if (!isInRanges(baseCode, codes)) {
    return `cannot be written: ${name} writes failures of the kind ${reason.kind} in a form that has only its own codes.`;
  }
  const meaning = codes.published()[code];
  const isTold = Object.keys(fixed).length > 0;
  if (meaning !== undefined && meaning !== reason.id && !isTold) {
    return `means ${meaning} in ${name}. Choose another, or tell it apart by a member in \`fixed\`.`;
  }
  // What a dialect cannot write is sent in MCP's own form, with MCP's codes.
  if (meaning === undefined && code in MCP_REASON_BY_CODE)
    return `belongs to MCP, which answers with it beside ${name}.`;
  const same = others.find(
    (other) => other.code === code && hasFixed(fixed, other.fixed) && hasFixed(other.fixed, fixed),
  );
  if (same !== undefined) return `is given to ${same.reason.id} already.`;
  return others.some((other) => other.reason.id === reason.id) ? "is a second code of this reason." : undefined;
}

function nameProblem(
  { code, name }: ExtensionRow,
  names: ExtensibleCodes<never>["names"],
  others: readonly ExtensionRow[],
): string | undefined {
  if (!isMember(name)) return `has the name "${name}", which is not a name.`;
  if (names === undefined) return undefined;
  const isTaken = Object.values(names).includes(name) && names[code] !== name;
  if (!isTaken && !others.some((other) => other.name === name)) return undefined;
  return `has the name "${name}", which is taken. Give it a \`name\` of its own.`;
}

function memberProblem<Wire, Encode extends EncodeContext, Decode extends DecodeContext>(
  { members, fields, fixed, reason }: ExtensionRow,
  { name, codes }: ExtensibleDialect<Wire, Encode, Decode>,
): string | undefined {
  const unknown = fields.find(([param]) => !Object.hasOwn(reason.slots, param));
  if (unknown !== undefined) return `has a field for "${unknown[0]}", for which the reason has no slot.`;
  const wrong = members.find((member) => !isMember(member));
  if (wrong !== undefined) return `has a field "${wrong}", which is not a name.`;
  const taken = members.find((member) => codes.reserved.includes(member));
  if (taken !== undefined) return `has a field "${taken}", which is a member of the system. Give it another name.`;
  const twice = members.find((member, at) => members.indexOf(member) !== at);
  if (twice !== undefined) return `has two fields "${twice}".`;
  const others = [
    ...fields.flatMap(([param, member]) => (takesOnlyTexts(reason.slots[param]) ? [] : [member])),
    ...Object.keys(fixed).filter((member) => typeof fixed[member] !== "string"),
  ];
  const noText = codes.texts?.find((member) => others.includes(member));
  if (noText === undefined) return undefined;
  return `has a field "${noText}", which is a text in ${name}. Choose a slot for texts, or another field.`;
}

function isMember(name: unknown): name is string {
  return typeof name === "string" && MEMBER.test(name);
}

/** Slots read what fits them and give null for anything else. */
function takesOnlyTexts(slot: TableReason["slots"][string] | undefined): boolean {
  return [1, true, []].every((value) => slot?.read(value, {}) === null);
}

function valueProblem({ fixed, title, status }: ExtensionRow): string | undefined {
  for (const [member, value] of Object.entries<unknown>(fixed)) {
    const isScalar = typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
    const problem = isScalar ? fixedTextProblem(value) : "is not a text, a finite number or a boolean.";
    if (problem !== undefined) return `has the fixed member "${member}", which ${problem}`;
  }
  const problem = title === "" || typeof title !== "string" ? NO_LINE : fixedTextProblem(title);
  if (title !== undefined && problem !== undefined) return `has a title, which ${problem}`;
  if (status === undefined || (Number.isInteger(status) && status >= 400 && status <= 599)) return undefined;
  return `has the status ${status}, which is not one of a failure: 400 to 599.`;
}

const NO_LINE = `is not one printable line of at most ${FAULT_LIMITS.paramText} characters.`;

function fixedTextProblem(value: unknown): string | undefined {
  const text = String(value);
  if (toLine(text, FAULT_LIMITS.paramText) !== text) return NO_LINE;
  return containsSecret(text) ? "contains a registered secret." : undefined;
}

function retiringProblem<Wire, Encode extends EncodeContext, Decode extends DecodeContext>(
  code: number,
  { name, codes }: ExtensibleDialect<Wire, Encode, Decode>,
  rows: readonly ExtensionRow[],
): string | undefined {
  if (!isInRanges(code, codes)) return `${code} cannot be retired: it is not a code of ${name}.`;
  const user = codes.published()[code] ?? rows.find((row) => row.code === code)?.reason.id;
  return user === undefined ? undefined : `code ${code} cannot be retired: ${user} has it.`;
}

function retiredProblem({ code }: ExtensionRow, retired: readonly number[]): string | undefined {
  return retired.includes(code) ? "was retired, and a published code is never used again." : undefined;
}

/** Whether a code is in one of the ranges of a system. */
export function isInRanges(code: number | undefined, { ranges }: Pick<ExtensibleCodes<never>, "ranges">): boolean {
  return code !== undefined && Number.isInteger(code) && ranges.some(([from, to]) => code >= from && code <= to);
}

/** Whether an object has the fixed members of a row with their values. */
export function hasFixed(fields: unknown, fixed: ExtensionRow["fixed"]): boolean {
  return Object.entries(fixed).every(([member, value]) => memberAt(fields, member) === value);
}
