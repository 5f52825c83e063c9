import type { EraRecord, EraRevision, StimulusName } from "../recording/recording.ts";
import type { StdioProgram } from "../wire/stdio.ts";
import { chooseTools, type Permission, type ToolChoice } from "./choose-tools.ts";
import { type Handshake, type Introduction, performHandshake } from "./conversation.ts";
import { type HttpPlace, httpConversation } from "./http-conversation.ts";
import { type StdioConversation, stdioConversation } from "./stdio-conversation.ts";
import { closeStdin, credentials, httpEdge } from "./stimuli/edges.ts";
import { type EraFacts, readServerLists, type ServerLists, type StimulusGroup } from "./stimuli/group.ts";
import {
  brokenMessage,
  deepJson,
  longMessages,
  malformedParams,
  notification,
  oddId,
  unknownVersion,
} from "./stimuli/malformed.ts";
import {
  concurrent,
  hostileToolName,
  longToolName,
  misspeltTool,
  ping,
  promptArgument,
  prototypeName,
  unknownCompletion,
  unknownMethod,
  unknownPrompt,
  unknownResource,
  unknownTool,
  validCall,
} from "./stimuli/unknown.ts";
import { wrongArgumentLadder } from "./stimuli/wrong-arguments.ts";
import { type ProbeBudget, type Talk, talkOver, withIds } from "./talk.ts";

/** What one era is probed with. */
export interface EraOptions extends Permission {
  readonly allowPrompts: boolean;
  readonly slow: boolean;
  readonly loopback: boolean;
  /** Send these groups and no others. Lists are always read. */
  readonly only?: readonly StimulusName[] | undefined;
  readonly now: () => number;
  readonly onProgress: (progress: ProbeProgress) => void;
}

/** Where a probe is. */
export interface ProbeProgress {
  readonly revision: EraRevision;
  /** The group that begins. */
  readonly stimulus: StimulusName;
}

/** How an era went: what was recorded, or why the server does not speak it. */
export type EraOutcome =
  | { readonly ok: true; readonly record: EraRecord }
  | {
      readonly ok: false;
      readonly revision: EraRevision;
      readonly handshake: Extract<Handshake, { ok: false }>;
      readonly stderr: string;
    };

/** Probes a server over HTTP in one era. */
export async function runHttpEra(revision: EraRevision, place: HttpPlace, options: EraOptions): Promise<EraOutcome> {
  const conversation = httpConversation(revision, place);
  const talk = talkOver(conversation, budgetFor(options));
  const handshake = await performHandshake(conversation);
  if (!handshake.ok) return { ok: false, revision, handshake, stderr: "" };
  talk.keep({ stimulus: "handshake" }, handshake);
  try {
    const known = await survey(talk, handshake.introduction, options);
    await runGroups(talk, PLAN.http, known.facts, options);
    return { ok: true, record: recordEra(revision, [talk], known, { strayLines: [], stderr: "" }) };
  } finally {
    await conversation.close();
  }
}

/**
 * Probes a program in one era, with two processes one after the other: one for well-formed messages, one for what may end it.
 * They never run at once, for a second instance may take a port, a lock or a file from the first, or end it.
 */
export async function runStdioEra(
  revision: EraRevision,
  program: StdioProgram,
  options: EraOptions,
): Promise<EraOutcome> {
  const conversation = stdioConversation(revision, program, performHandshake);
  try {
    const budget = budgetFor(options);
    const talk = talkOver(conversation, budget);
    const handshake = await performHandshake(conversation);
    if (!handshake.ok) return { ok: false, revision, handshake, stderr: conversation.stderr() };
    talk.keep({ stimulus: "handshake" }, handshake);
    const known = await survey(talk, handshake.introduction, options);
    await runGroups(talk, PLAN.stdio.main, known.facts, options);
    await conversation.close();
    const leftBehind = await conversation.leftBehind();
    const side = await runSide(revision, program, options, known, budget);
    const output: ProgramOutput = {
      strayLines: [...conversation.strayLines(), ...side.strayLines],
      stderr: conversation.stderr(),
      ...(leftBehind.length > 0 && { leftBehind }),
    };
    return { ok: true, record: recordEra(revision, [talk, ...side.talks], known, output) };
  } finally {
    await conversation.close();
  }
}

interface SideRun {
  readonly talks: readonly Talk[];
  readonly strayLines: readonly string[];
}

