import type { Actor } from "../../packages/core/src/fault/kinds.ts";
import { CLASSES, type FaultClass, KINDS } from "../../packages/core/src/fault/kinds.ts";
import { defineFigure } from "./figure.ts";
import { measureStyled, type Sheet, type Tone } from "./svg.ts";

const ACTORS = {
  model: "the model",
  host: "the host software",
  person: "a person",
  time: "no one: wait",
  engine: "the retry engine",
  operator: "the operator",
  nobody: "no one",
} as const satisfies Record<Actor, string>;

const MEANINGS = {
  validation: "The request is wrong.",
  permission: "Access or an approval is missing.",
  retryable: "The same call may succeed later.",
  dependency: "Something behind the server failed.",
  terminal: "This call will not succeed.",
} as const satisfies Record<FaultClass, string>;

const TONES = {
  validation: "accent",
  permission: "hold",
  retryable: "good",
  dependency: "warn",
  terminal: "bad",
} as const satisfies Record<FaultClass, Tone>;

/** Who acts on the kinds of a class, each with the first moves of these kinds. */
interface ClassRow {
  readonly name: FaultClass;
  readonly acts: readonly (readonly [actor: string, moves: string])[];
}

const ROWS: readonly ClassRow[] = CLASSES.map((name) => {
  const moves = new Map<Actor, Set<string>>();
  for (const kind of Object.values(KINDS)) {
    if (kind.class !== name) continue;
    moves.set(kind.actor, (moves.get(kind.actor) ?? new Set()).add(kind.firstMove));
  }
  return { name, acts: [...moves].map(([actor, set]) => [ACTORS[actor], [...set].join(", ")] as const) };
});

const CAVEAT = "`retry` becomes `refresh` if the call may have taken effect: look first.";

/** Five classes, for programs that do not know a kind. */
export const whoActs = defineFigure({
  name: "who-acts",
  title: "Class, who acts, next move",
  description:
    "Each of the five classes of failure with those who have to act, and the first move of each. The table of kinds in the library is the source.",
  caption: "The class of a fault says who acts next, and the fault names the first move.",
  items: [
    ...ROWS.map(
      ({ name, acts }) =>
        `${name}: ${MEANINGS[name]} Who acts, and the first move: ${acts.map(([actor, moves]) => `${actor} (${moves})`).join("; ")}.`,
    ),
    "retry becomes refresh if the call may have taken effect: look first.",
  ],
  layouts: { wide: drawWide, narrow: drawNarrow },
});

const LINE = 24;
const WIDE = { actor: 280, moves: 464, head: 28, padding: 14, gap: 8 } as const;

function drawWide(sheet: Sheet): void {
  const { actor, moves, head, padding, gap } = WIDE;
  for (const [x, text] of [
    [16, "Class"],
    [actor, "Who acts"],
    [moves, "Next move"],
  ] as const)
    sheet.text(text, { x, y: 4, width: 160, style: "label" });
  let y = head;
  for (const { name, acts } of ROWS) {
    const height = 2 * padding + Math.max(2, acts.length) * LINE - 4;
    sheet.box({ x: 0, y, width: 720, height });
    drawClassName(sheet, name, { x: 16, y: y + padding - 2 });
    sheet.text(MEANINGS[name], { x: 16, y: y + padding + 24, width: actor - 40, style: "body" });
    const first = acts.length === 1 ? y + height / 2 - LINE / 2 : y + padding - 2;
    for (const [at, [who, then]] of acts.entries()) {
      const top = first + at * LINE;
      sheet.text(who, { x: actor, y: top + 2, width: 160, style: "body", color: "text" });
      const end = actor + measureStyled(who, "body");
      sheet.line([
        [Math.max(end + 10, actor + 136), top + 11],
        [moves - 12, top + 11],
      ]);
      sheet.text(then, { x: moves, y: top + 2, width: 244, style: "code" });
    }
    y += height + gap;
  }
  sheet.text(CAVEAT, { x: 0, y: y + 4, width: 720, style: "body" });
}

function drawNarrow(sheet: Sheet): void {
  let y = 0;
  for (const { name, acts } of ROWS) {
    const height = 28 + 24 + 18 + 6 + acts.length * 44 - 6;
    sheet.box({ x: 0, y, width: 328, height });
    drawClassName(sheet, name, { x: 14, y: y + 14 });
    sheet.text(MEANINGS[name], { x: 14, y: y + 40, width: 300, style: "body" });
    for (const [at, [who, then]] of acts.entries()) {
      const top = y + 66 + at * 44;
      sheet.text(who, { x: 14, y: top, width: 300, style: "body", color: "text" });
      sheet.line([
        [20, top + 18],
        [20, top + 29],
        [38, top + 29],
      ]);
      sheet.text(then, { x: 44, y: top + 20, width: 270, style: "code" });
    }
    y += height + 8;
  }
  sheet.text(CAVEAT, { x: 0, y: y + 4, width: 328, style: "body" });
}

/** The name of a class on a ground of its colour. */
function drawClassName(sheet: Sheet, name: FaultClass, { x, y }: { readonly x: number; readonly y: number }): void {
  const tone = TONES[name];
  const width = measureStyled(name, "name") + 16;
  sheet.box({ x, y, width, height: 24 }, { fill: `${tone}-bg`, stroke: `${tone}-bg`, radius: 6 });
  sheet.text(name, { x: x + 8, y: y + 2, width, style: "name", color: tone });
}
