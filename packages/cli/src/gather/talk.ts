import type { JsonObject } from "@recourse/core/wire";
import {
  type LeftOutGroup,
  type RecordedAnswer,
  type RecordedExchange,
  STIMULI,
  type StimulusName,
  type UntestedReason,
  type WrongField,
} from "../recording/recording.ts";
import { withEnvelope } from "../wire/messages.ts";
import {
  type ExchangeSequel,
  PROBE_ENDED,
  type ProbeConversation,
  type ProbeExchange,
  type StimulusRequest,
} from "./conversation.ts";

/** What an exchange is about. */
interface ExchangeLabel {
  readonly stimulus: StimulusName;
  readonly variant?: string | undefined;
  /** The real tool that is meant. */
  readonly tool?: string | undefined;
  readonly wrong?: readonly WrongField[] | undefined;
  /** Whether an answer is not kept, because the request is sent again. @default all are kept */
  readonly unless?: ((answer: RecordedAnswer) => boolean) | undefined;
}

/** A conversation that keeps what is sent and received, within a limit of requests and time. */
export interface Talk {
  readonly conversation: ProbeConversation;
  /** Sends and records. Undefined if nothing more may be sent. */
  send(label: ExchangeLabel, outgoing: StimulusRequest): Promise<RecordedAnswer | undefined>;
  /** Sends a request of this era and records it. */
  request(
    label: ExchangeLabel,
    method: string,
    params: unknown,
    more?: Omit<StimulusRequest, "message" | "id">,
  ): Promise<RecordedAnswer | undefined>;
  /** Keeps an exchange that was not made here. */
  keep(label: ExchangeLabel, exchange: ProbeExchange): void;
  /**
   * Notes that a group is not sent, or not wholly. The first reason stays. Without `untested` the server has nothing of the
   * kind.
   */
  leaveOut(stimulus: StimulusName, because: string, untested?: UntestedReason): void;
  /** What was kept so far, in an order that does not depend on timing. */
  exchanges(): readonly UnnumberedExchange[];
  leftOut(): readonly LeftOutGroup[];
}

/** An exchange before it has an id. */
type UnnumberedExchange = Omit<RecordedExchange, "id">;

/** What is left of the requests and the time of an era. */
export interface ProbeBudget {
  requests: number;
  readonly until: number;
  readonly now: () => number;
}

/** Records what a conversation sends and receives. */
export function talkOver(conversation: ProbeConversation, budget: ProbeBudget): Talk {
  const kept: (UnnumberedExchange & { readonly later: (() => ExchangeSequel) | undefined })[] = [];
  const leftOut = new Map<StimulusName, LeftOutGroup>();
  const leaveOut: Talk["leaveOut"] = (stimulus, because, untested) => {
    if (!leftOut.has(stimulus))
      leftOut.set(stimulus, { stimulus, because, ...(untested !== undefined && { untested }) });
  };
  const keep: Talk["keep"] = ({ stimulus, variant, tool, wrong }, { sent, answer, later }) => {
    kept.push({
      stimulus,
      ...(variant === undefined ? {} : { variant }),
      ...(tool === undefined ? {} : { tool }),
      sent: wrong === undefined ? sent : { ...sent, wrong },
      answer,
      later,
    });
  };
  const send: Talk["send"] = async (label, outgoing) => {
    const ended = conversation.ended();
    const because =
      ended ??
      (budget.requests <= 0 ? "The limit of requests was reached." : undefined) ??
      (budget.now() >= budget.until ? "The limit of time was reached." : undefined);
    if (because !== undefined) {
      leaveOut(label.stimulus, because, ended === undefined ? "limit" : "ended");
      return undefined;
    }
    budget.requests -= 1;
    const exchange = await conversation.send(outgoing);
    const { answer } = exchange;
    // An answer that was cut off by the user says nothing about the server.
    if (conversation.ended() === PROBE_ENDED) {
      leaveOut(label.stimulus, PROBE_ENDED, "ended");
      return undefined;
    }
    if (label.unless?.(answer) !== true) keep(label, exchange);
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
    exchanges: () => kept.map(({ later, ...exchange }) => ({ ...exchange, ...later?.() })),
    leftOut: () => [...leftOut.values()],
  };
}

const STIMULUS_ORDER = Object.keys(STIMULI);

/** Gives every exchange its id. Exchanges are ordered by group, then tool; calls that overlap end in any order. */
export function withIds(
  revision: string,
  kept: readonly UnnumberedExchange[],
  tools: readonly string[],
): RecordedExchange[] {
  const rank = (one: UnnumberedExchange): number =>
    STIMULUS_ORDER.indexOf(one.stimulus) * 10_000 + (tools.indexOf(one.tool ?? "") + 1);
  const seen = new Map<string, number>();
  return [...kept]
    .sort((one, other) => rank(one) - rank(other))
    .map((one) => {
      const base = [revision, one.stimulus, one.variant, one.tool]
        .filter((part) => part !== undefined)
        .map(idPart)
        .join("/");
      const count = (seen.get(base) ?? 0) + 1;
      seen.set(base, count);
      return { id: count === 1 ? base : `${base}/${count}`, ...one };
    });
}

/** Names of servers may hold anything; ids are typed and printed. */
function idPart(part: string): string {
  return part.replaceAll(/[^\w.:-]+/g, "_").slice(0, 80);
}
