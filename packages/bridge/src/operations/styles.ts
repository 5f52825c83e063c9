import type { Location, Style } from "./operation.ts";

/** The styles of each place, the usual one first. */
export const STYLES = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
} as const satisfies Readonly<Record<Location, readonly [Style, ...Style[]]>>;

/** The style of that name, where it exists in that place. */
export function styleAt<L extends Location>(place: L, name: unknown): (typeof STYLES)[L][number] | undefined {
  const styles: readonly (typeof STYLES)[L][number][] = STYLES[place];
  return styles.find((style) => style === name);
}
