import { type Block, drawCard, measureCard } from "./cards.ts";
import { defineFigure } from "./figure.ts";
import type { Sheet } from "./svg.ts";

/** What callers and operators notice while a part is down. */
interface Outage {
  readonly part: string;
  readonly lines: readonly (readonly [sign: keyof typeof WORDS, text: string])[];
}

const OUTAGES: readonly Outage[] = [
  {
    part: "A replica is killed",
    lines: [
      ["works", "the other replicas take all new calls."],
      ["refused", "its calls end without an answer. The client kit repeats those that are safe."],
      ["lost", "incidents of its last 250 ms."],
    ],
  },
  {
    part: "An upstream is down",
    lines: [
      ["works", "all other upstreams, and lists from memory."],
      ["refused", "its calls, with the effect in the fault. After 5 failures in a row the breaker refuses at once."],
      ["lost", "nothing."],
    ],
  },
  {
    part: "Redis is down",
    lines: [
      ["works", "API keys, tokens, idempotency keys, approvals, incidents."],
      ["changes", "limits follow `away.limits`. Breakers count in each process."],
      ["lost", "nothing that you have to restore."],
    ],
  },
  {
    part: "PostgreSQL is down",
    lines: [
      ["works", "calls without an idempotency key, limits, breakers. Known keys of the database work for 60 s."],
      ["refused", "calls with an idempotency key or an approval, with effect `none`."],
      ["lost", "nothing. Up to 50,000 incidents wait in each process."],
    ],
  },
];

const WORDS = { works: "Works", changes: "Changes", refused: "Fails", lost: "Lost" } as const;

/** The table of the operator's page, as far as callers notice it. */
export const storeOutage = defineFigure({
  name: "store-outage",
  title: "What survives when a part is down",
  description:
    "Four parts of a gateway: a replica, an upstream, Redis and PostgreSQL. For each: what works while it is down, what changes or fails, and what is lost.",
  caption:
    "What works, what changes and what is lost while one part is down. When it is up again, you need not restart the gateway.",
  items: OUTAGES.map(
    ({ part, lines }) =>
      `${part}. ${lines.map(([sign, text]) => `${WORDS[sign]}: ${text.replaceAll("`", "")}`).join(" ")}`,
  ),
  layouts: { wide: (sheet) => drawCards(sheet, 2), narrow: (sheet) => drawCards(sheet, 1) },
});

const GAP = 16;

function drawCards(sheet: Sheet, columns: 1 | 2): void {
  const width = (sheet.width - (columns - 1) * GAP) / columns;
  const padding = columns === 1 ? 14 : 16;
  const cards = OUTAGES.map(({ part, lines }): readonly Block[] => [
    { text: part, style: "title" },
    ...lines.map(([sign, text]): Block => ({ text: `**${WORDS[sign]}:** ${text}`, style: "body", before: 8, sign })),
  ]);
  let y = 0;
  for (let at = 0; at < cards.length; at += columns) {
    const row = cards.slice(at, at + columns);
    const height = Math.max(...row.map((blocks) => measureCard(blocks, { width, padding })));
    for (const [column, blocks] of row.entries())
      drawCard(sheet, blocks, { x: column * (width + GAP), y, width, height, padding });
    y += height + GAP;
  }
}
