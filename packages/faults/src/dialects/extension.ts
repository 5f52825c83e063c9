// What an extension of a dialect looks like.
import { memberAt } from "../json/read.ts";
import type { ExtensibleCodes } from "./codes.ts";
import type { TableReason } from "./dialect.ts";

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

/** Whether a code is in one of the ranges of a system. */
export function isInRanges(code: number | undefined, { ranges }: Pick<ExtensibleCodes<never>, "ranges">): boolean {
  return code !== undefined && Number.isInteger(code) && ranges.some(([from, to]) => code >= from && code <= to);
}

/** Whether an object has the fixed members of a row with their values. */
export function hasFixed(fields: unknown, fixed: ExtensionRow["fixed"]): boolean {
  return Object.entries(fixed).every(([member, value]) => memberAt(fields, member) === value);
}
