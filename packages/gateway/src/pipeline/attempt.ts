import type { Fault } from "@recourse/core";
import { core, transport } from "@recourse/core/reasons";
import { ABORTED, hasHandshake, hasMessageHeaders, type Revision, race, TIMED_OUT } from "@recourse/core/wire";
import { readSubjectToken } from "../auth/authenticator.ts";
import { canBeAsked } from "../call/abilities.ts";
import type { Call, CallOrigin, Step, UpstreamRoute } from "../call/call.ts";
import type { Ending } from "../call/ending.ts";
import type { RequestMessage } from "../call/message.ts";
import { type Observer, runGuarded } from "../call/observer.ts";
import { type PausableClock, PausableTimer } from "../call/pausable-timer.ts";
import { upstreamSessionKey } from "../call/session.ts";
import type { UpstreamReply, UpstreamRequest } from "../call/upstream.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CredentialCutter } from "../judge/credential-cutter.ts";
import { NotificationRelay } from "../judge/notification-relay.ts";
import { upstreamHolder } from "../limits/shares.ts";
import { type AskCallerParts, CallerQuestions } from "../questions/ask-caller.ts";
import { attemptId } from "../questions/ask-for-input.ts";
import { inTaskSession } from "../tasks/rewrite-task.ts";
import { mayBecomeTask } from "../tasks/task-support.ts";
import { isFetched } from "../upstreams/credentials/upstream-tokens.ts";
import { paramHeaders } from "../upstreams/http/headers.ts";
import { hopParams } from "./hop-params.ts";

/** What an attempt needs beside the call. */
export interface AttemptOptions {
  readonly catalog: Pick<Catalog, "onNotification">;
  readonly observer: Pick<Observer, "traceparent" | "unexpected">;
  readonly cutter: CredentialCutter;
  /** How callers are asked what their upstream wants to know. */
  readonly ask: AskCallerParts;
  /** The gateway as a client, as JSON. */
  readonly clientInfo: string;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
}

/** Sends the message to its upstream, or answers it here. */
export function attemptCall(options: AttemptOptions): Step {
  return (call) => {
    const { route, message } = call;
    // A stored outcome needs no attempt.
    if (call.answer !== undefined || call.callerAnswer !== undefined) return undefined;
    if (route === undefined || message === undefined) return core.internal.fault({}, { effect: "none" });
    switch (route.kind) {
      case "ignored":
        return undefined;
      case "local": {
        const answer = route.answer(call);
        return answer instanceof Promise ? answer.then((found) => wrap(call, found)) : wrap(call, answer);
      }
      case "upstream": {
        const era = route.upstream.ready(call.origin.departure ?? call.origin.signal);
        if (era instanceof Promise) return era.then((found) => sendUpstream(call, route, message, found, options));
        // A failure that is known at once is one of before.
        if (typeof era !== "string") call.reply = { kind: "failed", fault: era, isOld: true };
        return typeof era === "string" ? sendUpstream(call, route, message, era, options) : undefined;
      }
      default:
        return route satisfies never;
    }
  };
}

/** A result of the gateway itself as a response. A notification has none. */
function wrap(call: Call, result: string | Fault): Fault | undefined {
  if (typeof result !== "string") return result;
  if (call.id !== undefined) call.answer = Buffer.from(`{"jsonrpc":"2.0","id":${call.id},"result":${result}}`);
  return undefined;
}

