import { mayBeFailure } from "../dialects/envelope.ts";
import { peek, peekInteger, peekString } from "../errors/peek.ts";
import { amendFault } from "../fault/amend.ts";
import type { Fault } from "../fault/fault.ts";
import { isEffectAssumed } from "../fault/provenance.ts";
import type { FailedAnswer, OperationSpan } from "../incidents/incident.ts";
import { caller_unknown } from "../reasons/library/idempotency.ts";
import { type AttemptResponse, isFullWait, readAttemptResponse } from "../retry/breaker.ts";
import { type AttemptFailure as FailedCall, type FailureEvidence, isAttemptFailure } from "../retry/call.ts";
import type { AttemptInfo, DecisionRecord, LoopGuard } from "../retry/index.ts";
import { joinSecretFilters } from "../safety/secrets.ts";
import type { ClientLike, SdkClient } from "../sdk/client.ts";
import { isObject, memberAt } from "../wire/json.ts";
import { CALL_KEY } from "../wire/names.ts";
import type { ClientState, McpRequest } from "./client-state.ts";
import { loadReader } from "./connection.ts";
import { answeredCode, type FailedAttempt, finalizeFault } from "./finalize-fault.ts";
import type { CallFailure, CallOptions, CallSuccess, InputRequired, Outcome } from "./options.ts";
import { type AttemptEnding, findHttpFailure, type RequestToSend, sendAttempt } from "./send.ts";
import type { ExchangeRecord } from "./transport/types.ts";

type AnsweredCall<T> = CallSuccess<T> | InputRequired;

export class CallSession<C extends ClientLike> {
  readonly #state: ClientState<C>;
  readonly #request: McpRequest;
  readonly #options: CallOptions;
  readonly #id: string;
  #key: string | undefined;
  readonly #startedMs: number;
  /** Attempts that were sent, and whether each of them carried the key. */
  #attempts = 0;
  #keyed = true;
  #last: FailedAttempt | undefined;
  #incident: string | undefined;

  constructor(state: ClientState<C>, request: McpRequest, options: CallOptions) {
    this.#state = state;
    this.#request = request;
    this.#options = options;
    this.#startedMs = state.monotonic();
    this.#id = state.createId();
    const { autoIdempotency } = state.options;
    this.#key =
      options.idempotencyKey ??
      (autoIdempotency === true && state.autoKeysRefused !== true ? state.createId() : undefined);
  }

  /** Makes the call; never rejects. */
  run<T>(guard: LoopGuard): Promise<Outcome<T> | InputRequired> {
    return this.#traced("call", () => this.#run<T>(guard));
  }

