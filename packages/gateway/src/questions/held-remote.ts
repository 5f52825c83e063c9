import { readCallOutcome, writeCallOutcome } from "@recourse/core/proxy";
import { arrayAt, isObject, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/core/wire";
import { fromFlags, toFlags } from "../call/abilities.ts";
import type { ReplicaBus } from "../stores/replica-bus.ts";
import type { AskedQuestion } from "./held-call.ts";
import type { HeldCalls, Joined, Joining } from "./held-calls.ts";

interface HeldRemoteOptions {
  readonly bus: ReplicaBus;
  readonly held: Pick<HeldCalls, "join">;
  /** How often the owner of a call says that it still works, in ms. @default 1_000 */
  readonly aliveMs?: number | undefined;
  /** How long an owner may say nothing, in ms. @default 3_000 */
  readonly silentMs?: number | undefined;
}

/**
 * What a leg that joins at another replica gets: the same, or that answer or answers are too large to be handed over.
 */
export type JoinedRemote = Joined | "answer too large" | "responses too large";

export const MAX_HANDED_BYTES = 4 * 1_024 * 1_024;
const ALIVE_MS = 1_000;
const SILENT_MS = 3_000;
/** The replica that asks ends a wait; its owner ends it only if that replica is gone. */
const OWNER_GRACE_MS = 5_000;

/** A leg of this process that waits for a call at another replica. */
interface RemoteWait {
  readonly owner: string;
  heard(): void;
  notify(message: Buffer): void;
}

/** Hands legs to the replica that holds their call, and takes those of others. */
export class HeldRemote {
  readonly #options: HeldRemoteOptions;
  readonly #waits = new Map<string, RemoteWait>();
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
    bus.on("held.alive", (body, from) => {
      this.#waitFor(body, from)?.heard();
      return undefined;
    });
    bus.on("held.notify", (body, from) => {
      const message = bytesAt(body, "message");
      if (message !== undefined) this.#waitFor(body, from)?.notify(message);
      return undefined;
    });
  }

  /** Brings answers to a call that another replica holds, and waits for what comes next. */
  async join(owner: string, joining: Joining): Promise<JoinedRemote> {
    const { bus, silentMs = SILENT_MS } = this.#options;
    const { held, caller, responses, abilities, waitMs, signal, notify } = joining;
    const bytes = [...responses.values()].reduce((sum, one) => sum + one.length, 0);
    if (bytes > MAX_HANDED_BYTES) return "responses too large";
    this.#lastLeg += 1;
    const leg = String(this.#lastLeg);
    const over = new AbortController();
    const watch = setTimeout(() => over.abort("gone"), silentMs);
    const deadline = setTimeout(() => over.abort("late"), waitMs);
    this.#waits.set(leg, { owner, heard: () => watch.refresh(), notify });
    const body = { held, leg, caller, waitMs, abilities: toFlags(abilities), responses: encodeResponses(responses) };
    const answer = await bus.ask(owner, "held.continue", body, {
      timeoutMs: waitMs + OWNER_GRACE_MS,
      signal: AbortSignal.any([signal, over.signal]),
    });
    clearTimeout(watch);
    clearTimeout(deadline);
    this.#waits.delete(leg);
    if (answer !== undefined) return readJoined(answer);
    bus.send(owner, "held.left", { leg });
    if (signal.aborted) return "left";
    return over.signal.reason === "late" ? "late" : "gone";
  }

  /** A leg of another replica joins a call of this one. */
  async #host(body: JsonObject, from: string): Promise<JsonObject | undefined> {
    const { bus, held, aliveMs = ALIVE_MS } = this.#options;
    const [id, leg, caller] = [stringAt(body, "held"), stringAt(body, "leg"), stringAt(body, "caller")];
    const waitMs = memberAt(body, "waitMs");
    if (id === undefined || leg === undefined || caller === undefined || typeof waitMs !== "number") return undefined;
    const name = guestName(from, leg);
    const left = new AbortController();
    this.#guests.set(name, left);
    const sayAlive = () => bus.send(from, "held.alive", { leg });
    const timer = setInterval(sayAlive, aliveMs);
    try {
      const joined = await held.join({
        held: id,
        caller,
        responses: readLegResponses(objectAt(body, "responses")),
        abilities: fromFlags(stringAt(body, "abilities") ?? ""),
        waitMs: waitMs + OWNER_GRACE_MS,
        signal: left.signal,
        notify: (message) => bus.send(from, "held.notify", { leg, message: message.toString("base64") }),
      });
      return encodeJoined(joined);
    } finally {
      clearInterval(timer);
      this.#guests.delete(name);
    }
  }

  /** The wait that a message of its owner is about. */
  #waitFor(body: JsonObject, from: string): RemoteWait | undefined {
    const wait = this.#waits.get(stringAt(body, "leg") ?? "");
    return wait?.owner === from ? wait : undefined;
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
