import type { FaultDetails } from "../fault/build.ts";
import type { FaultError } from "../fault/error.ts";
import type { Fault, Param } from "../fault/fault.ts";
import type { Kind } from "../fault/kinds.ts";
import type { FilterOptions } from "../safety/show-line.ts";
import type { ReasonOptions } from "./build-safely.ts";

/** The definition of one reason: one way in which your server can fail. */
export interface ReasonSpec {
  /** The kind of failure. It decides the next move, the default effect and whether a retry makes sense. */
  readonly kind: Kind;
  /**
   * The message: one sentence of at most 240 characters. `{name}` stands for the value of a slot, and `[…]` for a part
   * that is left out if its value is missing.
   */
  readonly text: string;
  /** The types of the values. A slot that the text does not use is only data. @default no values */
  readonly slots?: Readonly<Record<string, AnySlot>>;
  /** What every fault of this reason carries. A call can override it. @default nothing */
  readonly details?: FaultDetails;
}

type SlotsOf<S extends ReasonSpec> =
  S["slots"] extends Readonly<Record<string, AnySlot>> ? S["slots"] : Readonly<Record<never, AnySlot>>;
type NamesWhere<S, Optional extends boolean> = {
  [K in keyof S]: S[K] extends Slot<infer _T, infer O> ? (O extends Optional ? K : never) : never;
}[keyof S];

/** The values that a reason takes, from its slots. */
export type ParamsOf<S extends ReasonSpec> = {
  readonly [K in NamesWhere<SlotsOf<S>, false>]: SlotValue<SlotsOf<S>[K]>;
} & { readonly [K in NamesWhere<SlotsOf<S>, true>]?: SlotValue<SlotsOf<S>[K]> };

type ReasonArguments<P> = keyof P extends never
  ? [params?: Record<string, never> | undefined, options?: ReasonOptions]
  : Partial<P> extends P
    ? [params?: P, options?: ReasonOptions]
    : [params: P, options?: ReasonOptions];

/** One way in which your server can fail. Call it to get a `FaultError` that you can throw. */
export interface Reason<Id extends string = string, S extends ReasonSpec = ReasonSpec> {
  /** Creates an error with the fault of this failure. */
  (...args: ReasonArguments<ParamsOf<S>>): FaultError;
  /** The name of the reason, `domain/name`. */
  readonly id: Id;
  /** The kind of failure. */
  readonly kind: S["kind"];
  /** The message with its `{names}` and `[…]`. */
  readonly text: S["text"];
  /** The types of the values. */
  readonly slots: Readonly<Record<string, AnySlot>>;
  /** Creates the fault without an error around it. */
  fault(...args: ReasonArguments<ParamsOf<S>>): Fault;
}

/** Any reason, no matter which values it takes. */
export interface AnyReason {
  /** The name of the reason, `domain/name`. */
  readonly id: string;
  /** The kind of failure. */
  readonly kind: Kind;
  /** The message with its `{names}` and `[…]`. */
  readonly text: string;
  /** The types of the values. */
  readonly slots: Readonly<Record<string, AnySlot>>;
}

// The checks of a definition. A mistake replaces the type of the wrong part by a text that says what to do, so that the
// compiler reports one error of one line there. `check-definition.ts` checks the same at run time.

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type OutsideBrackets<Text extends string> = Text extends `${infer Before}[${string}]${infer After}`
  ? `${Before}${OutsideBrackets<After>}`
  : Text;
type InsideBrackets<Text extends string> = Text extends `${string}[${infer Group}]${infer After}`
  ? Group | InsideBrackets<After>
  : never;

/** The names in braces that are not in brackets. Their values are required. */
export type NeededNames<Text extends string> = NamesIn<OutsideBrackets<Text>>;
/** The names in braces that are in brackets. The part in brackets is left out if the value is missing. */
export type DroppableNames<Text extends string> = NamesIn<InsideBrackets<Text>>;

type LowerCase = SplitWords<"a b c d e f g h i j k l m n o p q r s t u v w x y z">;
type Digit = SplitWords<"0 1 2 3 4 5 6 7 8 9">;
type SplitWords<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | SplitWords<Rest> : Text;

