import type { SecretFilter } from "@recourse/core";
import { transport } from "@recourse/core/reasons";
import { cleanLogText } from "@recourse/core/safety";
import { CLIENT_INFO_KEY, isObject, stringAt } from "@recourse/core/wire";
import type { Call, CallerClient, CallStepName } from "../call/call.ts";

/** What an incident says about the way of its call through the gateway. */
export interface CallPassage {
  /** The step in which the call ended; undefined if none was run. */
  readonly endedAt: CallStepName | undefined;
  /** The steps up to that one, in order. If a step did not wait, its time counts for the next one that did. */
  readonly steps: readonly StepTime[];
  /** The name of the process that answered. */
  readonly replica: string;
  /** How much of the message had left for the upstream; undefined if that is unknown. */
  readonly sent: "nothing" | "part" | "all" | undefined;
  /** Whether the call had an idempotency key. */
  readonly keyed: boolean;
  /** The client, as it named itself; undefined if it did not. */
  readonly client: CallerClient | undefined;
  /** The revision of MCP that the caller speaks; undefined if it is not known. */
  readonly protocol: string | undefined;
}

/** How long a step took. */
interface StepTime {
  readonly step: CallStepName;
  readonly ms: number;
}

/** What is known of a call when it has ended. */
type FinishedCall = Pick<
  Call,
  | "stepNames"
  | "stepAt"
  | "stepTimes"
  | "startedMs"
  | "waitedMs"
  | "reply"
  | "wasSent"
  | "bodyBytes"
  | "binding"
  | "message"
  | "sessionClient"
  | "revision"
>;

interface CallFactsOptions {
  /** Monotonic time at which the call has ended, in ms. */
  readonly endedMs: number;
  readonly replica: string;
  /** The secrets of the request. @default none */
  readonly secrets?: SecretFilter | undefined;
}

/** What the incident of a call says about its way. */
export function readCallFacts(call: FinishedCall, { endedMs, replica, secrets }: CallFactsOptions): CallPassage {
  const { binding, revision } = call;
  return {
    ...readSteps(call, endedMs),
    replica,
    sent: readSent(call),
    keyed: binding?.key !== undefined,
    client: cleanClient(statedClient(call), secrets),
    protocol: revision,
  };
}

/** The steps of a call, with their times. Without a reply it ended in the attempt, although the next step says so. */
function readSteps(call: FinishedCall, endedMs: number): Pick<CallPassage, "endedAt" | "steps"> {
  const { stepNames, stepAt, stepTimes = [], startedMs, waitedMs, reply } = call;
  const times = new Map<CallStepName, number>();
  let fromMs = startedMs;
  for (const [at, step] of stepNames.slice(0, stepAt + 1).entries()) {
    const mark = stepTimes.findIndex((one, place) => place % 2 === 0 && one === at);
    const untilMs = mark === -1 ? endedMs : (stepTimes[mark + 1] ?? endedMs);
    const isTimed = mark !== -1 || at === stepAt;
    times.set(step, (times.get(step) ?? 0) + (isTimed ? untilMs - fromMs : 0));
    if (isTimed) fromMs = untilMs;
  }
  const last = stepNames[stepAt];
  const endedAt = last === "judge" && reply?.kind === "failed" ? "attempt" : last;
  if (endedAt !== last) times.delete("judge");
  // The time in which the caller was asked is not the time of the call.
  const attemptMs = times.get("attempt");
  if (attemptMs !== undefined) times.set("attempt", attemptMs - waitedMs);
  return { endedAt, steps: [...times].map(([step, ms]) => ({ step, ms: Math.max(0, Math.round(ms * 10) / 10) })) };
}

/** A message of this many bytes is written at once, so that all of it has left if any of it has. */
const MAX_WRITTEN_AT_ONCE = 64 * 1_024;

/** How much of the message had left for the upstream. */
function readSent({ wasSent, reply, bodyBytes }: FinishedCall): CallPassage["sent"] {
  if (!wasSent) return "nothing";
  if (reply === undefined) return undefined;
  if (reply.kind === "answer" || reply.hasAnswered === true) return "all";
  const { fault, isOld } = reply;
  if (isOld === true || fault.effect === "none") return "nothing";
  if (fault.reason === transport.failed.id) return "part";
  return fault.reason === transport.connection_lost.id && bodyBytes > MAX_WRITTEN_AT_ONCE ? "part" : "all";
}

/** What the client says about itself: in the request, or when its session began. */
function statedClient({ message, sessionClient }: FinishedCall): unknown {
  const stated = message?.method === "initialize" ? message.params?.["clientInfo"] : message?.meta?.[CLIENT_INFO_KEY];
  return stated ?? sessionClient;
}

/** The most characters of a client's name, and of its version. */
const MAX_CLIENT_TEXT = 64;

/** What a client says about itself, bounded and without secrets. Undefined if it has no name. */
export function cleanClient(stated: unknown, secrets?: SecretFilter): CallerClient | undefined {
  if (!isObject(stated)) return undefined;
  const [name, version] = ["name", "version"].map((member) => {
    const text = stringAt(stated, member);
    const line = text === undefined ? "" : cleanLogText(text, { secrets }).replaceAll(/\s+/g, " ");
    return line.trim().slice(0, MAX_CLIENT_TEXT).toWellFormed();
  });
  return name ? { name, version: version || undefined } : undefined;
}
