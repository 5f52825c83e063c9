import { defineFigure } from "./figure.ts";
import { drawStep } from "./steps.ts";
import type { LineLook, Sheet, TextStyle } from "./svg.ts";

/** The approval of one call, as the narrow layout and the list say it. */
const STEPS = [
  { who: "Caller", text: "makes a call: `shop__refund`, order 4711." },
  {
    who: "Gateway",
    text: "checks the arguments and sends nothing. The answer is `auth/approval_required`, with an id, a link and the time until which it counts.",
  },
  { who: "Person", text: "reads caller, tool and arguments, and approves exactly this call." },
  { who: "Caller", text: "makes the same call again." },
  { who: "Gateway", text: "uses the approval up and sends the call, once." },
  { who: "Upstream", text: "runs it. The caller gets the result." },
] as const;
const DENIED = "If the person denies it, the same call is refused until the denial expires.";

/** What a person decides about, and when the call runs. */
export const approval = defineFigure({
  name: "approval",
  title: "An approval, from call to call",
  description:
    "A sequence between the caller, the gateway, a person and the upstream. The first call is held back. A person approves it. The caller makes the same call again, and it runs once.",
  caption: "An approval counts for one caller, one tool and these arguments. It lets one call through.",
  items: [...STEPS.map(({ who, text }, at) => `${at + 1}. ${who}: ${text.replaceAll("`", "")}`), DENIED],
  layouts: { wide: drawWide, narrow: drawNarrow },
});

/** The middle of each column. The right one is the person first, then the upstream. */
const COLUMNS = { caller: 72, gateway: 360, right: 648 } as const;
type Column = keyof typeof COLUMNS;
const HEAD = { width: 144, height: 36 } as const;

/** An arrow between two columns, with a text above it and perhaps one below. */
interface Message {
  readonly from: Column;
  readonly to: Column;
  readonly y: number;
  readonly text: string;
  readonly style?: TextStyle;
  readonly below?: string;
  readonly look?: LineLook;
}

const ASKED = { color: "hold" } as const satisfies LineLook;
const PASSED = { color: "good" } as const satisfies LineLook;
const MESSAGES: readonly Message[] = [
  { from: "caller", to: "gateway", y: 76, text: "shop__refund { order: 4711 }", style: "code" },
  {
    from: "gateway",
    to: "caller",
    y: 176,
    text: "auth/approval_required",
    style: "code",
    below: "id, link, how long it counts",
    look: ASKED,
  },
  { from: "gateway", to: "right", y: 176, text: "caller, tool, arguments", look: ASKED },
  { from: "right", to: "gateway", y: 228, text: "approves exactly this call", look: ASKED },
  { from: "caller", to: "gateway", y: 280, text: "the same call again" },
  { from: "gateway", to: "right", y: 362, text: "the call, once", look: PASSED },
  { from: "right", to: "gateway", y: 404, text: "result", look: PASSED },
  { from: "gateway", to: "caller", y: 404, text: "result", look: PASSED },
];
const NOTES = [
  { y: 90, height: 48, text: "checks the arguments, sends nothing" },
  { y: 294, height: 32, text: "uses the approval up" },
] as const;
const NOTE_WIDTH = 152;
const END = 424;

function drawWide(sheet: Sheet): void {
  drawHead(sheet, "caller", 0, "Caller");
  drawHead(sheet, "gateway", 0, "Gateway");
  drawHead(sheet, "right", 90, "Person");
  drawHead(sheet, "right", 284, "Upstream");
  for (const note of NOTES) drawNote(sheet, note);
  drawLife(sheet, "caller", [[HEAD.height, END]]);
  const gaps = NOTES.flatMap(({ y, height }) => [y, y + height]);
  drawLife(sheet, "gateway", pairUp([HEAD.height, ...gaps, END]));
  drawLife(sheet, "right", [
    [90 + HEAD.height, 248],
    [284 + HEAD.height, END],
  ]);
  for (const message of MESSAGES) drawMessage(sheet, message);
  sheet.text(DENIED, { x: 360, y: END + 16, width: 720, style: "body", align: "middle" });
}

function drawHead(sheet: Sheet, column: Column, y: number, name: string): void {
  const middle = COLUMNS[column];
  sheet.box({ x: middle - HEAD.width / 2, y, ...HEAD }, name === "Person" ? { stroke: "hold", fill: "hold-bg" } : {});
  sheet.text(name, { x: middle, y: y + 8, width: HEAD.width, style: "title", align: "middle" });
}

/** What the gateway does itself, on its line. */
function drawNote(sheet: Sheet, { y, height, text }: (typeof NOTES)[number]): void {
  const middle = COLUMNS.gateway;
  sheet.box({ x: middle - NOTE_WIDTH / 2, y, width: NOTE_WIDTH, height }, { fill: "sunken", radius: 6 });
  sheet.text(text, { x: middle, y: y + 8, width: NOTE_WIDTH - 16, style: "label", color: "text2", align: "middle" });
}

/** The thin line below a head. */
function drawLife(sheet: Sheet, column: Column, spans: readonly (readonly [number, number])[]): void {
  for (const [from, to] of spans) {
    const x = COLUMNS[column];
    sheet.line(
      [
        [x, from],
        [x, to],
      ],
      { color: "line", heads: "none" },
    );
  }
}

function pairUp(values: readonly number[]): readonly (readonly [number, number])[] {
  return values.flatMap((value, at) => (at % 2 === 0 ? [[value, values[at + 1] ?? value] as const] : []));
}

function drawMessage(sheet: Sheet, { from, to, y, text, style = "body", below, look = {} }: Message): void {
  const [begin, end] = [COLUMNS[from], COLUMNS[to]];
  const side = Math.sign(end - begin) * 3;
  sheet.line(
    [
      [begin + side, y],
      [end - side, y],
    ],
    look,
  );
  // The notes stand on the line of the gateway, so texts keep to the middle of the free part.
  const middle = (begin + end) / 2;
  sheet.text(text, { x: middle, y: y - 22, width: 240, style, color: "text", align: "middle" });
  if (below !== undefined) sheet.text(below, { x: middle, y: y + 5, width: 240, style: "label", align: "middle" });
}

function drawNarrow(sheet: Sheet): void {
  let y = 0;
  for (const [at, { who, text }] of STEPS.entries()) {
    const tone = who === "Person" ? ({ tone: "hold" } as const) : {};
    const leadsOn = at < STEPS.length - 1;
    y = drawStep(sheet, { number: at + 1, title: who, titleStyle: "title", text, leadsOn, ...tone }, y);
  }
  sheet.text(DENIED, { x: 0, y: y + 4, width: 312, style: "body" });
}
