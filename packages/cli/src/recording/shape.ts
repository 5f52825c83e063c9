import { isObject } from "@recourse/faults/internal-do-not-use";

/** Where a value is not as it should be, such as `eras.0.tools`. Undefined if all is well. */
export type Shape = (value: unknown, at: string) => string | undefined;

const only =
  (isFine: (value: unknown) => boolean): Shape =>
  (value, at) =>
    isFine(value) ? undefined : at;

export const text: Shape = only((value) => typeof value === "string");
export const number: Shape = only((value) => typeof value === "number" && Number.isFinite(value));
export const yesOrNo: Shape = only((value) => typeof value === "boolean");
export const jsonObject: Shape = only(isObject);

/** One of some values. */
export function oneOf(...values: readonly unknown[]): Shape {
  return only((value) => values.includes(value));
}

/** May be absent. */
export function optional(shape: Shape): Shape {
  return (value, at) => (value === undefined ? undefined : shape(value, at));
}

/** A list of such values. */
export function listOf(shape: Shape): Shape {
  return (value, at) => {
    if (!Array.isArray(value)) return at;
    for (const [index, item] of value.entries()) {
      const wrong = shape(item, `${at}.${index}`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
}

/** An object whose members all have this shape. */
export function mapOf(shape: Shape): Shape {
  return (value, at) => (isObject(value) ? firstWrong(Object.entries(value), () => shape, at) : at);
}

/** An object with these members, and perhaps others. */
export function objectOf(shapes: Readonly<Record<string, Shape>>): Shape {
  return (value, at) => {
    if (!isObject(value)) return at;
    const members = Object.keys(shapes).map(
      (key) => [key, Object.hasOwn(value, key) ? value[key] : undefined] as const,
    );
    return firstWrong(members, (key) => shapes[key] as Shape, at);
  };
}

/** An object whose member names which shape it has. */
export function byKind(key: string, shapes: Readonly<Record<string, Shape>>): Shape {
  return (value, at) => {
    const kind = isObject(value) ? value[key] : undefined;
    const shape = typeof kind === "string" && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined;
    return shape === undefined ? `${at}.${key}` : shape(value, at);
  };
}

function firstWrong(
  members: readonly (readonly [key: string, value: unknown])[],
  shapeOf: (key: string) => Shape,
  at: string,
): string | undefined {
  for (const [key, value] of members) {
    const wrong = shapeOf(key)(value, at === "" ? key : `${at}.${key}`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
