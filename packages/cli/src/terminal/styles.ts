import type { Environment, Output } from "./output.ts";

/** What `--color` may say. */
export const COLOR_CHOICES = ["auto", "always", "never"] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];

/** The sequence that begins and the one that ends each style. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const satisfies Record<string, readonly [begin: number, end: number]>;

/** One function for each style. Without colour they return the text unchanged. */
export type Styles = Readonly<Record<keyof typeof STYLES, (text: string) => string>>;

export function createStyles({ enabled }: { readonly enabled: boolean }): Styles {
  return Object.fromEntries(
    Object.entries(STYLES).map(([name, [begin, end]]) => [
      name,
      (text: string) => (enabled && text !== "" ? `\u001b[${begin}m${text}\u001b[${end}m` : text),
    ]),
  ) as Styles;
}

/** Whether to use colour: what was typed decides, then `NO_COLOR`, then `FORCE_COLOR`, then whether it is a terminal. */
export function usesColor({
  output,
  env,
  color = "auto",
}: {
  readonly output: Pick<Output, "isTTY">;
  readonly env: Environment;
  readonly color?: ColorChoice | undefined;
}): boolean {
  if (color !== "auto") return color === "always";
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return output.isTTY === true && env["TERM"] !== "dumb";
}
