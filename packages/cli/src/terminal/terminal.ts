import type { Environment, Output } from "./output.ts";
import { COLOR_CHOICES, type ColorChoice, createStyles, type Styles, usesColor } from "./styles.ts";
import { type Symbols, symbolsFor } from "./symbols.ts";
import { widthOf } from "./width.ts";

/** How to write for an output: its width, its styles and its signs. */
export interface Terminal {
  readonly width: number;
  readonly styles: Styles;
  readonly symbols: Symbols;
}

/**
 * The terminal behind an output. `options` are those of the command.
 *
 * @example
 * const { width, styles, symbols } = terminalOf(io.stdout, io.env, given.options);
 */
export function terminalOf(output: Output, env: Environment, options: { readonly color?: unknown } = {}): Terminal {
  const color = isColorChoice(options.color) ? options.color : "auto";
  return {
    width: widthOf(output, env),
    styles: createStyles({ enabled: usesColor({ output, env, color }) }),
    symbols: symbolsFor(env),
  };
}

function isColorChoice(value: unknown): value is ColorChoice {
  return COLOR_CHOICES.some((one) => one === value);
}
