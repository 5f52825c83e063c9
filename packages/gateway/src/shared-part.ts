import { isDeepStrictEqual } from "node:util";

/** What ends when it is closed. */
interface Closable {
  close(): void | Promise<void>;
}

/** A part that configurations share as long as what it was made of stays the same. It is closed by its last user. */
export class SharedPart<T extends Closable> {
  readonly part: T;
  readonly #madeOf: unknown;
  #users = 0;

  private constructor(part: T, madeOf: unknown) {
    this.part = part;
    this.#madeOf = madeOf;
  }

  /** The part of before that was made of the same, or a new one. */
  static take<T extends Closable>(before: readonly SharedPart<T>[], madeOf: unknown, make: () => T): SharedPart<T> {
    const same = before.find((shared) => shared.#users > 0 && isDeepStrictEqual(shared.#madeOf, madeOf));
    const shared = same ?? new SharedPart(make(), madeOf);
    shared.#users += 1;
    return shared;
  }

  /** One user less. */
  async leave(): Promise<void> {
    this.#users -= 1;
    if (this.#users === 0) await this.part.close();
  }
}