/** Sends what may end a program to a process of its own. */
async function runSide(
  revision: EraRevision,
  program: StdioProgram,
  options: EraOptions,
  { facts }: Survey,
  budget: ProbeBudget,
): Promise<SideRun> {
  const groups = [PLAN.stdio.first, ...PLAN.stdio.side];
  if (!groups.some(({ stimulus }) => options.only?.includes(stimulus) ?? true)) return { talks: [], strayLines: [] };
  const conversation: StdioConversation = stdioConversation(revision, program, performHandshake);
  try {
    const talk = talkOver(conversation, budget);
    await runGroups(talk, [PLAN.stdio.first], facts, options);
    await performHandshake(conversation);
    await runGroups(talk, PLAN.stdio.side, facts, options);
    return { talks: [talk], strayLines: conversation.strayLines() };
  } finally {
    await conversation.close();
  }
}

/** What an era may use up. */
function budgetFor({ loopback, slow, now }: EraOptions): ProbeBudget {
  return {
    requests: loopback ? REQUESTS.loopback : REQUESTS.elsewhere,
    until: now() + (slow ? ERA_MS.slow : ERA_MS.usual),
    now,
  };
}

/** What is known before the groups are sent. */
interface Survey {
  readonly introduction: Introduction;
  readonly lists: ServerLists;
  readonly choice: ToolChoice;
  readonly facts: EraFacts;
}

/** Reads the lists and chooses the tools. */
async function survey(talk: Talk, introduction: Introduction, options: EraOptions): Promise<Survey> {
  const lists = await readServerLists(talk);
  const choice = chooseTools(lists.tools, options);
  const { capabilities } = introduction;
  const { loopback, allowPrompts, slow } = options;
  const facts = { capabilities, ...lists, chosen: choice.chosen, loopback, allowPrompts, slow };
  return { introduction, lists, choice, facts };
}

/** Sends groups one after the other. */
async function runGroups(
  talk: Talk,
  groups: readonly StimulusGroup[],
  facts: EraFacts,
  { onProgress, only }: EraOptions,
): Promise<void> {
  for (const group of groups) {
    if (only?.includes(group.stimulus) === false) {
      talk.leaveOut(group.stimulus, "You left it out.", "unasked");
      continue;
    }
    const because = talk.conversation.ended();
    if (because === undefined) {
      onProgress({ revision: talk.conversation.revision, stimulus: group.stimulus });
      await group.run(talk, facts);
    } else talk.leaveOut(group.stimulus, because, "ended");
  }
}

/** What a recording keeps of an era. */
function recordEra(
  revision: EraRevision,
  talks: readonly Talk[],
  { introduction, lists, choice }: Survey,
  output: ProgramOutput,
): EraRecord {
  const names = lists.tools.map((tool) => String(tool["name"]));
  const exchanges = withIds(
    revision,
    talks.flatMap((talk) => talk.exchanges()),
    names,
  );
  const leftOut = new Map(talks.flatMap((talk) => talk.leftOut().map((group) => [group.stimulus, group])));
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
    ...(leftOut.size === 0 ? {} : { leftOut: [...leftOut.values()] }),
  };
}

/** What a program wrote beside its messages. */
type ProgramOutput = Pick<EraRecord, "strayLines" | "stderr" | "leftBehind">;

/** Groups of well-formed messages, the least harmful first. */
const ORDINARY_GROUPS: readonly StimulusGroup[] = [
  unknownTool,
  prototypeName,
  misspeltTool,
  longToolName,
  hostileToolName,
  unknownMethod,
  ping,
  unknownResource,
  unknownPrompt,
  unknownCompletion,
  oddId,
  notification,
  malformedParams,
  wrongArgumentLadder,
  validCall,
  promptArgument,
  concurrent,
];

/** Groups that may end a program, the most harmful last. */
const HARSH_GROUPS: readonly StimulusGroup[] = [brokenMessage, deepJson, longMessages];

/** What is sent over each transport, in this order. Over stdio the two lists go to two processes, one after the other. */
const PLAN = {
  http: [...ORDINARY_GROUPS, unknownVersion, httpEdge, credentials, ...HARSH_GROUPS],
  stdio: { main: [...ORDINARY_GROUPS, closeStdin], side: HARSH_GROUPS, first: unknownVersion },
} as const;

/** How many requests one era may get. */
const REQUESTS = { loopback: 200, elsewhere: 90 } as const;

/** How long one era may take, in milliseconds. */
const ERA_MS = { usual: 90_000, slow: 240_000 } as const;
