// Numbered steps below each other: how narrow pages show an order of events.
import type { Sheet, TextStyle, Tone } from "./svg.ts";

/** One step: its number is in a circle at the left, its texts are beside it. */
interface NumberedStep {
  readonly number: number;
  readonly title: string;
  readonly titleStyle: TextStyle;
  readonly text: string;
  /** Sets the step off from its neighbours. @default none */
  readonly tone?: Tone;
  /** Whether an arrow leads to what comes below. */
  readonly leadsOn: boolean;
}

/** The middle of the circles. */
export const STEP_RAIL = 13;
const CIRCLE = 2 * STEP_RAIL;
const INDENT = 40;
const GAP = 16;
/** Texts have no box here, and a wide font must not leave the sheet. */
const SLACK = 12;

/** Draws a step from its top. Gives the top of the next one. */
export function drawStep(sheet: Sheet, step: NumberedStep, y: number): number {
  const { number, title, titleStyle, text, tone, leadsOn } = step;
  sheet.box(
    { x: 0, y, width: CIRCLE, height: CIRCLE },
    { radius: STEP_RAIL, ...(tone && { stroke: tone, fill: `${tone}-bg` as const }) },
  );
  sheet.text(String(number), {
    x: STEP_RAIL,
    y: y + 5,
    width: CIRCLE,
    style: "label",
    color: tone ?? "text2",
    align: "middle",
  });
  const place = { x: INDENT, width: sheet.width - INDENT - SLACK } as const;
  const below = sheet.text(title, { ...place, y: y + 3, style: titleStyle });
  const next = sheet.text(text, { ...place, y: below, style: "body" }) + GAP;
  if (leadsOn)
    sheet.line([
      [STEP_RAIL, y + CIRCLE + 2],
      [STEP_RAIL, next - 2],
    ]);
  return next;
}
