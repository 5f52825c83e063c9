import type { Story } from "./story.ts";

/** Roughly as tokenizers count English. */
const tokens = (text: string): number => Math.ceil(text.length / 4);
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const short = (text: string): string => (text.length > 150 ? `${text.slice(0, 150)}…` : text);

/** What happened, attempt by attempt, and what the model read. */
function chapterOf({ name, crossings, work }: Story): string {
  const attempts = crossings.map(({ atMs, tool, fate }) => `  ${seconds(atMs).padStart(7)}  ${tool}: ${fate}`);
  const reads = work.reads.map(({ tool, text }) => `  ${tool}, ${tokens(text)} tokens: ${short(text)}`);
  return [`== ${name}`, "what crossed the network:", ...attempts, "failures that the model read:", ...reads].join("\n");
}

const COLUMNS = {
  calls: ({ crossings }) => String(crossings.length),
  "tokens of failures": ({ work }) => String(work.reads.reduce((sum, { text }) => sum + tokens(text), 0)),
  time: ({ elapsedMs }) => seconds(elapsedMs),
  "charges (1 is right)": ({ ledger }) => String(ledger.charges),
  "parcels (1 is right)": ({ ledger }) => String(ledger.parcels),
  "what the user hears": ({ work }) =>
    Object.entries(work.told)
      .filter(([, end]) => end !== "done")
      .map(([tool, end]) => `${tool}: ${end}`)
      .join(", "),
} as const satisfies Record<string, (story: Story) => string>;

/** What each way of calling cost. */
export function tableOf(stories: readonly Story[]): string {
  const rows = stories.map((story) => [story.name, ...Object.values(COLUMNS).map((cell) => cell(story))]);
  const lines = [["", ...Object.keys(COLUMNS)], ["---", ...Object.keys(COLUMNS).map(() => "---")], ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Everything, chapter by chapter, and the table at the end. */
export function reportOf(stories: readonly Story[]): string {
  return [...stories.map(chapterOf), tableOf(stories)].join("\n\n");
}
