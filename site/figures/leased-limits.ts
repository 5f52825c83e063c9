import { type Block, drawCard, measureCard } from "./cards.ts";
import { defineFigure } from "./figure.ts";
import type { BoxLook, LineLook, Sheet } from "./svg.ts";

const BUCKET: readonly Block[] = [
  { text: "Redis", style: "title" },
  { text: "One token bucket for each limit, such as `20/s` with a burst of 40", style: "body", before: 2 },
];

/** A replica, and how it gets its tokens. */
interface ReplicaCard {
  readonly link: string;
  readonly blocks: readonly Block[];
  /** Tokens that it holds. */
  readonly tokens: number;
  readonly look: BoxLook;
  readonly line: LineLook;
}

const REPLICAS: readonly ReplicaCard[] = [
  {
    link: "leases tokens, returns the rest",
    blocks: [
      { text: "Many calls", style: "title" },
      { text: "It takes tokens for the next 50 ms and decides from memory.", style: "body", before: 4 },
    ],
    tokens: 4,
    look: { stroke: "accent" },
    line: { heads: "both", color: "accent" },
  },
  {
    link: "asks for each call",
    blocks: [
      { text: "Few calls", style: "title" },
      { text: "Fewer than two in 50 ms. It holds no tokens.", style: "body", before: 4 },
    ],
    tokens: 0,
    look: {},
    line: { heads: "both" },
  },
  {
    link: "no connection",
    blocks: [
      { text: "Crashed", style: "title", color: "bad" },
      { text: "What it held is missing for 200 ms at most. No call too many passes.", style: "body", before: 4 },
    ],
    tokens: 3,
    look: { isDashed: true, stroke: "bad" },
    line: { heads: "none", isDashed: true },
  },
];

const PROMISE =
  "**Over all replicas together:** in no span of `s` seconds do more than `burst + rate × s` calls pass. Only the clock of Redis decides.";

/** How replicas share a limit without asking Redis for every call. */
export const leasedLimits = defineFigure({
  name: "leased-limits",
  title: "Leased limits between replicas",
  description:
    "Redis holds one token bucket for each limit. A replica with many calls leases tokens and decides from memory. A replica with few calls asks Redis for each. The tokens of a replica that crashed are not spent.",
  caption: "Replicas share a limit. A busy one leases tokens, so most calls need no round trip to Redis.",
  items: [
    "Redis holds one token bucket for each limit, for example 20/s with a burst of 40.",
    "A replica with many calls takes tokens for the next 50 ms and decides from memory. It may spend them for 195 ms, and returns the rest after 50 ms without calls.",
    "A replica with fewer than two calls in 50 ms asks Redis for each call.",
    "What a crashed replica held is missing for 200 ms at most. No call too many passes.",
    "Over all replicas together, in no span of s seconds do more than burst + rate × s calls pass. Only the clock of Redis decides.",
  ],
  layouts: { wide: drawWide, narrow: drawNarrow },
});

const TOKEN = { radius: 4, pitch: 13, row: 24 } as const;
const IN_BUCKET = 18;

/** Tokens in a row: those of a replica that crashed are empty. */
function drawTokens(
  sheet: Sheet,
  { x, y, count, isSpendable }: { x: number; y: number; count: number; isSpendable: boolean },
): void {
  for (let at = 0; at < count; at++)
    sheet.disc([x + TOKEN.radius + 1 + at * TOKEN.pitch, y], TOKEN.radius, {
      fill: isSpendable ? "full" : "empty",
      color: isSpendable ? "accent" : "text3",
    });
}

function drawWide(sheet: Sheet): void {
  const [width, gap, drop] = [224, 24, 64] as const;
  const top = measureCard(BUCKET, { width: 720 }) + TOKEN.row;
  drawCard(sheet, BUCKET, { x: 0, y: 0, width: 720, height: top }, { fill: "sunken" });
  drawTokens(sheet, { x: 16, y: top - 24, count: IN_BUCKET, isSpendable: true });
  const height = Math.max(...REPLICAS.map(({ blocks }) => measureCard(blocks, { width }))) + TOKEN.row;
  for (const [at, { link, blocks, tokens, look, line }] of REPLICAS.entries()) {
    const x = at * (width + gap);
    sheet.line(
      [
        [x + 28, top + 3],
        [x + 28, top + drop - 3],
      ],
      line,
    );
    sheet.text(link, { x: x + 42, y: top + 24, width: width - 42, style: "label", color: "text2" });
    drawCard(sheet, blocks, { x, y: top + drop, width, height }, look);
    drawTokens(sheet, { x: x + 16, y: top + drop + height - 24, count: tokens, isSpendable: line.heads !== "none" });
  }
  sheet.text(PROMISE, { x: 0, y: top + drop + height + 16, width: 680, style: "body" });
}

function drawNarrow(sheet: Sheet): void {
  const padding = 14;
  let y = measureCard(BUCKET, { width: 328, padding }) + TOKEN.row;
  const bottom = y;
  drawCard(sheet, BUCKET, { x: 0, y: 0, width: 328, height: y, padding }, { fill: "sunken" });
  drawTokens(sheet, { x: padding, y: y - 22, count: IN_BUCKET, isSpendable: true });
  for (const [at, { link, blocks, tokens, look, line }] of REPLICAS.entries()) {
    y += 40;
    sheet.text(link, { x: 48, y: y - 22, width: 280, style: "label", color: "text2" });
    const height = measureCard(blocks, { width: 280, padding }) + (tokens > 0 ? TOKEN.row : 0);
    drawCard(sheet, blocks, { x: 48, y, width: 280, height, padding }, look);
    drawTokens(sheet, { x: 48 + padding, y: y + height - 22, count: tokens, isSpendable: line.heads !== "none" });
    sheet.line(
      [
        [32 - at * 12, bottom + 3],
        [32 - at * 12, y + 24],
        [46, y + 24],
      ],
      line,
    );
    y += height;
  }
  sheet.text(PROMISE, { x: 0, y: y + 16, width: 304, style: "body" });
}
