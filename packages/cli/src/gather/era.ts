import type { EraRecord } from "../recording/recording.ts";
import type { Revision } from "../recording/revisions.ts";
import type { StimulusName } from "../recording/stimuli.ts";
import type { Handshake, Introduction } from "./handshake.ts";
import { ERA_MS, REQUESTS } from "./plan.ts";
import { type Choice, chooseTools, type Permission } from "./safety/choose-tools.ts";
import type { EraFacts, Group } from "./stimuli/group.ts";
import { type Lists, readLists } from "./stimuli/list.ts";
import { type Budget, type Talk, withIds } from "./talk.ts";

/** What one era is probed with. */
export interface EraOptions extends Permission {
  readonly allowPrompts: boolean;
  readonly slow: boolean;
  readonly loopback: boolean;
  /** Send these groups and no others. Lists are always read. */
  readonly only?: readonly StimulusName[] | undefined;
  readonly now: () => number;
  readonly onProgress: (progress: Progress) => void;
}

/** Where a probe is. */
export interface Progress {
  readonly revision: Revision;
  /** The group that begins. */
  readonly stimulus: StimulusName;
}

/** How an era went: what was recorded, or why the server does not speak it. */
export type EraOutcome =
  | { readonly ok: true; readonly record: EraRecord }
  | {
      readonly ok: false;
      readonly revision: Revision;
      readonly handshake: Extract<Handshake, { ok: false }>;
      readonly stderr: string;
    };

/** What an era may use up. */
export function budgetFor({ loopback, slow, now }: EraOptions): Budget {
  return {
    requests: loopback ? REQUESTS.loopback : REQUESTS.elsewhere,
    until: now() + (slow ? ERA_MS.slow : ERA_MS.usual),
    now,
  };
}

/** What is known before the groups are sent. */
export interface Survey {
  readonly introduction: Introduction;
  readonly lists: Lists;
  readonly choice: Choice;
  readonly facts: EraFacts;
}

/** Reads the lists and chooses the tools. */
export async function survey(talk: Talk, introduction: Introduction, options: EraOptions): Promise<Survey> {
  const lists = await readLists(talk);
  const choice = chooseTools(lists.tools, options);
  const { capabilities } = introduction;
  const { loopback, allowPrompts, slow } = options;
  const facts = { capabilities, ...lists, chosen: choice.chosen, loopback, allowPrompts, slow };
  return { introduction, lists, choice, facts };
}

/** Sends groups one after the other. */
export async function runGroups(
  talk: Talk,
  groups: readonly Group[],
  facts: EraFacts,
  { onProgress, only }: EraOptions,
): Promise<void> {
  for (const group of groups) {
    if (only?.includes(group.stimulus) === false) {
      talk.leaveOut(group.stimulus, "You left it out.");
      continue;
    }
    const because = talk.conversation.ended();
    if (because === undefined) {
      onProgress({ revision: talk.conversation.revision, stimulus: group.stimulus });
      await group.run(talk, facts);
    } else talk.leaveOut(group.stimulus, because);
  }
}

/** What a recording keeps of an era. */
export function recordOf(
  revision: Revision,
  talks: readonly Talk[],
  { introduction, lists, choice }: Survey,
  output: Output,
): EraRecord {
  const names = lists.tools.map((tool) => String(tool["name"]));
  const exchanges = withIds(
    revision,
    talks.flatMap((talk) => talk.exchanges()),
    names,
  );
  const leftOut = new Map(talks.flatMap((talk) => [...talk.leftOut()]));
  return {
    revision,
    ...introduction,
    ...lists,
    called: choice.chosen
      .map((tool) => tool.name)
      .filter((tool) => exchanges.some((one) => one.stimulus === "valid-call" && one.tool === tool)),
    spared: choice.spared,
    exchanges,
    ...output,
    ...(leftOut.size === 0 ? {} : { leftOut: [...leftOut].map(([stimulus, because]) => ({ stimulus, because })) }),
  };
}

/** What a program wrote beside its messages. */
type Output = Pick<EraRecord, "strayLines" | "stderr">;
