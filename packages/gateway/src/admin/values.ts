/** Values that were checked against the schemas of a route. */
export class Values {
  readonly #members: Readonly<Record<string, unknown>>;

  constructor(members: Readonly<Record<string, unknown>>) {
    this.#members = members;
  }

  /** A text; undefined where it was not sent. */
  text(name: string): string | undefined {
    const value = this.#own(name);
    return typeof value === "string" ? value : undefined;
  }

  /** A text that the route requires. */
  id(name: string): string {
    return this.text(name) ?? "";
  }

  /** A number that has a default. */
  count(name: string): number {
    const value = this.#own(name);
    return typeof value === "number" ? value : 0;
  }

  /** A switch that the route requires. */
  flag(name: string): boolean {
    return this.#own(name) === true;
  }

  /** A list of texts; undefined where it was not sent. */
  texts(name: string): readonly string[] | undefined {
    const value = this.#own(name);
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
  }

  /** A time, as ISO 8601 in UTC; undefined where it was not sent. */
  time(name: string): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : new Date(text).toISOString();
  }

  #own(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
  }
}