  async #run<T>(guard: LoopGuard): Promise<Outcome<T> | InputRequired> {
    const { engine, deadlineMs, options } = this.#state;
    const call = {
      tool: this.#request.name,
      arguments: { ...this.#request.params, ...this.#options.input },
      repeatable: () => this.#isRepeatable(),
      deadlineMs: this.#options.deadlineMs ?? deadlineMs,
      signal: this.#options.signal,
      reauthorize: options.reauthorize,
      onDecision: (entry: DecisionRecord) => {
        if (entry.fault !== undefined && entry.decision?.do === "repeat")
          this.#finalized(entry.fault, entry.decision.waitMs);
        options.retry?.onDecision?.(entry);
      },
      guard,
    };
    const outcome = await engine.run<AnsweredCall<T>>(call, (info) =>
      this.#traced("request", (span) => this.#attempt<T>(info, span)),
    );
    if (isAttemptFailure(outcome)) return this.#failed(outcome.fault);
    if (!outcome.ok || this.#attempts < 2) return outcome;
    return { ...outcome, tried: { attempts: this.#attempts, elapsedMs: this.#elapsedMs() } };
  }

  /** Runs a part of the call in a span of its own, if there is telemetry. */
  #traced<T extends object>(what: "call" | "request", work: (span?: OperationSpan) => Promise<T>): Promise<T> {
    const { telemetry } = this.#state.options;
    if (telemetry === undefined) return work();
    const attempt = what === "request" ? this.#attempts + 1 : undefined;
    const { method, name } = this.#request;
    return telemetry.run({ what, side: "client", method, name, attempt }, async (span) => {
      const outcome = await work(span);
      if (isAttemptFailure(outcome)) span.failed(outcome.fault, describeFailedAnswer(this.#last));
      return outcome;
    });
  }

  async #attempt<T>(info: AttemptInfo, span?: OperationSpan): Promise<AnsweredCall<T> | FailedCall> {
    const { connection, options, monotonic } = this.#state;
    const startedMs = monotonic();
    const client = connection.ready() ?? (await connection.restored(info.leftMs, info.signal));
    if ("kind" in client) return { ok: false, fault: client, sent: false };
    // Another server may have taken over since the rules were checked, one that does not honour the key.
    const before = this.#last?.fault;
    if (before !== undefined && before.effect !== "none" && !this.#isRepeatable()) return { ok: false, fault: before };
    const leftMs = info.leftMs - (monotonic() - startedMs);
    const limitMs = Math.max(0, Math.min(leftMs, this.#options.timeoutMs ?? options.timeoutMs ?? leftMs));
    this.#attempts += 1;
    const ref = { id: this.#id, attempt: this.#attempts };
    const ending = await sendAttempt({
      client,
      method: this.#request.method,
      params: this.#params(client, limitMs, span?.context),
      ref,
      limitMs,
      signal: info.signal,
      transport: options.transport,
      more: this.#sdkOptions(),
    });
    const record = options.transport?.take(ref);
    if (ending.how === "answered" && !mayBeFailure(ending.result)) return answeredWith<T>(ending.result);
    if (this.#trustsAnnotations()) {
      await this.#state.lookup.learn({ client, leftMs: info.leftMs - (monotonic() - startedMs), signal: info.signal });
    }
    const fault = await this.#read(ending, ending.how === "lost" ? ending.record : record, { client, limitMs });
    if (fault !== undefined && this.#isAutoKeyRefused(fault)) {
      this.#state.autoKeysRefused = true;
      this.#key = undefined;
      return this.#attempt<T>({ ...info, leftMs: info.leftMs - (monotonic() - startedMs) }, span);
    }
    if (fault !== undefined) return { ok: false, fault, evidence: this.#evidence(fault, limitMs) };
    return answeredWith<T>(ending.how === "answered" ? ending.result : undefined);
  }

  /** The call did not run because the server does not know whose key it is. The caller did not ask for a key. */
  #isAutoKeyRefused({ reason, effect }: Fault): boolean {
    const isAuto = this.#key !== undefined && this.#options.idempotencyKey === undefined;
    return isAuto && reason === caller_unknown.id && effect === "none";
  }

  #sdkOptions(): RequestToSend["more"] {
    const { onProgress } = this.#options;
    const returnsInput = this.#state.options.inputRequired === "return";
    // The SDK would check a request for input against the tool's output schema.
    const definition = returnsInput ? this.#state.hints.withoutOutput(this.#request.name) : undefined;
    return {
      ...(onProgress !== undefined && { onprogress: onProgress }),
      ...(returnsInput && { allowInputRequired: true }),
      ...(definition !== undefined && { toolDefinition: definition }),
    };
  }

  #params(client: SdkClient<C>, limitMs: number, trace: OperationSpan["context"] | undefined): object {
    const key = this.#key !== undefined && client.honoursKeys() ? this.#key : undefined;
    this.#keyed &&= key !== undefined;
    const call = {
      id: this.#id,
      attempt: this.#attempts,
      ...(limitMs !== Number.POSITIVE_INFINITY && { deadlineMs: Math.floor(limitMs) }),
      ...(key !== undefined && { key }),
    };
    const { meta, input } = this.#options;
    return { ...this.#request.params, ...input, _meta: { ...trace, ...meta, [CALL_KEY]: call } };
  }

  async #read(
    ending: AttemptEnding,
    record: ExchangeRecord | undefined,
    sent: { client: SdkClient<C>; limitMs: number },
  ): Promise<Fault | undefined> {
    const { options, connection, now } = this.#state;
    const { method, name } = this.#request;
    const observed = options.transport?.connection();
    const { readAttemptFailure } = await loadReader();
    const read = readAttemptFailure(ending, {
      method,
      tool: method === "tools/call" ? name : undefined,
      secrets: joinSecretFilters(options.secrets, observed?.credentials),
      allow: options.allow,
      dialect: options.server?.dialect,
      speaksFaults: options.server?.speaksFaults,
      now: now(),
      session: sent.client.hasSession(),
      connection: observed,
      record,
      limitMs: sent.limitMs,
    });
    if (read === undefined) return undefined;
    const changedNothing = this.#isReadOnly() && isAssumedEffect(read);
    const fault = changedNothing ? amendFault(read, { effect: "none" }) : read;
    // What a server answers is about the call, whatever it names; only what broke is about the connection.
    if (ending.how !== "answered") connection.failed(sent.client, fault);
    this.#last = { fault, ending, record };
    return fault;
  }

  /** What the attempt shows about the server. A caller with little time shows less than one that waits as long as this side does. */
  #evidence(fault: Fault, limitMs: number): FailureEvidence {
    const waitedFully = isFullWait(limitMs, this.#state.answerMs);
    if (this.#last?.ending.how === "late" && !waitedFully) return { response: "silence", waitedFully };
    return { response: heardInAttempt(this.#last, fault), waitedFully };
  }

  /** The method only reads, unless the caller knows better, or a trusted server says that the tool changes nothing. */
  #isReadOnly(): boolean {
    const { method, name } = this.#request;
    if (method !== "tools/call") return this.#options.repeatable !== false;
    return this.#trustsAnnotations() && this.#state.hints.saysReadOnly(name);
  }

  /** Whether what the server says about the called tool counts. */
  #trustsAnnotations(): boolean {
    return this.#request.method === "tools/call" && this.#state.options.server?.trustAnnotations === true;
  }

  /** The caller's own word counts first, then a key that the server honours, then the annotations of a trusted server. */
  #isRepeatable(): boolean {
    const { hints, connection } = this.#state;
    if (this.#options.repeatable !== undefined) return this.#options.repeatable;
    if (this.#key !== undefined && this.#keyed && connection.client.honoursKeys()) return true;
    // The protocol's other methods only read: a server that changes something on `read` or `get` breaks its contract.
    if (this.#request.method !== "tools/call") return true;
    return this.#trustsAnnotations() && hints.saysRepeatable(this.#request.name);
  }

  #failed(fault: Fault): CallFailure {
    const raw = rawReply(this.#last);
    const isKeyed = this.#options.idempotencyKey !== undefined && this.#attempts > 0;
    return {
      ok: false,
      fault: this.#finalized(fault),
      ...(raw !== undefined && { raw }),
      ...(isKeyed && { idempotencyKey: this.#keyed ? "sent" : "ignored" }),
    };
  }

  /** Stamps a failure, and records it. All records of one call have one id, unless the server gave them ids of its own. */
  #finalized(fault: Fault, retryInMs?: number): Fault {
    const { options, now, createId, hints } = this.#state;
    const facts = {
      request: this.#request,
      attempts: this.#attempts,
      durationMs: this.#elapsedMs(),
      last: this.#last,
      retryInMs,
    };
    const createOnce = () => {
      this.#incident ??= createId();
      return this.#incident;
    };
    return finalizeFault(fault, facts, { options, now, createId: createOnce, hasTool: (name) => hints.has(name) });
  }

  #elapsedMs(): number {
    return Math.round(this.#state.monotonic() - this.#startedMs);
  }
}

function heardInAttempt(last: FailedAttempt | undefined, fault: Fault): AttemptResponse {
  if (last === undefined) return readAttemptResponse(fault);
  const { ending, record } = last;
  if (ending.how === "answered") return "answer";
  return readAttemptResponse(fault, ending.how === "threw" ? findHttpFailure(ending.error, record)?.status : undefined);
}

/** Whether this side only assumes an effect. One that the server states is not lowered by what it says about its tools. */
function isAssumedEffect(fault: Fault): boolean {
  const { effect, origin } = fault;
  const isOurs = origin.layer === "client" || origin.layer === "transport";
  return effect === "possible" && (isOurs || isEffectAssumed(fault));
}

/** The result as an outcome; its type tells one that asks for input. */
function answeredWith<T>(result: unknown): AnsweredCall<T> {
  const isInput = isObject(result) && memberAt(result, "resultType") === "input_required";
  return isInput ? { ok: false, inputRequired: result } : { ok: true, result: result as T };
}

function describeFailedAnswer(last: FailedAttempt | undefined): FailedAnswer {
  if (last?.ending.how !== "threw") return { isError: last?.ending.how === "answered" };
  return { code: answeredCode(last) };
}

function rawReply(last: FailedAttempt | undefined): unknown {
  if (last === undefined) return undefined;
  const { ending, record } = last;
  if (ending.how === "answered") return ending.result;
  if (ending.how !== "threw") return undefined;
  const { error } = ending;
  const failure = findHttpFailure(error, record);
  if (failure !== undefined) return failure;
  const code = peekInteger(error, "code");
  if (code === undefined) return undefined;
  return { code, message: peekString(error, "message"), data: peek(error, "data") };
}
