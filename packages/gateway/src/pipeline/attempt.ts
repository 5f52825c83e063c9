import { core, type Fault, transport } from "@recourse/faults";
import { ABORTED, hasMessageHeaders, type Revision, race, sleep, TIMED_OUT } from "@recourse/wire";
import type { Call, Step, UpstreamRoute } from "../call/call.ts";
import type { RequestHead } from "../call/head.ts";
import type { RequestMessage } from "../call/message.ts";
import { type Observer, runGuarded } from "../call/observer.ts";
import type { UpstreamReply } from "../call/upstream.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CredentialCutter } from "../judge/credential-cutter.ts";
import { NotificationRelay } from "../judge/notification-relay.ts";
import { upstreamHolder } from "../limits/shares.ts";
import { paramHeaders } from "../upstreams/http/headers.ts";
import { hopParams } from "./hop-params.ts";

/** What an attempt needs beside the call. */
export interface AttemptOptions {
  readonly catalog: Pick<Catalog, "onNotification">;
  readonly observer: Pick<Observer, "traceparent" | "unexpected">;
  readonly cutter: CredentialCutter;
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
    if (call.answer !== undefined) return undefined;
    if (route === undefined || message === undefined) return core.internal.fault({}, { effect: "none" });
    switch (route.kind) {
      case "ignored":
        return undefined;
      case "local": {
        const answer = route.answer(call);
        return answer instanceof Promise ? answer.then((found) => wrap(call, found)) : wrap(call, answer);
      }
      case "upstream": {
        const era = route.upstream.ready(call.origin.signal);
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

async function sendUpstream(
  call: Call,
  { upstream, target, tool }: UpstreamRoute,
  message: RequestMessage,
  era: Revision | Fault,
  { catalog, observer, cutter, clientInfo, now }: AttemptOptions,
): Promise<Fault | undefined> {
  if (typeof era !== "string") {
    // What an upstream says about itself is judged like its answers.
    call.reply = { kind: "failed", fault: era };
    return undefined;
  }
  const ownMs = upstream.options.timeoutMs;
  const leftMs = Math.min(ownMs, Math.floor(call.deadlineMs - now()));
  if (!(leftMs > 0)) return transport.not_sent.fault();
  const { origin, caller, id, cancellation, binding, key, round, isProbe } = call;
  // A probe has the time of its upstream: callers in a hurry would waste one after the other.
  const timeoutMs = isProbe ? ownMs : leftMs;
  // A call with a key ends and is stored although its caller has left: the caller may come back for its outcome.
  const isKept = binding?.key !== undefined;
  const cancelled = isProbe ? new AbortController() : undefined;
  const traceparent = observer.traceparent(call);
  const renamed = isSentName(message, target) ? undefined : target;
  const callerId = caller?.id ?? "";
  const session = callerSession(origin.head);
  if (cancellation !== undefined && !isKept) {
    cancellation.run = () => {
      cancelled?.abort();
      origin.abort?.();
    };
  }
  // Headers that repeat arguments say what the call is bound to, whatever the caller sent in them.
  const own = hasMessageHeaders(call.revision) && binding === undefined ? origin.head : undefined;
  call.wasSent = true;
  const stopped = origin.stopped ?? NEVER_ABORTED;
  const notices = new NotificationRelay({ upstream: upstream.options, head: origin.head, cutter, now });
  const sending = upstream.send({
    method: message.method,
    target,
    id,
    params: hopParams(message, {
      target: renamed,
      era,
      deadlineMs: timeoutMs,
      traceparent,
      clientInfo,
      arguments: binding?.arguments,
      key,
      round,
    }),
    parsed: message.params,
    session: session === undefined ? callerId : `${callerId}\n${session}`,
    caller: caller ?? upstreamHolder(upstream.options.name),
    timeoutMs,
    revision: call.revision,
    traceparent,
    headers: tool === undefined ? undefined : paramHeaders(tool.inputSchema, message.params?.["arguments"], own),
    signal: signalFor({ isKept, cancelled: cancelled?.signal, left: origin.signal, stopped }),
    onNotification(notification) {
      // What an upstream says beside its answer must not cost the call its answer.
      runGuarded("notification", observer, () => {
        catalog.onNotification(upstream.options.name, notification);
        if (origin.signal.aborted) return;
        const passed = notices.read(notification);
        if (passed !== undefined) origin.notify(passed);
      });
    },
  });
  call.reply = isProbe ? await replyInTime(call, sending, { leftMs, isKept }) : await sending;
  if (cancellation !== undefined) {
    cancellation.run = undefined;
    cancellation.isOver = true;
  }
  return undefined;
}

const NEVER_ABORTED = new AbortController().signal;

/** What ends a request early. */
function signalFor(of: {
  readonly isKept: boolean;
  /** The caller cancelled a probe; undefined where the call is none. */
  readonly cancelled: AbortSignal | undefined;
  readonly left: AbortSignal;
  readonly stopped: AbortSignal;
}): AbortSignal {
  if (of.isKept) return of.stopped;
  // Whoever leaves does not end a probe: the next one could leave as well.
  return of.cancelled === undefined ? of.left : AbortSignal.any([of.cancelled, of.stopped]);
}

/** The reply to a probe, or the fault of a caller that could not wait so long. The probe goes on. */
async function replyInTime(
  call: Call,
  sending: Promise<UpstreamReply>,
  { leftMs, isKept }: { readonly leftMs: number; readonly isKept: boolean },
): Promise<UpstreamReply> {
  const signal = isKept ? NEVER_ABORTED : call.origin.signal;
  const reply = await race(sending, { ms: leftMs, sleep, signal });
  if (reply !== TIMED_OUT && reply !== ABORTED) return reply;
  call.late = sending;
  const origin = { layer: "gateway" } as const;
  const fault =
    reply === ABORTED ? core.cancelled.fault({}, { origin }) : core.timeout.fault({ timeoutMs: leftMs }, { origin });
  return { kind: "failed", fault };
}

/** What the protocol allows as the id of a session, within a length that can be kept. */
const KEPT_SESSION_ID = /^[\x21-\x7e]{1,128}$/;

function callerSession(head: RequestHead): string | undefined {
  const id = head.header("mcp-session-id");
  return id !== undefined && KEPT_SESSION_ID.test(id) ? id : undefined;
}

/** The target is known by the name that was sent, so nothing has to be written in its place. */
function isSentName({ params, method }: RequestMessage, target: string | undefined): boolean {
  const named = method === "completion/complete" ? (params?.["ref"] as Record<string, unknown> | undefined) : params;
  return named?.["name"] === target || named?.["uri"] === target;
}
