import { type Block, drawCard, measureCard } from "./cards.ts";
import { defineFigure } from "./figure.ts";
import { drawStep, STEP_RAIL } from "./steps.ts";
import type { Sheet } from "./svg.ts";

/** The steps in their order, by the names that incidents use. */
const STEPS = [
  { name: "head", does: "method, host, origin, limit of the address" },
  { name: "authenticate", does: "API key or token, then the session" },
  { name: "message", does: "reads the body: size and JSON-RPC" },
  { name: "resolve", does: "finds the tool and its upstream" },
  { name: "limits", does: "of key, tenant, cost and tool" },
  { name: "check", does: "arguments of calls with a key or approval" },
  { name: "breaker", does: "refuses while the tool or upstream fails" },
  { name: "begin", does: "claims the key, uses the approval up" },
  { name: "attempt", does: "sends the call, within its deadline" },
  { name: "judge", does: "a success passes, all else is a fault" },
] as const;
/** The step that leaves the gateway. */
const SENDS = "attempt";
const REFUSAL =
  "**Steps 1 to 8:** the first step that refuses ends the call with a fault. The call was not sent to the upstream.";
const UPSTREAM = "upstream";
const CALLER = "caller";

/** The steps of the pipeline, as operators see them in incidents. */
export const callPath = defineFigure({
  name: "call-path",
  title: "The way of a call through the gateway",
  description:
    "Ten steps in order: head, authenticate, message, resolve, limits, check, breaker, begin, attempt, judge. Only attempt sends the call to the upstream; judge turns what came back into a result or a fault.",
  caption: "Each call passes ten steps in this order. An incident names the step in which its call ended.",
  items: [
    ...STEPS.map(({ name, does }, at) => `${at + 1}. ${name}: ${does}.`),
    "Steps 1 to 8: the first step that refuses ends the call with a fault. The call was not sent to the upstream.",
  ],
  layouts: { wide: drawWide, narrow: drawNarrow },
});

const WIDE = { width: 128, gap: 20, rows: 2, between: 40, perRow: 5, padding: 12 } as const;

function drawWide(sheet: Sheet): void {
  const { width, gap, between, perRow, padding } = WIDE;
  const cards = STEPS.map(({ name, does }, at): readonly Block[] => [
    { text: String(at + 1), style: "label", ...(name === SENDS && { color: "accent" as const }) },
    { text: name, style: "name", ...(name === SENDS && { color: "accent" as const }) },
    { text: does, style: "body", before: 4 },
  ]);
  const height = Math.max(...cards.map((blocks) => measureCard(blocks, { width, padding })));
  const left = (at: number) => (at % perRow) * (width + gap);
  const top = (at: number) => (at < perRow ? 0 : height + between);
  for (const [at, blocks] of cards.entries()) {
    const [x, y] = [left(at), top(at)];
    const look = STEPS[at]?.name === SENDS ? ({ stroke: "accent", fill: "accent-bg" } as const) : {};
    drawCard(sheet, blocks, { x, y, width, height, padding }, look);
    if (at % perRow > 0)
      sheet.line([
        [x - gap + 2, y + height / 2],
        [x - 2, y + height / 2],
      ]);
  }
  const turn = height + between / 2;
  const [from, to] = [left(perRow - 1) + width / 2, width / 2];
  sheet.line([
    [from, height + 1],
    [from, turn],
    [to, turn],
    [to, height + between - 2],
  ]);
  drawEnds(sheet, { y: top(perRow) + height, left: left(8), right: left(9), width });
}

/** What the last two steps talk to, and the remark on those before them. */
function drawEnds(
  sheet: Sheet,
  { y, left, right, width }: { y: number; left: number; right: number; width: number },
): void {
  const pill = { y: y + 32, height: 32, radius: 16 } as const;
  sheet.line(
    [
      [left + width / 2, y + 3],
      [left + width / 2, pill.y - 3],
    ],
    { heads: "both", color: "accent" },
  );
  sheet.line([
    [right + width / 2, y + 2],
    [right + width / 2, pill.y - 2],
  ]);
  for (const [x, name] of [
    [left, UPSTREAM],
    [right, CALLER],
  ] as const) {
    sheet.box({ x, y: pill.y, width, height: pill.height }, { fill: "sunken", radius: pill.radius });
    sheet.text(name, { x: x + width / 2, y: pill.y + 7, width, style: "body", color: "text", align: "middle" });
  }
  sheet.text(REFUSAL, { x: 0, y: pill.y - 2, width: left - 40, style: "body" });
}

function drawNarrow(sheet: Sheet): void {
  let y = 0;
  for (const [at, { name, does }] of STEPS.entries()) {
    const isSending = name === SENDS;
    if (isSending) y = drawRemark(sheet, y);
    const text = isSending ? `${does}, to the ${UPSTREAM}` : does;
    const tone = isSending ? ({ tone: "accent" } as const) : {};
    y = drawStep(sheet, { number: at + 1, title: name, titleStyle: "name", text, leadsOn: true, ...tone }, y);
  }
  sheet.text(`The ${CALLER} gets a result or a fault.`, { x: 0, y, width: 328, style: "body", color: "text" });
}

/** The remark between the steps that refuse and those that send. */
function drawRemark(sheet: Sheet, y: number): number {
  const { height } = drawCard(
    sheet,
    [{ text: REFUSAL, style: "body" }],
    { x: 0, y, width: 328, padding: 12 },
    { fill: "sunken" },
  );
  sheet.line([
    [STEP_RAIL, y + height + 2],
    [STEP_RAIL, y + height + 14],
  ]);
  return y + height + 16;
}
