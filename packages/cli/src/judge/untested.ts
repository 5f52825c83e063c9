import type { EraView, ProbeCheck } from "../checks/check.ts";
import type {
  EraRecord,
  LeftOutGroup,
  RecordedExchange,
  Recording,
  SparedTool,
  StimulusName,
} from "../recording/recording.ts";
import type { UntestedPart } from "../report/report.ts";

/** What a check could not look at. */
export interface UntestedCheck extends Omit<UntestedPart, "checks"> {
  /** Whether the server's own annotations kept the probe from looking, so that the check counts as not passed. */
  readonly costs: boolean;
}

/** Groups of stimuli that only tools that may be called get. */
const CALL_STIMULI = ["valid-call", "wrong-arguments"] as const satisfies readonly StimulusName[];

/** A probe calls no more tools than this in one era, so a command names no more. */
const MAX_NAMED = 6;

/** Groups that show what calls left behind: a timer that a tool started keeps a program alive. */
const AFTER_CALLS: ReadonlySet<StimulusName> = new Set(["close-stdin"]);

/** What says which exchange it is. Everything else of it is what was sent and answered. */
const LABEL_MEMBERS: ReadonlySet<PropertyKey> = new Set([
  "id",
  "stimulus",
  "tool",
] satisfies (keyof RecordedExchange)[]);

/** What is known of an era before a tool is called. Everything else of it may come from a call: a tool may print. */
const UNCALLED_MEMBERS: ReadonlySet<PropertyKey> = new Set([
  "revision",
  "negotiated",
  "server",
  "capabilities",
  "tools",
  "resources",
  "resourceTemplates",
  "prompts",
  "called",
  "spared",
  "exchanges",
  "leftOut",
] satisfies (keyof EraRecord)[]);

/** The option that makes the probe send a group which it may not send by itself. */
const ALLOWING_OPTIONS: Partial<Readonly<Record<StimulusName, string>>> = { "prompt-argument": "--allow-prompts" };

/**
 * What a check would have looked at on this server, had the probe been allowed or able to. A tool that nothing but its annotations
 * keeps from being called counts even if the check passed elsewhere: the defect may be in that tool. Groups that were cut off
 * count only if the check had nothing else to look at.
 */
export function findUntested(
  check: ProbeCheck,
  recording: Recording,
  { isSkipped }: { readonly isSkipped: boolean },
): UntestedCheck | undefined {
  const eras = recording.eras.filter(({ revision }) => check.revisions?.includes(revision) ?? true);
  if (check.transport !== undefined && check.transport !== recording.target.transport) return undefined;
  for (const era of eras) {
    const tools = silentTools(era);
    if (tools.length > 0 && looksAt(check, { recording, era }, callStimuli(tools))) return uncalledTools(era, tools);
  }
  if (!isSkipped) return undefined;
  for (const era of eras) {
    const group = untestedGroups(era).find(({ stimulus }) => looksAt(check, { recording, era }, [{ stimulus }]));
    if (group !== undefined) return cutOff(group);
  }
  return undefined;
}

/** Whether the server lists tools and none of them was called. */
export function calledNoTool({ eras }: Recording): boolean {
  return eras.some(({ tools }) => tools.length > 0) && eras.every(({ called }) => called.length === 0);
}

/** Tools that nothing but their annotations keeps from being called. */
function silentTools({ spared, tools, called }: EraRecord): readonly SparedTool[] {
  const unannotated = new Set(tools.filter(lacksReadOnlyHint).map(({ name }) => name));
  return spared.filter(
    ({ tool, why }) =>
      !called.includes(tool) &&
      // Recordings of older versions do not say why.
      (why === undefined ? unannotated.has(tool) : why === "unannotated" || why === "disputed"),
  );
}

function lacksReadOnlyHint({ annotations }: EraRecord["tools"][number]): boolean {
  return (annotations as { readonly readOnlyHint?: unknown } | undefined)?.readOnlyHint === undefined;
}

function uncalledTools({ called }: EraRecord, tools: readonly SparedTool[]): UntestedCheck {
  const byName = tools.filter((one) => one.byName === true).map(({ tool }) => tool);
  const names = tools.map(({ tool }) => tool);
  // `--tools` calls nothing that it does not name.
  const wouldCall = (byName.length > 0 ? byName : [...called, ...names]).slice(0, MAX_NAMED);
  return {
    kind: "annotations",
    because: called.length === 0 ? "No tool says that it only reads." : "Some tools do not say whether they only read.",
    tools: names,
    option: byName.length > 0 ? "--by-name" : "--tools",
    wouldCall,
    costs: true,
  };
}

function untestedGroups({ leftOut = [] }: EraRecord): readonly LeftOutGroup[] {
  return leftOut.filter(({ untested }) => untested !== undefined);
}

function cutOff({ stimulus, because, untested }: LeftOutGroup): UntestedCheck {
  const option = untested === "limit" ? "--slow" : ALLOWING_OPTIONS[stimulus];
  return { kind: "left-out", because, ...(option !== undefined && { option }), costs: false };
}

/** An exchange that did not take place. */
type MissingExchange = Pick<RecordedExchange, "stimulus" | "tool">;

function callStimuli(tools: readonly SparedTool[]): readonly MissingExchange[] {
  return tools.flatMap(({ tool }) => CALL_STIMULI.map((stimulus) => ({ stimulus, tool })));
}

/**
 * Whether a check would look at exchanges that did not take place. They are added to the era, and note it when something but
 * their stimulus and tool is read. No list of checks has to be kept: a new check is asked like all others.
 */
function looksAt(check: ProbeCheck, { recording, era }: EraView, missing: readonly MissingExchange[]): boolean {
  let isRead = false;
  // The answer is known with the first read, so the check is ended there.
  const noted = (): never => {
    isRead = true;
    throw new Error("A check read what was not sent.");
  };
  const isCall = missing.some(({ tool }) => tool !== undefined);
  const hidden = <T extends object>(value: T, known: ReadonlySet<PropertyKey>): T =>
    new Proxy(value, {
      get: (target, key) =>
        known.has(key) || typeof key === "symbol" ? target[key as keyof T] : (noted() satisfies never),
    });
  const added = missing.map((one, at) => hidden({ id: `missing/${at}`, ...one } as RecordedExchange, LABEL_MEMBERS));
  const kept = era.exchanges.map((one) => (isCall && AFTER_CALLS.has(one.stimulus) ? hidden(one, LABEL_MEMBERS) : one));
  const whole = { ...era, exchanges: [...added, ...kept] };
  const changed: EraRecord = isCall ? hidden(whole, UNCALLED_MEMBERS) : whole;
  const eras = recording.eras.map((one) => (one === era ? changed : one));
  try {
    check.run({ recording: { ...recording, eras }, era: changed });
  } catch {
    // It was ended, or it has a bug and says nothing here either.
  }
  return isRead;
}
