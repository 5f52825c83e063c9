import { type Block, drawCard, measureCard } from "./cards.ts";
import { defineFigure } from "./figure.ts";
import type { BoxLook, Sheet } from "./svg.ts";

/** A state of the breaker, with what becomes of calls. */
interface BreakerCard {
  readonly blocks: readonly Block[];
  readonly look: BoxLook;
}

const CLOSED: BreakerCard = {
  blocks: [
    { text: "closed", style: "name", color: "good" },
    { text: "Calls are sent. Failures in a row are counted.", style: "body", before: 4 },
  ],
  look: { stroke: "good" },
};
const OPEN: BreakerCard = {
  blocks: [
    { text: "open", style: "name", color: "bad" },
    { text: "Calls are refused at once, with the time to the next probe.", style: "body", before: 4 },
  ],
  look: { stroke: "bad" },
};
const HALF_OPEN: BreakerCard = {
  blocks: [
    { text: "half-open", style: "name", color: "warn" },
    { text: "One call is the probe. All others are refused.", style: "body", before: 4 },
  ],
  look: { stroke: "warn" },
};
const STATES = [CLOSED, OPEN, HALF_OPEN] as const;

const OPENS = "5 failures in\u00a0a\u00a0row";
const PROBES = "the pause is over: the next call is the probe";
const FAILS = "the probe fails: the pause doubles";
const CLOSES = "the probe succeeds";
const SHARED = "All replicas share the state. If a probe shows nothing, the next call is the probe.";

/** The states of the breaker of an upstream or a tool. */
export const breakerStates = defineFigure({
  name: "breaker-states",
  title: "The states of a circuit breaker",
  description:
    "Closed, open and half-open. Five failures in a row open the breaker. After a pause one call is the probe. If it succeeds, the breaker closes; if it fails, the breaker opens for a pause twice as long.",
  caption: "A circuit breaker and its three states. Every upstream has one, and so has every tool that fails.",
  items: [
    "closed: calls are sent, and failures in a row are counted. 5 failures in a row: open.",
    "open: calls are refused at once, with the time to the next probe. The pause is over: half-open, and the next call is the probe.",
    "half-open: one call is the probe, and all others are refused. The probe succeeds: closed. It fails: open, and the pause doubles, up to 30 s. It shows nothing: the next call is the probe.",
    "All replicas share the state.",
  ],
  layouts: { wide: drawWide, narrow: drawNarrow },
});

const WIDE = { width: 168, gap: 108 } as const;

function drawWide(sheet: Sheet): void {
  const { width, gap } = WIDE;
  const height = Math.max(...STATES.map(({ blocks }) => measureCard(blocks, { width })));
  const lefts = [0, width + gap, 2 * (width + gap)] as const;
  for (const [at, { blocks, look }] of STATES.entries())
    drawCard(sheet, blocks, { x: lefts[at] ?? 0, y: 0, width, height }, look);
  const [closed, open, probing] = lefts;
  const forward = height / 2;
  for (const [from, text] of [
    [closed, OPENS],
    [open, PROBES],
  ] as const) {
    const [begin, end] = [from + width, from + width + gap];
    sheet.line([
      [begin + 2, forward],
      [end - 2, forward],
    ]);
    const lines = text === OPENS ? 2 : 3;
    sheet.text(text, {
      x: (begin + end) / 2,
      y: forward - 6 - lines * 16,
      width: gap - 12,
      style: "label",
      color: "text2",
      align: "middle",
    });
  }
  const bottom = height;
  const [inner, outer] = [bottom + 32, bottom + 72];
  sheet.line(
    [
      [probing + 56, bottom + 2],
      [probing + 56, inner],
      [open + 112, inner],
      [open + 112, bottom + 2],
    ],
    { color: "bad" },
  );
  sheet.text(FAILS, {
    x: (open + probing + width) / 2,
    y: inner - 22,
    width: 240,
    style: "label",
    color: "text2",
    align: "middle",
  });
  sheet.line(
    [
      [probing + 112, bottom + 2],
      [probing + 112, outer],
      [closed + 84, outer],
      [closed + 84, bottom + 2],
    ],
    { color: "good" },
  );
  sheet.text(CLOSES, { x: 360, y: outer - 22, width: 240, style: "label", color: "text2", align: "middle" });
  sheet.text(SHARED, { x: 360, y: outer + 20, width: 720, style: "body", align: "middle" });
}

const NARROW = { width: 272, gap: 56 } as const;

function drawNarrow(sheet: Sheet): void {
  const { width, gap } = NARROW;
  const height = Math.max(...STATES.map(({ blocks }) => measureCard(blocks, { width, padding: 14 })));
  const tops = [0, height + gap + 12, 2 * (height + gap) + 36] as const;
  for (const [at, { blocks, look }] of STATES.entries())
    drawCard(sheet, blocks, { x: 0, y: tops[at] ?? 0, width, height, padding: 14 }, look);
  const [closed, open, probing] = tops;
  sheet.line([
    [24, closed + height + 2],
    [24, open - 2],
  ]);
  sheet.text(OPENS, { x: 36, y: closed + height + 26, width: 200, style: "label", color: "text2" });
  sheet.line([
    [24, open + height + 2],
    [24, probing - 2],
  ]);
  sheet.text(PROBES, { x: 36, y: open + height + 16, width: 100, style: "label", color: "text2" });
  sheet.line(
    [
      [152, probing - 2],
      [152, open + height + 2],
    ],
    { color: "bad" },
  );
  sheet.text(FAILS, { x: 164, y: open + height + 24, width: 110, style: "label", color: "text2" });
  const lane = width + 32;
  const below = probing + height + 32;
  sheet.line(
    [
      [152, probing + height + 2],
      [152, below],
      [lane, below],
      [lane, closed + height / 2],
      [width + 2, closed + height / 2],
    ],
    { color: "good" },
  );
  sheet.text(CLOSES, { x: 164, y: below - 22, width: 130, style: "label", color: "text2" });
  sheet.text(SHARED, { x: 0, y: below + 16, width: 328, style: "body" });
}
