// The part of fast-check that the generators use, as structural types, because the library imports nothing.

/** An arbitrary of fast-check, as a structural type. You can pass it to `fc.property`. */
export interface Arbitrary<T> {
  /** Draws a value; called by fast-check. */
  // biome-ignore lint/suspicious/noExplicitAny: the random source and the drawn value are classes of fast-check.
  generate(random: any, bias: number | undefined): any;
  /** Whether fast-check can shrink a value that it did not draw itself. */
  canShrinkWithoutContext(value: unknown): value is T;
  /** Gives smaller values; called by fast-check. */
  // biome-ignore lint/suspicious/noExplicitAny: the stream of values is a class of fast-check.
  shrink(value: T, context: unknown): any;
  /** Keeps the values that pass a type guard. */
  filter<U extends T>(refinement: (value: T) => value is U): Arbitrary<U>;
  /** Keeps the values that pass a predicate. */
  filter(predicate: (value: T) => boolean): Arbitrary<T>;
  /** Derives another value from each value. */
  map<U>(mapper: (value: T) => U, unmapper?: (value: unknown) => T): Arbitrary<U>;
  /** Derives another arbitrary from each value. */
  chain<U>(chainer: (value: T) => Arbitrary<U>): Arbitrary<U>;
}

/** One of several arbitraries, with its weight. */
interface WeightedArbitrary<T> {
  readonly weight: number;
  readonly arbitrary: Arbitrary<T>;
}

export interface Combinators {
  array<T>(item: Arbitrary<T>, options?: { minLength?: number; maxLength?: number; size?: "max" }): Arbitrary<T[]>;
  boolean(): Arbitrary<boolean>;
  constant<const T>(value: T): Arbitrary<T>;
  constantFrom<const T>(...values: readonly T[]): Arbitrary<T>;
  double(): Arbitrary<number>;
  integer(range: { min: number; max: number }): Arbitrary<number>;
  jsonValue(options: { maxDepth: number }): Arbitrary<unknown>;
  nat(): Arbitrary<number>;
  oneof<T>(...choices: readonly (Arbitrary<T> | WeightedArbitrary<T>)[]): Arbitrary<T>;
  record<T>(
    members: { readonly [K in keyof T]-?: Arbitrary<Exclude<T[K], undefined>> },
    options: { requiredKeys: (keyof T)[]; noNullPrototype: true },
  ): Arbitrary<T>;
  string(options?: {
    unit?: "grapheme" | Arbitrary<string>;
    minLength?: number;
    maxLength?: number;
  }): Arbitrary<string>;
  stringMatching(pattern: RegExp): Arbitrary<string>;
  tuple<Ts extends readonly unknown[]>(...items: { [K in keyof Ts]: Arbitrary<Ts[K]> }): Arbitrary<Ts>;
}

/** Your fast-check module, version 4: `import fc from "fast-check"`. */
export type FastCheck = { readonly [K in keyof Combinators]: (...args: never[]) => unknown };

/** The module of the caller with the types that the generators use. */
export function toCombinators(fc: FastCheck): Combinators {
  return fc as unknown as Combinators;
}

/** An object with the required members and any of the others. No member is undefined. */
export function objectWith<T extends object>(
  fc: Combinators,
  required: readonly (keyof T)[],
  members: { readonly [K in keyof T]-?: Arbitrary<Exclude<T[K], undefined>> },
): Arbitrary<T> {
  return fc.record<T>(members, { requiredKeys: [...required], noNullPrototype: true });
}

/** A list that is mostly short, and sometimes longer than the limit of a fault. */
export function shortList<T>(fc: Combinators, item: Arbitrary<T>, maxLength: number): Arbitrary<T[]> {
  return fc.oneof(
    { weight: 15, arbitrary: fc.array(item, { maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(item, { maxLength, size: "max" }) },
  );
}
