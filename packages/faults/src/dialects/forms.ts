// Sentences whose form a server's software fixes: each tells a reason, and may tell its params.
import type { Details } from "../fault/build.ts";
import type { Fault } from "../fault/fault.ts";
import type { DecodeContext, TableReason } from "./dialect.ts";
import { quoteOf } from "./prose.ts";
import type { Json } from "./wire.ts";

/** One fixed form of a sentence. */
export interface Form {
  /** Anchored at the start; its groups are what `params` and `details` read. */
  readonly says: RegExp;
  /** The JSON-RPC codes that it comes with; without them it is a form of a tool's text, too. */
  readonly codes?: readonly number[];
  readonly reason: TableReason;
  params?(groups: readonly string[]): Json;
  details?(text: string, groups: readonly string[]): Details;
}

/** Where a sentence stood: beside a code of JSON-RPC, in front of which the code was written, or neither. */
export interface Sentence {
  readonly text: string;
  readonly code: number | undefined;
}

/** The longest sentence that is looked at; the forms are shorter. */
const LONGEST = 16_384;

/** The fault that a sentence of a fixed form stands for; undefined when it has none of the forms. */
export function readForm(forms: readonly Form[], { text, code }: Sentence, context: DecodeContext): Fault | undefined {
  const head = text.slice(0, LONGEST);
  for (const form of forms) {
    if (form.codes !== undefined && (code === undefined || !form.codes.includes(code))) continue;
    const groups = form.says.exec(head)?.slice(1);
    if (groups === undefined) continue;
    const details = form.details?.(head, groups);
    return form.reason.fault(form.params?.(groups), { ...context, basis: "mapped", ...quoteOf(text), ...details });
  }
  return undefined;
}
