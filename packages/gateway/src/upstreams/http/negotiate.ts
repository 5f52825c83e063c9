import { amendFault, type Fault } from "@recourse/core";
import { core, protocol } from "@recourse/core/reasons";
import {
  ABORTED,
  HANDSHAKE_VERSIONS,
  hasHandshake,
  isObject,
  type JsonObject,
  LATEST_HANDSHAKE_REVISION,
  LATEST_REVISION,
  memberAt,
  objectAt,
  parseJson,
  type Revision,
  race,
  stringAt,
} from "@recourse/core/wire";
import { type Abilities, EVERY_ABILITY } from "../../call/abilities.ts";
import { type Ending, toSignal } from "../../call/ending.ts";
import { isTokenFault } from "../credentials/token-faults.ts";
import {
  type About,
  type ClientInfo,
  discoverParams,
  initializeParams,
  readAbout,
  UNSENT_BY_GATEWAY,
} from "../message.ts";
import { MAX_REFUSAL_BYTES, type PostAnswer, type PostResult } from "./answer.ts";
import type { HttpChannel } from "./channel.ts";
import { messageHeaders } from "./headers.ts";

export interface Negotiation {
  readonly era: Revision;
  readonly about: About;
  /** The session that the negotiation opened, for an upstream of the older era. No caller has used it. */
  readonly session: OpenSession | undefined;
}

/** Why the era could not be found out, or a session could not be opened. */
export interface NegotiationFailure {
  readonly fault: Fault;
  readonly cause: unknown;
}

interface NegotiateOptions {
  readonly channel: HttpChannel;
  readonly era: Revision | "auto";
  readonly client: ClientInfo;
  readonly timeoutMs: number;
}

/** Finds out the era of an upstream. No call has been sent when it fails. */
export async function negotiate(options: NegotiateOptions): Promise<Negotiation | NegotiationFailure> {
  if (options.era === "auto" || !hasHandshake(options.era)) {
    const discovered = await discover(options);
    if (discovered !== "other era") return discovered;
    if (options.era !== "auto") {
      return {
        fault: core.misconfigured.fault({}, UNSENT),
        cause: new Error(`the server does not speak ${LATEST_REVISION}`),
      };
    }
  }
  const opened = await initialize({ ...options, abilities: EVERY_ABILITY });
  if ("fault" in opened) return opened;
  return { era: LATEST_HANDSHAKE_REVISION, about: opened.about, session: opened.session };
}

async function discover(options: NegotiateOptions): Promise<Negotiation | NegotiationFailure | "other era"> {
  const posted = await options.channel.post({
    headers: messageHeaders("server/discover", undefined),
    method: "server/discover",
    id: '"discover"',
    params: discoverParams(options.client),
    timeoutMs: options.timeoutMs,
  });
  const failed = readRefusal(posted);
  if (failed !== undefined) return failed;
  const result = readResult(posted);
  const versions = result?.["supportedVersions"];
  if (result === undefined || (Array.isArray(versions) && !versions.includes(LATEST_REVISION))) return "other era";
  return { era: LATEST_REVISION, about: readAbout(result), session: undefined };
}

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;

interface NegotiateOnceOptions {
  readonly run: () => Promise<Negotiation | NegotiationFailure>;
  readonly onEnd: (ended: Negotiation | NegotiationFailure) => void;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/** Negotiates when it is first needed, once for all callers, and after a failure not before a pause is over. */
export class NegotiateOnce {
  readonly #options: NegotiateOnceOptions;
  #current: Negotiation | undefined = undefined;
  #underWay: Promise<Negotiation | Fault> | undefined = undefined;
  #failed: Fault | undefined = undefined;
  #pauseMs = 0;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(options: NegotiateOnceOptions) {
    this.#options = options;
  }

  /** What was agreed on; undefined before the first success. */
  get current(): Negotiation | undefined {
    return this.#current;
  }

  /** What was agreed on, or why nothing was. It waits only while a negotiation is under way. */
  ready(signal: Ending): Negotiation | Fault | Promise<Negotiation | Fault> {
    if (this.#current !== undefined) return this.#current;
    const leftMs = this.#notBefore - this.#options.now();
    if (this.#failed !== undefined && leftMs > 0) return waiting(this.#failed, leftMs);
    this.#underWay ??= this.#negotiate();
    return raceNegotiation(this.#underWay, toSignal(signal));
  }

  /** The upstream does not answer as it was agreed; the next caller negotiates again. */
  forget(): void {
    this.#current = undefined;
  }

  async #negotiate(): Promise<Negotiation | Fault> {
    // An answer that cannot be read is a failure like others: callers after it try again.
    const ended = await this.#options.run().catch((cause: unknown): NegotiationFailure => {
      return { fault: core.unavailable.fault({}, UNSENT), cause };
    });
    this.#underWay = undefined;
    this.#options.onEnd(ended);
    if ("fault" in ended) {
      this.#failed = ended.fault;
      this.#pauseMs = Math.min(MAX_RETRY_MS, Math.max(FIRST_RETRY_MS, this.#pauseMs * 2));
      this.#notBefore = this.#options.now() + this.#pauseMs;
      return ended.fault;
    }
    this.#failed = undefined;
    this.#pauseMs = 0;
    this.#current = ended;
    return ended;
  }
}