function sendUpstream(
  call: Call,
  { upstream, target, tool, task }: UpstreamRoute,
  message: RequestMessage,
  era: Revision | Fault,
  { catalog, observer, cutter, ask, clientInfo, now }: AttemptOptions,
): Fault | undefined | Promise<Fault | undefined> {
  if (typeof era !== "string") {
    // What an upstream says about itself is judged like its answers.
    call.reply = { kind: "failed", fault: era };
    return undefined;
  }
  const ownMs = upstream.options.timeoutMs;
  const leftMs = Math.min(ownMs, Math.floor(call.deadlineMs - now()));
  if (!(leftMs > 0)) return transport.not_sent.fault();
  const { origin, caller, id, cancellation, binding, key, round, isProbe, abilities } = call;
  // A probe has the time of its upstream: callers in a hurry would waste one after the other.
  const timeoutMs = isProbe ? ownMs : leftMs;
  // A call with a key ends and is stored although its caller has left: the caller may come back for its outcome.
  const isKept = binding?.key !== undefined;
  const cancelled = isProbe ? new AbortController() : undefined;
  const traceparent = observer.traceparent(call);
  const renamed = task === undefined && isSentName(message, target) ? undefined : target;
  call.mayStartTask = mayBecomeTask(call, { upstream, era });
  const mayAsk = id !== undefined && canBeAsked(abilities);
  let questions: CallerQuestions | undefined;
  const callerTime = isProbe ? new CallerTime(leftMs, now) : undefined;
  if (cancellation !== undefined) {
    cancellation.run = () => {
      // The call continues, but the caller cannot be asked any more.
      if (isKept) {
        questions?.leave();
        return;
      }
      cancelled?.abort();
      origin.abort?.();
    };
  }
  // Headers that repeat arguments say what the call is bound to, whatever the caller sent in them.
  const own = hasMessageHeaders(call.revision) && binding === undefined ? origin.head : undefined;
  call.wasSent = true;
  const left = origin.departure ?? origin.signal;
  // What a fetched token is turns out when the message is sent.
  const shown: string[] | undefined = isFetched(upstream.options.credential) ? [] : undefined;
  call.shownTokens = shown;
  // Made with the first notification: most calls have none.
  let notices: NotificationRelay | undefined;
  const request: UpstreamRequest = {
    method: message.method,
    target,
    id: attemptId(call),
    params: hopParams(message, {
      target: renamed,
      era,
      deadlineMs: timeoutMs,
      traceparent,
      clientInfo,
      arguments: binding?.arguments,
      key,
      round,
      passesTask: call.mayStartTask && hasHandshake(era),
      logLevel: call.logLevel,
      abilities: mayAsk && origin.canAsk === true ? abilities : undefined,
    }),
    parsed: message.params,
    session: upstreamSessionKey(call),
    caller: caller ?? upstreamHolder(upstream.options.name),
    timeoutMs,
    revision: call.revision,
    traceparent,
    abilities,
    subjectToken: readSubjectToken(call, upstream.options),
    onCredential: shown && ((token) => shown.push(token)),
    logLevel: call.logLevel,
    headers: tool === undefined ? undefined : paramHeaders(tool.inputSchema, message.params?.["arguments"], own),
    signal: endingFor(origin, { isKept, left, cancelled: cancelled?.signal }),
    onNotification(notification) {
      // What an upstream says beside its answer must not cost the call its answer.
      runGuarded("notification", observer, () => {
        catalog.onNotification(upstream.options.name, notification, upstreamSessionKey(call));
        if (left.aborted) return;
        notices ??= new NotificationRelay({
          upstream: upstream.options,
          head: origin.head,
          shownTokens: shown,
          cutter,
          now,
          taskId: task?.id,
        });
        const passed = notices.read(notification);
        if (passed === undefined) return;
        origin.notify(passed);
      });
    },
    onRequest: mayAsk
      ? (question, withdrawn) => {
          questions ??= new CallerQuestions(call, upstream.options, ask, callerTime);
          return questions.ask(question, withdrawn);
        }
      : undefined,
  };
  const isAboutTask = task !== undefined && target !== undefined;
  const sending = upstream.send(isAboutTask ? inTaskSession(request, { task, taskId: target }) : request);
  const replied = callerTime === undefined ? sending : replyInTime(call, sending, { callerTime, isKept });
  return replied.then((reply) => {
    call.reply = reply;
    if (cancellation !== undefined) {
      cancellation.run = undefined;
      cancellation.isOver = true;
    }
    return undefined;
  });
}

const NEVER_ABORTED = new AbortController().signal;

/** What ends a request early. */
function endingFor(
  origin: CallOrigin,
  of: {
    readonly isKept: boolean;
    readonly left: Ending;
    /** The caller cancelled a probe; undefined if the call is not a probe. */
    readonly cancelled: AbortSignal | undefined;
  },
): Ending {
  if (of.isKept) return origin.stopped ?? NEVER_ABORTED;
  if (of.cancelled === undefined) return of.left;
  // A caller that leaves does not end a probe: the next caller could leave as well.
  return AbortSignal.any([of.cancelled, origin.stopped ?? NEVER_ABORTED]);
}

/** The reply to a probe, or the fault of a caller that could not wait for it. The probe continues. */
async function replyInTime(
  call: Call,
  sending: Promise<UpstreamReply>,
  { callerTime, isKept }: { readonly callerTime: CallerTime; readonly isKept: boolean },
): Promise<UpstreamReply> {
  const signal = isKept ? NEVER_ABORTED : call.origin.signal;
  const { ms, sleep } = callerTime;
  const reply = await race(sending, { ms, sleep, signal });
  if (reply !== TIMED_OUT && reply !== ABORTED) return reply;
  call.late = sending;
  const origin = { layer: "gateway" } as const;
  const fault =
    reply === ABORTED ? core.cancelled.fault({}, { origin }) : core.timeout.fault({ timeoutMs: ms }, { origin });
  return { kind: "failed", fault };
}

/** The time that the caller of a probe has. It stands still while the caller is asked something. */
class CallerTime implements PausableClock {
  readonly ms: number;
  readonly #now: () => number;
  #timer: PausableTimer | undefined;

  constructor(ms: number, now: () => number) {
    this.ms = ms;
    this.#now = now;
  }

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = new PausableTimer(ms, resolve, this.#now);
      this.#timer = timer;
      signal?.addEventListener("abort", () => timer.clear(), { once: true });
    });

  pause(): void {
    this.#timer?.pause();
  }

  resume(): void {
    this.#timer?.resume();
  }
}

/** The target is known by the name that was sent, so nothing has to be written in its place. */
function isSentName({ params, method }: RequestMessage, target: string | undefined): boolean {
  const named = method === "completion/complete" ? (params?.["ref"] as Record<string, unknown> | undefined) : params;
  return named?.["name"] === target || named?.["uri"] === target;
}
