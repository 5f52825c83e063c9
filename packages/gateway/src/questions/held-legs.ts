import type { Fault } from "@recourse/core";
import { content, core, protocol, tool as toolReasons } from "@recourse/core/reasons";
import { skipSpace, valuesOf } from "../call/json-bytes.ts";
import type { Call, Leg, Step } from "../call/call.ts";
import { withSpans } from "../call/json-edit.ts";
import type { RequestMessage } from "../call/message.ts";
import { FairPool } from "../limits/fair-pool.ts";
import { shareFault } from "../limits/shares.ts";
import type { ReplicaBus } from "../stores/replica-bus.ts";
import type { AskedQuestion } from "./held-call.ts";
import type { HeldCalls } from "./held-calls.ts";
import { HeldRemote, type JoinedRemote, MAX_HANDED_BYTES } from "./held-remote.ts";

export interface HeldLegsOptions {
  readonly bus: ReplicaBus;
  readonly held: HeldCalls;
  /** How often the owner of a call says that it still works, in ms. @default 1_000 */
  readonly aliveMs?: number | undefined;
  /** How long an owner may say nothing, in ms. @default 3_000 */
  readonly silentMs?: number | undefined;
  /** How many legs wait for other replicas at one moment, divided among callers. @default 1_024 */
  readonly maxRemote?: number | undefined;
}

const MAX_REMOTE_LEGS = 1_024;
/** A caller can always have so many. */
const LEAST_REMOTE_LEGS = 8;

/** Calls that go on with a held one, here or at another replica. */
export class HeldLegs {
  readonly #options: HeldLegsOptions;
  readonly #remote: HeldRemote;
  /** Legs take no share of their upstream, so those that wait elsewhere have shares of their own. */
  readonly #pool: FairPool;

  constructor(options: HeldLegsOptions) {
    const { maxRemote = MAX_REMOTE_LEGS } = options;
    this.#options = options;
    this.#pool = new FairPool({ capacity: maxRemote, least: Math.min(LEAST_REMOTE_LEGS, maxRemote) });
    this.#remote = new HeldRemote(options);
  }

  /** Brings the answers of a leg to its call, and waits for what comes next: an answer, a fault, or further questions. */
  async continue(call: Call, leg: Leg, waitMs: number): Promise<Fault | undefined> {
    const { bus, held } = this.#options;
    const { message, caller, id, origin, abilities } = call;
    if (message === undefined || caller === undefined || id === undefined) return goneFault(call);
    const joining = {
      held: leg.held,
      caller: caller.id,
      responses: leg.responses,
      abilities,
      waitMs,
      signal: origin.signal,
      notify(notification: Buffer) {
        const shown = origin.signal.aborted ? undefined : forLeg(notification, message);
        if (shown !== undefined) origin.notify(shown);
      },
    };
    if (leg.replica === bus.replica) return acceptJoined(call, id, await held.join(joining), waitMs);
    if (!this.#pool.take(caller, 1)) return shareFault("calls", this.#pool.fairShare(caller));
    try {
      return acceptJoined(call, id, await this.#remote.join(leg.replica, joining), waitMs);
    } finally {
      this.#pool.give(caller, 1);
    }
  }
}

/** A step that continues a held call if the call is a leg of one, and runs the given step otherwise. */
export function continueHeldCall({ legs, now }: ContinueOptions, attempt: Step): Step {
  return (call) => {
    const { leg } = call;
    return leg === undefined
      ? attempt(call)
      : legs.continue(call, leg, Math.max(0, Math.floor(call.deadlineMs - now())));
  };
}

interface ContinueOptions {
  readonly legs: HeldLegs;
  readonly now: () => number;
}

/** Another leg may be done soon. */
const LEG_BUSY_MS = 1_000;

function acceptJoined(call: Call, id: string, joined: JoinedRemote, waitedMs: number): Fault | undefined {
  const origin = { layer: "gateway" } as const;
  if (typeof joined === "string") {
    switch (joined) {
      case "gone":
        return goneFault(call);
      case "busy":
        // It brought nothing, so it may come again.
        return core.conflict.fault({}, { effect: "none", retry: { allowed: true, afterMs: LEG_BUSY_MS } });
      case "late":
        call.reply = { kind: "failed", fault: core.timeout.fault({ timeoutMs: waitedMs }, { origin }) };
        return undefined;
      case "left":
        call.reply = { kind: "failed", fault: core.cancelled.fault({}, { origin }) };
        return undefined;
      case "answer too large":
        return toolReasons.result_too_large.fault({ maxSize: MAX_HANDED_BYTES });
      case "responses too large":
        return content.message_too_large.fault({ maxSize: MAX_HANDED_BYTES });
      default:
        return joined satisfies never;
    }
  }
  if ("fault" in joined) {
    // The held call has stamped and reported it.
    call.isRepeat = true;
    return joined.fault;
  }
  const state = call.message?.params?.["requestState"];
  call.answer = "answer" in joined ? withResponseId(joined.answer, id) : encodeAsks(id, joined.asks, state as string);
  return undefined;
}

/**
 * The held call is over, or the replica that held it is gone. It may have done something before, so its caller looks
 * first. Repeating this message with its state would not help.
 */
function goneFault({ message, route, key }: Call): Fault {
  const upstream = route?.kind === "upstream" ? route : undefined;
  const isHarmless =
    message?.method !== "tools/call" ||
    (upstream?.tool?.readOnly === true && upstream.upstream.options.trustAnnotations === true);
  const again = key === undefined ? "call again" : "call again with the same key";
  const expected = `left out, with inputResponses: the call that asked is over; ${again}`;
  return protocol.request_state_invalid.fault(
    {},
    {
      effect: isHarmless ? "none" : "possible",
      retry: { allowed: false },
      issues: [{ pointer: "/requestState", rule: "custom", expected }],
      recourse: [{ do: "refresh" }],
    },
  );
}

/** The response that asks a caller, as bytes. The params of the questions stay as they are. `id` is JSON. */
export function encodeAsks(id: string, asks: readonly AskedQuestion[], state: string): Buffer {
  const pieces: Buffer[] = [
    Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","inputRequests":{`),
  ];
  asks.forEach(({ key, method, params }, at) => {
    const comma = at === 0 ? "" : ",";
    const begin = `${comma}${JSON.stringify(key)}:{"method":${JSON.stringify(method)},"params":`;
    pieces.push(Buffer.from(begin), params, Buffer.from("}"));
  });
  pieces.push(Buffer.from(`},"requestState":${JSON.stringify(state)}}}`));
  return Buffer.concat(pieces);
}

/** A JSON-RPC response with another id. The rest stays as it is. */
export function withResponseId(response: Buffer, id: string): Buffer {
  const known = valuesOf(response, skipSpace(response, 0), "id");
  return known.length === 0 ? response : withSpans(response, known, id);
}

/**
 * A notification of a held call as the call that waits for it may read it: progress goes by the token of that call, and
 * is dropped if it has none.
 */
export function forLeg(notification: Buffer, { meta }: RequestMessage): Buffer | undefined {
  const start = skipSpace(notification, 0);
  const method = valuesOf(notification, start, "method").at(-1);
  if (method === undefined) return undefined;
  if (notification.toString("utf8", method.start, method.end) !== '"notifications/progress"') return notification;
  const token = meta?.["progressToken"];
  if (typeof token !== "string" && typeof token !== "number") return undefined;
  const params = valuesOf(notification, start, "params").at(-1);
  const known = params === undefined ? [] : valuesOf(notification, params.start, "progressToken");
  return known.length === 0 ? undefined : withSpans(notification, known, JSON.stringify(token));
}
