// Thrown errors as the study of libraries records them: classes, members and getters, as JSON.

/** The value of a shape: objects with the classes, members and getters that were recorded. */
export function rebuild(shape: unknown): unknown {
  if (Array.isArray(shape)) return shape.map(rebuild);
  if (typeof shape !== "object" || shape === null) return shape;
  const {
    class: classes,
    members,
    entries,
    status,
    headers,
    name,
  } = shape as {
    readonly class: string;
    readonly members?: Readonly<Record<string, unknown>>;
    readonly entries?: readonly [string, unknown][];
    readonly status?: number;
    readonly headers?: unknown;
    readonly name?: string;
  };
  switch (classes) {
    case "Headers":
      return new Headers(entries as [string, string][]);
    case "Response":
      if (members === undefined)
        return new Response(null, { status: status ?? 500, headers: rebuild(headers) as Headers });
      break;
    case "Map":
      return new Map(entries?.map(([key, value]) => [key, rebuild(value)]));
    case "DOMException":
      return new DOMException("", name);
  }
  const built: object = Object.create(prototypeOf(classes.split(" ").filter((one) => one !== "")));
  for (const [key, member] of Object.entries(members ?? {})) {
    const value = rebuild(member);
    if (key.startsWith("get ")) Object.defineProperty(built, key.slice("get ".length), { get: () => value });
    else Object.defineProperty(built, key, { value, enumerable: true });
  }
  return built;
}

/** A chain of prototypes with these class names. What extends Error ends in the real one. */
function prototypeOf(names: readonly string[]): object {
  const [first, ...rest] = names;
  if (first === undefined) return Object.prototype;
  if (first === "Error") return Error.prototype;
  const made = { [first]: class {} }[first];
  return Object.create(prototypeOf(rest), { constructor: { value: made } }) as object;
}