async function raceNegotiation(work: Promise<Negotiation | Fault>, signal: AbortSignal): Promise<Negotiation | Fault> {
  const ended = await race(work, { signal });
  return ended === ABORTED ? core.cancelled.fault({}, UNSENT_BY_GATEWAY) : ended;
}

/** The failure that is known, with the rest of the pause as the wait. */
function waiting(fault: Fault, leftMs: number): Fault {
  if (fault.retry?.allowed === false) return fault;
  return amendFault(fault, { retry: { allowed: true, afterMs: Math.ceil(leftMs) } });
}

export interface OpenSession {
  /** Undefined if the upstream has no sessions. */
  readonly id: string | undefined;
  readonly version: string;
}

interface InitializeOptions {
  readonly channel: HttpChannel;
  readonly client: ClientInfo;
  readonly abilities: Abilities;
  readonly timeoutMs: number;
}

/** Ids of sessions are visible ASCII, so they cannot break out of a header. */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

export function isSessionId(value: unknown): value is string {
  return typeof value === "string" && SESSION_ID.test(value);
}

/** Opens a session: `initialize`, and the notification that follows it. */
export async function initialize(
  options: InitializeOptions,
): Promise<{ readonly session: OpenSession; readonly about: About } | NegotiationFailure> {
  const { channel, client, abilities, timeoutMs } = options;
  const posted = await channel.post({
    headers: [],
    method: "initialize",
    id: "0",
    params: initializeParams(client, abilities),
    timeoutMs,
  });
  const refused = readRefusal(posted);
  if (refused !== undefined) return refused;
  const result = readResult(posted);
  const version = stringAt(result, "protocolVersion");
  if (
    posted.kind === "failed" ||
    result === undefined ||
    version === undefined ||
    !HANDSHAKE_VERSIONS.includes(version)
  ) {
    return { fault: core.misconfigured.fault({}, UNSENT), cause: postCause(posted) };
  }
  const id = posted.headers["mcp-session-id"];
  if (id !== undefined && !isSessionId(id)) {
    return { fault: core.misconfigured.fault({}, UNSENT), cause: new Error("an id of a session that cannot be sent") };
  }
  const session = { id, version };
  await channel.post({
    headers: sessionHeaders(session),
    method: "notifications/initialized",
    id: undefined,
    params: Buffer.from("{}"),
    timeoutMs,
  });
  return { session, about: readAbout(result) };
}

function postCause(posted: PostResult): unknown {
  return posted.kind === "failed" ? posted.cause : new Error(`HTTP status ${posted.status} to initialize`);
}

export function sessionHeaders({ id, version }: OpenSession): string[] {
  const headers = ["mcp-protocol-version", version];
  if (id !== undefined) headers.push("mcp-session-id", id);
  return headers;
}

/** The call that waits for the negotiation has not been sent. */
const UNSENT = { origin: { layer: "upstream" }, effect: "none" } as const;

/** Statuses that say nothing about the era: the next attempt may end otherwise. */
const UNDECIDED: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429]);
/** The upstream does not accept the credential of the gateway. */
const UNACCEPTED: ReadonlySet<number> = new Set([401, 403, 407]);

/** A failure that says nothing about the era; undefined if the answer says something. */
function readRefusal(posted: PostResult): NegotiationFailure | undefined {
  if (posted.kind === "failed") {
    // An answer that is not one of the protocol may still come from a server of the other era.
    if (posted.fault.reason === protocol.invalid_result.id) return undefined;
    // There was no token to send it with, which says nothing about the upstream.
    if (isTokenFault(posted.fault)) return { fault: posted.fault, cause: posted.cause };
    return { fault: unsentFault(posted.fault), cause: posted.cause };
  }
  const { status } = posted;
  if (status < 500 ? !UNDECIDED.has(status) : status === 501) return undefined;
  const reason = UNACCEPTED.has(status) ? core.misconfigured : core.unavailable;
  return { fault: reason.fault({}, UNSENT), cause: new Error(`HTTP status ${status} to the first message`) };
}

/** The call itself was not sent, whatever became of the first message. */
function unsentFault(fault: Fault): Fault {
  if (fault.effect === "none" && fault.kind === "unavailable") return fault;
  return core.unavailable.fault({}, { origin: fault.origin, effect: "none" });
}

/** The result in an answer; undefined if it is an error. */
function readResult(posted: PostResult): JsonObject | undefined {
  if (posted.kind === "failed" || posted.status !== 200) return undefined;
  const message = parseJson(posted.body.toString(), Number.POSITIVE_INFINITY);
  return isObject(message) ? objectAt(message, "result") : undefined;
}

const DOUBTED_STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 406]);
/** Codes that a server of the newer era refuses messages with; -32022 says that it speaks another one. */
const MODERN_CODES: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602, -32_020, -32_021]);

/** Whether an answer looks like that of a server which no longer speaks 2026-07-28. */
export function isDoubtful({ status, body }: PostAnswer): boolean {
  if (!DOUBTED_STATUSES.has(status) || body.length > MAX_REFUSAL_BYTES) return false;
  const message = parseJson(body.toString());
  const code = memberAt(isObject(message) ? objectAt(message, "error") : undefined, "code");
  return typeof code !== "number" || !MODERN_CODES.has(code);
}
