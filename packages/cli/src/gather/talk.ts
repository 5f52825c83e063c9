import type { JsonObject } from "@recourse/faults/internal-do-not-use";
import type { Answer, Exchange, Sent, WrongField } from "../recording/recording.ts";
import { STIMULI, type StimulusName } from "../recording/stimuli.ts";
import { withEnvelope } from "../wire/envelope.ts";
import { ABORTED, type Conversation, type Outgoing } from "./conversation.ts";

/** What an exchange is about. */
interface Label {
  readonly stimulus: StimulusName;
  readonly variant?: string | undefined;
  /** The real tool that is meant. */
  readonly tool?: string | undefined;
  readonly wrong?: readonly WrongField[] | undefined;
  /** An answer of this kind is not kept: it will be tried again. */
  readonly unless?: Answer["kind"] | undefined;
}

/** A conversation that keeps what is sent and received, within a limit of requests and time. */
export interface Talk {
  readonly conversation: Conversation;
  /** Sends and records. Undefined if nothing more may be sent. */
  send(label: Label, outgoing: Outgoing): Promise<Answer | undefined>;
  /** Sends a request of this era and records it. */
  request(
    label: Label,
    method: string,
    params: unknown,
    more?: Omit<Outgoing, "message" | "id">,
  ): Promise<Answer | undefined>;
  /** Keeps an exchange that was not made here. */
  keep(label: Label, sent: Sent, answer: Answer): void;
  /** Notes that a group is not sent, or not wholly. The first reason stays. */
  leaveOut(stimulus: StimulusName, because: string): void;
  /** What was kept so far, in an order that does not depend on timing. */
  exchanges(): readonly Kept[];
  leftOut(): ReadonlyMap<StimulusName, string>;
}

/** An exchange before it has an id. */
export type Kept = Omit<Exchange, "id">;

/** What one talk may use up. */
export interface TalkLimits {
  /** Requests of all talks of an era. */
  readonly budget: Budget;
}

/** What is left of the requests and the time of an era. */
export interface Budget {
  requests: number;
  readonly until: number;
  readonly now: () => number;
}

/** Records what a conversation sends and receives. */
export function talkOver(conversation: Conversation, { budget }: TalkLimits): Talk {
  const kept: Kept[] = [];
  const leftOut = new Map<StimulusName, string>();
  const leaveOut = (stimulus: StimulusName, because: string): void => {
    if (!leftOut.has(stimulus)) leftOut.set(stimulus, because);
  };
  const keep = (label: Label, sent: Sent, answer: Answer): void => {
    const { stimulus, variant, tool, wrong } = label;
    kept.push({
      stimulus,
      ...(variant === undefined ? {} : { variant }),
      ...(tool === undefined ? {} : { tool }),
      sent: wrong === undefined ? sent : { ...sent, wrong },
      answer,
    });
  };
  const send: Talk["send"] = async (label, outgoing) => {
    const because =
      conversation.ended() ??
      (budget.requests <= 0 ? "The limit of requests was reached." : undefined) ??
      (budget.now() >= budget.until ? "The limit of time was reached." : undefined);
    if (because !== undefined) {
      leaveOut(label.stimulus, because);
      return undefined;
    }
    budget.requests -= 1;
    const { sent, answer } = await conversation.send(outgoing);
    // An answer that was cut off by the user says nothing about the server.
    if (conversation.ended() === ABORTED) {
      leaveOut(label.stimulus, ABORTED);
      return undefined;
    }
    if (answer.kind !== label.unless) keep(label, sent, answer);
    return answer;
  };
  return {
    conversation,
    send,
    keep,
    leaveOut,
    request(label, method, params, more = {}) {
      const id = conversation.nextId();
      const message: JsonObject = { jsonrpc: "2.0", id, method, params: withEnvelope(conversation.revision, params) };
      return send(label, { ...more, message, id });
    },
    exchanges: () => kept,
    leftOut: () => leftOut,
  };
}

const ORDER = Object.keys(STIMULI);

/** Gives every exchange its id. Exchanges are ordered by group, then tool; calls that overlap end in any order. */
export function withIds(revision: string, kept: readonly Kept[], tools: readonly string[]): Exchange[] {
  const rank = (one: Kept): number => ORDER.indexOf(one.stimulus) * 10_000 + (tools.indexOf(one.tool ?? "") + 1);
  const seen = new Map<string, number>();
  return [...kept]
    .sort((one, other) => rank(one) - rank(other))
    .map((one) => {
      const base = [revision, one.stimulus, one.variant, one.tool]
        .filter((part) => part !== undefined)
        .map((part) => plain(part))
        .join("/");
      const count = (seen.get(base) ?? 0) + 1;
      seen.set(base, count);
      return { id: count === 1 ? base : `${base}/${count}`, ...one };
    });
}

/** Names of servers may hold anything; ids are typed and printed. */
function plain(part: string): string {
  return part.replaceAll(/[^\w.:-]+/g, "_").slice(0, 80);
}
