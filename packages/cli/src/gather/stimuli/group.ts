import { arrayAt, isObject, type JsonObject, objectAt, race, sleep, stringAt } from "@recourse/core/wire";
import type { StimulusName } from "../../recording/recording.ts";
import type { ChosenTool } from "../choose-tools.ts";
import type { Talk } from "../talk.ts";

/** What is known about the server when a group is sent. */
export interface EraFacts {
  readonly capabilities: JsonObject;
  readonly tools: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  /** Tools that get arguments. */
  readonly chosen: readonly ChosenTool[];
  readonly loopback: boolean;
  readonly allowPrompts: boolean;
  readonly slow: boolean;
}

/** One group of stimuli. */
export interface StimulusGroup {
  readonly stimulus: StimulusName;
  run(talk: Talk, facts: EraFacts): Promise<void>;
}

/** Calls a tool that gets no arguments: for names that do not exist. */
export function callUnknown(
  talk: Talk,
  stimulus: StimulusName,
  variant: string | undefined,
  name: string,
): Promise<unknown> {
  return talk.request({ stimulus, variant }, "tools/call", { name, arguments: {} });
}

/** After this time the next piece of work begins although the last one is still running. */
const OVERLAP_AFTER_MS = 700;

/**
 * Runs pieces of work one after the other, but does not wait for a slow one before the next begins. A crash can still
 * be attributed to one of them, since most servers answer at once, and slow ones share their waits.
 */
export async function overlapping(work: readonly (() => Promise<unknown>)[]): Promise<void> {
  const all: Promise<unknown>[] = [];
  for (const start of work) {
    const piece = start();
    all.push(piece);
    await race(piece, { ms: OVERLAP_AFTER_MS, sleep });
  }
  await Promise.all(all);
}

/** A server may list without end; this is enough to judge it. */
const SERVER_LIST_LIMITS = { pages: 10, entries: 500 } as const;

/** What a server listed. */
export interface ServerLists {
  readonly tools: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
}

/** Asks for every list, also for those that the server does not announce: it may serve them all the same. */
export async function readServerLists(talk: Talk): Promise<ServerLists> {
  return {
    tools: await readEveryPage(talk, "tools/list", "tools"),
    resources: await readEveryPage(talk, "resources/list", "resources"),
    resourceTemplates: await readEveryPage(talk, "resources/templates/list", "resourceTemplates"),
    prompts: await readEveryPage(talk, "prompts/list", "prompts"),
  };
}

async function readEveryPage(talk: Talk, method: string, member: string): Promise<JsonObject[]> {
  const entries: JsonObject[] = [];
  const texts = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < SERVER_LIST_LIMITS.pages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await talk.request({ stimulus: "list", variant: method }, method, params);
    const result = answer?.kind === "message" ? objectAt(answer.message, "result") : undefined;
    // A list that begins anew would make every entry appear again.
    const added = arrayAt(result, member)
      .filter(isObject)
      .filter((entry) => page === 0 || !texts.has(JSON.stringify(entry)));
    entries.push(...added.slice(0, SERVER_LIST_LIMITS.entries - entries.length));
    for (const entry of added) texts.add(JSON.stringify(entry));
    cursor = stringAt(result, "nextCursor");
    if (cursor === undefined || cursors.has(cursor)) return entries;
    cursors.add(cursor);
    if (entries.length >= SERVER_LIST_LIMITS.entries) break;
  }
  talk.leaveOut("list", `Only the first ${entries.length} entries of ${method} were read.`);
  return entries;
}