type ConsistsOf<Text extends string, Character extends string> = Text extends `${infer First}${infer Rest}`
  ? First extends Character
    ? ConsistsOf<Rest, Character>
    : false
  : true;
/** Whether a name starts with a letter and has only letters, digits and `_`. A name of type `string` may. */
type IsName<Name, Letter extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Letter
    ? ConsistsOf<Rest, Letter | Digit | "_">
    : false
  : string extends Name
    ? true
    : false;

type NameRule = "Use a lower-case letter, then lower-case letters, digits or _.";
export type CheckedDomain<Domain extends string> =
  IsName<Domain, LowerCase> extends true ? Domain : `The domain ${Domain} is not valid. ${NameRule}`;
type CheckedName<Name, Definition> =
  IsName<Name, LowerCase> extends true ? Definition : `The name ${Name & string} is not valid. ${NameRule}`;
export type CheckedId<Id extends string> = Id extends `${infer Domain}/${infer Name}`
  ? CheckedDomain<Domain> extends Domain
    ? CheckedName<Name, Id>
    : CheckedDomain<Domain>
  : "The id of a reason is domain/name.";

type MissingSlots<S extends ReasonSpec> = Exclude<NeededNames<S["text"]> | DroppableNames<S["text"]>, keyof SlotsOf<S>>;
type OutsideOfBrackets<S extends ReasonSpec> = NeededNames<S["text"]> & NamesWhere<SlotsOf<S>, true>;
type CheckedText<S extends ReasonSpec> = [MissingSlots<S>] extends [never]
  ? [OutsideOfBrackets<S>] extends [never]
    ? S["text"]
    : `{${OutsideOfBrackets<S>}} may be missing: put the part of the text that needs it into [brackets].`
  : `No slot for {${MissingSlots<S>}}: add it to slots, or correct its name.`;

type CheckedSlots<Slots> = {
  readonly [K in keyof Slots]: IsName<K, LowerCase | Uppercase<LowerCase>> extends true
    ? Slots[K]
    : `The name ${K & string} is not valid: use a letter, then letters, digits or _.`;
};

/**
 * Details are refused beside `kind` instead of being accepted in two places: a reader finds what every fault carries in
 * one place, and no rule is needed for what happens if both places say something.
 */
type MisplacedDetails = { readonly [K in keyof FaultDetails]?: `Move ${K} into details: { ${K} }.` };

interface CheckedFields<S extends ReasonSpec> extends MisplacedDetails {
  readonly kind: S["kind"];
  readonly text: CheckedText<S>;
  readonly slots?: CheckedSlots<SlotsOf<S>>;
  readonly details?: FaultDetails;
}

/** The checked type of a definition. The first branch is never taken: the compiler needs it to infer `S`. */
export type CheckedSpec<S extends ReasonSpec> = [S] extends [never] ? S : CheckedFields<S>;
export type CheckedSpecs<M extends Readonly<Record<string, ReasonSpec>>> = {
  readonly [K in keyof M]: CheckedName<K, CheckedSpec<M[K]>>;
};

/** The type of a value in the text of a reason. It decides which values may be shown, and how. */
export interface Slot<T, Optional extends boolean = false> {
  /** The name of the type, for documentation. */
  readonly type: string;
  /** The values that it takes, for a slot of a few known ones. @default any value of the type */
  readonly choices?: readonly string[];
  /** Whether the value may be missing. */
  readonly optional: Optional;
  /** The value as it stands in the params of the fault, or `null` if it may not be shown. */
  read(value: T, filter: FilterOptions): Param;
  /** The value as it stands in the message. */
  show(param: Exclude<Param, null>): string;
}

/** A slot, whatever its values are. */
// biome-ignore lint/suspicious/noExplicitAny: the type of the value is inferred where the slot is used.
export type AnySlot = Slot<any, boolean>;

export type SlotValue<S> = S extends Slot<infer T, boolean> ? T : never;

/** A reason in a table, such as that of a dialect. Its slots check the params when the fault is built. */
export interface TableReason extends AnyReason {
  /** Builds a fault of this reason. */
  // biome-ignore lint/suspicious/noExplicitAny: each reason takes its own params; its slots refuse what does not fit.
  fault(params?: any, rest?: ReasonOptions): Fault;
}
