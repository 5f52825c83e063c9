import type { Fault } from "@recourse/core";
import { readCallOutcome, writeCallOutcome } from "@recourse/core/proxy";
import { content, core, protocol, tool as toolReasons } from "@recourse/core/reasons";
import { arrayAt, isObject, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/core/wire";
import { fromFlags, toFlags } from "../call/abilities.ts";
import type { Call, Leg, Step } from "../call/call.ts";
import { FairPool } from "../limits/fair-pool.ts";
import { shareFault } from "../limits/shares.ts";
import type { ReplicaBus } from "../stores/replica-bus.ts";
import { type AskedQuestion, encodeAsks, forLeg, withResponseId } from "./held-call.ts";
import type { HeldCalls, Joined, Joining } from "./held-calls.ts";

export interface HeldLegsOptions {
  readonly bus: ReplicaBus;
  readonly held: HeldCalls;
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

interface HeldRemoteOptions {
  readonly bus: ReplicaBus;
  readonly held: Pick<HeldCalls, "join">;
}

/**
 * What a leg that joins at another replica gets: the same, or that answer or answers are too large to be handed over.
 */
type JoinedRemote = Joined | "answer too large" | "responses too large";

const MAX_HANDED_BYTES = 4 * 1_024 * 1_024;
/** The replica that asks ends a wait; its owner ends it only if that replica is gone. */
const OWNER_GRACE_MS = 5_000;

/** Hands legs to the replica that holds their call, and takes those of others. */
class HeldRemote {
  readonly #options: HeldRemoteOptions;
  /** The legs of other replicas that wait here, by replica and leg. */
  readonly #guests = new Map<string, AbortController>();
  #lastLeg = 0;

  constructor(options: HeldRemoteOptions) {
    const { bus } = options;
    this.#options = options;
    bus.on("held.continue", (body, from) => this.#host(body, from));
    bus.on("held.left", (body, from) => {
      this.#guests.get(guestName(from, stringAt(body, "leg")))?.abort();
      return undefined;
    });
  }

  /** Brings answers to a call that another replica holds, and waits for what comes next. */
  async join(owner: string, joining: Joining): Promise<JoinedRemote> {
    const { bus } = this.#options;
    const { held, caller, responses, abilities, waitMs, signal } = joining;
    const bytes = [...responses.values()].reduce((sum, one) => sum + one.length, 0);
    if (bytes > MAX_HANDED_BYTES) return "responses too large";
    this.#lastLeg += 1;
    const leg = String(this.#lastLeg);
    const late = new AbortController();
    const deadline = setTimeout(() => late.abort(), waitMs);
    const body = { held, leg, caller, waitMs, abilities: toFlags(abilities), responses: encodeResponses(responses) };
    const answer = await bus.ask(owner, "held.continue", body, {
      timeoutMs: waitMs + OWNER_GRACE_MS,
      signal: AbortSignal.any([signal, late.signal]),
    });
    clearTimeout(deadline);
    if (answer !== undefined) return readJoined(answer);
    bus.send(owner, "held.left", { leg });
    if (signal.aborted) return "left";
    return late.signal.aborted ? "late" : "gone";
  }

  /** A leg of another replica joins a call of this one. */
  async #host(body: JsonObject, from: string): Promise<JsonObject | undefined> {
    const { held } = this.#options;
    const [id, leg, caller] = [stringAt(body, "held"), stringAt(body, "leg"), stringAt(body, "caller")];
    const waitMs = memberAt(body, "waitMs");
    if (id === undefined || leg === undefined || caller === undefined || typeof waitMs !== "number") return undefined;
    const name = guestName(from, leg);
    const left = new AbortController();
    this.#guests.set(name, left);
    try {
      const joined = await held.join({
        held: id,
        caller,
        responses: readLegResponses(objectAt(body, "responses")),
        abilities: fromFlags(stringAt(body, "abilities") ?? ""),
        waitMs: waitMs + OWNER_GRACE_MS,
        signal: left.signal,
        // Progress is not worth a message to another replica.
        notify() {},
      });
      return encodeJoined(joined);
    } finally {
      this.#guests.delete(name);
    }
  }
}

function guestName(from: string, leg: string | undefined): string {
  return `${from} ${leg ?? ""}`;
}

/** Base64, since JSON within JSON could become twice as long. */
function encodeResponses(responses: ReadonlyMap<string, Buffer>): JsonObject {
  return Object.fromEntries([...responses].map(([key, value]) => [key, value.toString("base64")]));
}

function readLegResponses(sent: JsonObject | undefined): ReadonlyMap<string, Buffer> {
  const texts = Object.entries(sent ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return new Map(texts.map(([key, text]) => [key, Buffer.from(text, "base64")]));
}

function bytesAt(value: unknown, name: string): Buffer | undefined {
  const text = stringAt(value, name);
  return text === undefined ? undefined : Buffer.from(text, "base64");
}

function encodeJoined(joined: Joined): JsonObject {
  if (typeof joined === "string") return { no: joined };
  if ("fault" in joined) return { fault: writeCallOutcome(joined) };
  if ("answer" in joined) {
    return joined.answer.length > MAX_HANDED_BYTES
      ? { no: "answer too large" }
      : { answer: joined.answer.toString("base64") };
  }
  return {
    asks: joined.asks.map(({ key, method, params }) => ({ key, method, params: params.toString("base64") })),
  };
}

const LEG_REFUSALS: ReadonlySet<unknown> = new Set(["gone", "busy", "late", "left", "answer too large"]);

/** The same, read. What cannot be read is nothing that one could go on with. */
function readJoined(body: JsonObject): JoinedRemote {
  const no = memberAt(body, "no");
  if (LEG_REFUSALS.has(no)) return no as JoinedRemote;
  const answer = bytesAt(body, "answer");
  if (answer !== undefined) return { answer };
  const outcome = readCallOutcome(stringAt(body, "fault") ?? "");
  if (outcome !== undefined && "fault" in outcome) return outcome;
  const asks = (arrayAt(body, "asks") ?? []).filter(isObject).flatMap((one): AskedQuestion[] => {
    const [key, method, params] = [stringAt(one, "key"), stringAt(one, "method"), bytesAt(one, "params")];
    return key === undefined || method === undefined || params === undefined ? [] : [{ key, method, params }];
  });
  return asks.length === 0 ? "gone" : { asks };
}
