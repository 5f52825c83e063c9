// The part of fast-check that the generators use, by shape: the library imports nothing, and its types need nothing.

/** An arbitrary of fast-check, as far as anybody here looks; it can be handed to `fc.property` as it is. */
export interface Arbitrary<T> {
  // biome-ignore lint/suspicious/noExplicitAny: the random source and what is drawn are classes of fast-check.
  generate(random: any, bias: number | undefined): any;
  canShrinkWithoutContext(value: unknown): value is T;
  // biome-ignore lint/suspicious/noExplicitAny: a stream of what is drawn, which is a class of fast-check as well.
  shrink(value: T, context: unknown): any;
  filter<U extends T>(refinement: (value: T) => value is U): Arbitrary<U>;
  filter(predicate: (value: T) => boolean): Arbitrary<T>;
  map<U>(mapper: (value: T) => U, unmapper?: (value: unknown) => T): Arbitrary<U>;
  chain<U>(chainer: (value: T) => Arbitrary<U>): Arbitrary<U>;
}

/** One of several arbitraries, chosen more often than the others. */
interface Weighted<T> {
  readonly weight: number;
  readonly arbitrary: Arbitrary<T>;
}

/** The combinators of fast-check that are used here. */
export interface Combinators {
  array<T>(item: Arbitrary<T>, options?: { minLength?: number; maxLength?: number; size?: "max" }): Arbitrary<T[]>;
  boolean(): Arbitrary<boolean>;
  constant<const T>(value: T): Arbitrary<T>;
  constantFrom<const T>(...values: readonly T[]): Arbitrary<T>;
  double(): Arbitrary<number>;
  integer(range: { min: number; max: number }): Arbitrary<number>;
  jsonValue(options: { maxDepth: number }): Arbitrary<unknown>;
  nat(): Arbitrary<number>;
  oneof<T>(...choices: readonly (Arbitrary<T> | Weighted<T>)[]): Arbitrary<T>;
  record<T>(
    members: { readonly [K in keyof T]-?: Arbitrary<Exclude<T[K], undefined>> },
    options: { requiredKeys: (keyof T)[]; noNullPrototype: true },
  ): Arbitrary<T>;
  string(options?: { unit?: "grapheme" | Arbitrary<string> }): Arbitrary<string>;
  tuple<Ts extends readonly unknown[]>(...items: { [K in keyof Ts]: Arbitrary<Ts[K]> }): Arbitrary<Ts>;
}

/** The fast-check module of the caller, version 4: `import fc from "fast-check"`. */
export type FastCheck = { readonly [K in keyof Combinators]: (...args: never[]) => unknown };

/** The caller's module with the types that are used here. */
export function combinatorsOf(fc: FastCheck): Combinators {
  return fc as unknown as Combinators;
}

/** An object with the members that are needed and any of the others, never with one that is undefined. */
export function objectWith<T extends object>(
  fc: Combinators,
  needed: readonly (keyof T)[],
  members: { readonly [K in keyof T]-?: Arbitrary<Exclude<T[K], undefined>> },
): Arbitrary<T> {
  return fc.record<T>(members, { requiredKeys: [...needed], noNullPrototype: true });
}

/** A list that is mostly short, and now and then longer than any limit. */
export function few<T>(fc: Combinators, item: Arbitrary<T>, most: number): Arbitrary<T[]> {
  return fc.oneof(
    { weight: 15, arbitrary: fc.array(item, { maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(item, { maxLength: most, size: "max" }) },
  );
}
