// What the playground is tried with, and what `recourse explain` says about each text.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseFile } from "../../conformance/case.ts";
import { findTopic } from "../../packages/cli/src/explain/find-topic.ts";
import { showHidden } from "../../packages/console/src/format/foreign.ts";
import { PASTED_ERRORS } from "../../packages/explain/test/pasted-errors.ts";
import { ROOT } from "../content/sources.ts";

/** A text to paste. */
export interface PlaygroundInput {
  readonly source: string;
  readonly text: string;
}

/** What a reading says, as far as both programs say it. Undefined if there is nothing to say. */
export interface ReadingData {
  readonly title: string;
  readonly sentence?: string | undefined;
  readonly reason?: string | undefined;
  readonly cause?: string | undefined;
  readonly effect?: string | undefined;
  readonly advice?: string | undefined;
  readonly modelReads?: string | undefined;
  readonly repeat?: string | undefined;
}

/** Errors that people pasted into public issues. */
export const PASTED: readonly PlaygroundInput[] = PASTED_ERRORS.map(({ source, text }) => ({ source, text }));

/** Wires of the conformance files, spread evenly over all of them. */
export function pickWires(count: number): readonly PlaygroundInput[] {
  const wires = globSync("conformance/*/*.json", { cwd: ROOT })
    .toSorted()
    .flatMap((file) => {
      const { cases } = JSON.parse(readFileSync(join(ROOT, file), "utf8")) as Partial<CaseFile>;
      return (cases ?? []).map(({ id, wire }) => ({
        source: `${file}, ${id}`,
        text: typeof wire === "string" ? wire : JSON.stringify(wire, null, 2),
      }));
    });
  return Array.from({ length: count }, (_, place) => wires[Math.floor((place * wires.length) / count)]).filter(
    (wire) => wire !== undefined,
  );
}

/** What the command line says about a text, in the words of the page. */
export function explainText(text: string): ReadingData {
  const topic = findTopic(text);
  if (topic?.topic !== "message") return { title: "Not recognised" };
  if (!topic.failure) return { title: topic.isUnmarked ? "A failure, sent as a success" : "No failure" };
  const { reading, modelReads, repeat } = topic;
  const isCall = reading.leads === "fault";
  return {
    title: plain(reading.title),
    sentence: plain(reading.because),
    reason: reading.fault?.reason,
    cause: reading.cause?.id,
    effect: reading.effect,
    advice: plain((isCall ? undefined : reading.cause?.fix) ?? reading.advice),
    ...(isCall && {
      modelReads: modelReads === undefined ? undefined : plain(modelReads),
      repeat: repeat === undefined ? undefined : `${repeat.charAt(0).toUpperCase()}${repeat.slice(1)}.`,
    }),
  };
}

/** A text as a page shows it: hidden characters are visible, and spaces do not count. */
function plain(text: string): string {
  return showHidden(text).replaceAll(/\s+/g, " ").trim();
}

/** Where two readings differ. Pages show the advice with what a remedy adds to it. */
export function compareReadings(expected: ReadingData, shown: ReadingData): readonly string[] {
  const names = Object.keys(expected) as (keyof ReadingData)[];
  return names.flatMap((name) => {
    const [wanted, got] = [expected[name], shown[name]];
    const isSame = name === "advice" ? got?.startsWith(wanted ?? "") === true : wanted === got;
    return isSame ? [] : [`${name} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`];
  });
}
