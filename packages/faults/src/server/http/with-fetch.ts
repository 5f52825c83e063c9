/**
 * The same object with another `fetch`. Everything else is read from the object itself and runs on it, so that classes with
 * private members and frozen objects work too.
 */
export function withFetch<H extends object>(handler: H, fetch: unknown): H {
  const read = (key: PropertyKey): unknown => {
    if (key === "fetch") return fetch;
    const value: unknown = Reflect.get(handler, key, handler);
    return typeof value === "function" && key !== "constructor" ? (value.bind(handler) as unknown) : value;
  };
  return new Proxy({} as H, {
    get: (_, key) => read(key),
    set: (_, key, value) => Reflect.set(handler, key, value, handler),
    has: (_, key) => Reflect.has(handler, key),
    getPrototypeOf: () => Reflect.getPrototypeOf(handler),
    ownKeys: () => Reflect.ownKeys(handler),
    getOwnPropertyDescriptor: (_, key) => {
      const own = Reflect.getOwnPropertyDescriptor(handler, key);
      return own && { configurable: true, enumerable: own.enumerable === true, writable: true, value: read(key) };
    },
  });
}
