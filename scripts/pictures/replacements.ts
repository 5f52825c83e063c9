// What differs in each run of a command, and what is written instead.
import { createHash } from "node:crypto";
import { homedir, hostname } from "node:os";
import { dirname, resolve } from "node:path";
import { formatId } from "@recourse/core/wire";
import { ORDERS_SERVER, SHOP_COMMAND, UNANNOTATED_SHOP_COMMAND } from "./scenes.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** What a run has that the table cannot know. */
interface RunValues {
  /** The folder that the command ran in. */
  readonly folder: string;
  /** Incidents that have the same id in every picture. @default none */
  readonly incidents?: readonly string[];
}

interface Replacement {
  readonly pattern: RegExp | string;
  readonly by: string;
}

/** 09:00:07 UTC, when the pictures happen. */
const SHOWN_TIME_MS = Date.UTC(2026, 10, 18, 9, 0, 7, 65);

/** In this order. Paths first: they may contain what looks like something else. */
const REPLACEMENTS: readonly Replacement[] = [
  { pattern: UNANNOTATED_SHOP_COMMAND.join(" "), by: "node dist/server.js" },
  { pattern: SHOP_COMMAND.join(" "), by: "node dist/server.js" },
  // As JSON, in the data of a page.
  { pattern: JSON.stringify(SHOP_COMMAND), by: '["node","dist/server.js"]' },
  { pattern: ORDERS_SERVER, by: "/srv/orders/server.ts" },
  // Times, with and without a date.
  { pattern: /\b\d{4}-\d\d-\d\d(?=[ T]\d\d:\d\d)/g, by: "2026-11-18" },
  { pattern: /\b\d\d:\d\d:\d\d to \d\d:\d\d:\d\d\b/g, by: "09:00:04 to 09:00:07" },
  { pattern: /(?<!to )\b\d\d:\d\d:\d\d\b(?! to)/g, by: "09:00:07" },
  { pattern: /(?<=:\d\d)\.\d{3}\b/g, by: ".065" },
  // Durations.
  { pattern: /(?<=\bup for )\d{1,2} s\b/g, by: "9 s" },
  { pattern: /(?<=\bnot answered for )\d{1,2} s\b/g, by: "8 s" },
  { pattern: /\b\d{1,2} s(?= ago\b)/g, by: "2 s" },
  { pattern: /\b\d{1,4} ms$/gm, by: "22 ms" },
  { pattern: /(?<= · )\d{1,2}\.\d s$/gm, by: "8.8 s" },
  // Ports of this run have five digits.
  { pattern: /(?<=\b127\.0\.0\.1:)\d{5}\b/g, by: "18081" },
  // Bars of two minutes: a run may cross from one into the next.
  { pattern: /▁{28}[▁-█]{2}/g, by: `${"▁".repeat(28)}▁█` },
];

const ANY_ID = /(?<![0-9A-Z])[0-7][0-9A-HJKMNP-TV-Z]{25}(?![0-9A-Z])/g;

/** The text of a run with fixed values. */
export function replaceVarying(text: string, { folder, incidents = [] }: RunValues): string {
  const inFolder = text.replaceAll(`${folder}/`, "");
  return replaceIds(
    REPLACEMENTS.reduce((replaced, { pattern, by }) => replaced.replaceAll(pattern, by), inFolder),
    incidents,
  );
}

/** Ids in the order that they appear, after those that are the same in every picture. */
function replaceIds(text: string, incidents: readonly string[]): string {
  const shown = new Map(incidents.map((id, at) => [id, shownId(at)]));
  return text.replaceAll(ANY_ID, (id) => {
    const known = shown.get(id) ?? shownId(shown.size);
    shown.set(id, known);
    return known;
  });
}

function shownId(nth: number): string {
  return formatId(SHOWN_TIME_MS + nth, createHash("sha256").update(String(nth)).digest());
}

/** What of this machine is still in a text: folders, names. */
export function findMachineText(text: string, { folder }: Pick<RunValues, "folder">): string[] {
  const machine = [ROOT, folder, homedir(), dirname(process.execPath), hostname()];
  return machine.filter((one) => one.length > 3 && text.includes(one));
}
