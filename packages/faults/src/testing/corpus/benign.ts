import { benignOwn } from "./benign-own.ts";
import { benignServers } from "./benign-servers.ts";

/** A text an honest server says to a model; it must come through byte for byte. */
export interface Benign {
  readonly id: string;
  readonly text: string;
  /** The public server that says it. */
  readonly source?: string;
}

const sourced = Object.entries(benignServers).flatMap(([source, texts]) =>
  texts.map((text, index): Benign => ({ id: `${source}/${index + 1}`, text, source })),
);

const own = Object.entries(benignOwn).flatMap(([group, texts]) =>
  texts.map((text, index): Benign => ({ id: `${group}/${index + 1}`, text })),
);

export const benign: readonly Benign[] = [...sourced, ...own];
