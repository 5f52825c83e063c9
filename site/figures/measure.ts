// Estimates how wide a text is. There is no browser when figures are drawn, so widths come from a table.

/** What decides the width of a text. */
export interface Font {
  readonly family: "sans" | "mono";
  readonly size: number;
  readonly weight: 400 | 500 | 600;
}

/** Widths in hundredths of the font size, for weight 400. They are those of Inter, rounded up. */
const CHARACTERS_BY_WIDTH: Readonly<Record<number, string>> = {
  20: "’",
  24: "'ijl",
  28: " \u00a0!,.:;I·",
  36: "()/[\\]ft{|}",
  40: '"r“”',
  48: "1-^_",
  52: "*?`s–",
  56: "JLackvxyz",
  60: "7EFehnou",
  64: "02345689#$&PRSTXZbdgpq",
  68: "+<=>ABKVY~×",
  72: "D",
  76: "CGHNOQU",
  84: "%w…",
  88: "m",
  92: "M",
};
const WIDEST = 96;
const MONO_WIDTH = 60;
/** Heavier letters are wider. */
const WEIGHT_FACTORS = { 400: 1, 500: 1.02, 600: 1.04 } as const satisfies Record<Font["weight"], number>;

const WIDTHS: ReadonlyMap<string, number> = new Map(
  Object.entries(CHARACTERS_BY_WIDTH).flatMap(([width, characters]) =>
    [...characters].map((character) => [character, Number(width)] as const),
  ),
);

/** Estimates the width of a text in the units of the font size. */
export function measureText(text: string, { family, size, weight }: Font): number {
  const characters = [...text];
  if (family === "mono") return (characters.length * MONO_WIDTH * size) / 100;
  const hundredths = characters.reduce((sum, character) => sum + (WIDTHS.get(character) ?? WIDEST), 0);
  return (hundredths * WEIGHT_FACTORS[weight] * size) / 100;
}
