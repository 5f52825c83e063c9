import { core, type Fault, transport } from "@recourse/faults";
import { ABORTED, LATEST_REVISION, race, sleep, TIMED_OUT } from "@recourse/faults/internal-do-not-use";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Route } from "../../catalog/route.ts";
import type { RequestHead } from "../../edge/head.ts";
import { hopParams } from "../../edge/hop-params.ts";
import type { RequestMessage } from "../../edge/message.ts";
import type { CredentialCutter } from "../../judge/credential-cutter.ts";
import { Notices } from "../../judge/notices.ts";
import { upstreamHolder } from "../../shares/shares.ts";
import type { Observer } from "../../telemetry/observer.ts";
import { guarded } from "../../telemetry/unexpected.ts";
import { paramHeaders } from "../../upstreams/http/param-headers.ts";
import type { Era, UpstreamReply } from "../../upstreams/upstream.ts";
import type { Call } from "../call.ts";
import type { Step } from "../step.ts";

/** What an attempt needs beside the call. */
export interface AttemptOptions {
  readonly catalog: Pick<Catalog, "heard">;
  readonly observer: Pick<Observer, "traceOf" | "unexpected">;
  readonly cutter: CredentialCutter;
  /** The gateway as a client, as JSON. */
  readonly clientInfo: string;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
}

type UpstreamRoute = Extract<Route, { readonly kind: "upstream" }>;

/** Sends the message to its upstream, or answers it here. */
export function attempt(options: AttemptOptions): Step {
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
        if (era instanceof Promise) return era.then((found) => send(call, route, message, found, options));
        // A failure that is known at once is one of before.
        if (typeof era !== "string") call.reply = { kind: "failed", fault: era, isOld: true };
        return typeof era === "string" ? send(call, route, message, era, options) : undefined;
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

async function send(
  call: Call,
  { upstream, target, tool }: UpstreamRoute,
  message: RequestMessage,
  era: Era | Fault,
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
  const { origin, caller, id, cancellation, bound, key, round, isProbe } = call;
  // A probe has the time of its upstream: callers in a hurry would waste one after the other.
  const timeoutMs = isProbe ? ownMs : leftMs;
  // A call with a key ends and is stored although its caller has left: the caller may come back for its outcome.
  const isKept = bound?.key !== undefined;
  const cancelled = isProbe ? new AbortController() : undefined;
  const traceparent = observer.traceOf(call);
  const renamed = isSame(message, target) ? undefined : target;
  const callerId = caller?.id ?? "";
  const session = sessionOf(origin.head);
  if (cancellation !== undefined && !isKept) {
    cancellation.run = () => {
      cancelled?.abort();
      origin.abort?.();
    };
  }
  // Headers that repeat arguments say what the call is bound to, whatever the caller sent in them.
  const own = call.revision === LATEST_REVISION && bound === undefined ? origin.head : undefined;
  call.wasSent = true;
  const stopped = origin.stopped ?? NEVER;
  const notices = new Notices({ upstream: upstream.options, head: origin.head, cutter, now });
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
      arguments: bound?.arguments,
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
      guarded("notification", observer, () => {
        catalog.heard(upstream.options.name, notification);
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

const NEVER = new AbortController().signal;

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
  const signal = isKept ? NEVER : call.origin.signal;
  const reply = await race(sending, { ms: leftMs, sleep, signal });
  if (reply !== TIMED_OUT && reply !== ABORTED) return reply;
  call.late = sending;
  const origin = { layer: "gateway" } as const;
  const fault =
    reply === ABORTED ? core.cancelled.fault({}, { origin }) : core.timeout.fault({ timeoutMs: leftMs }, { origin });
  return { kind: "failed", fault };
}

/** What the protocol allows as the id of a session, within a length that can be kept. */
const SESSION_ID = /^[\x21-\x7e]{1,128}$/;

function sessionOf(head: RequestHead): string | undefined {
  const id = head.header("mcp-session-id");
  return id !== undefined && SESSION_ID.test(id) ? id : undefined;
}

/** The target is known by the name that was sent, so nothing has to be written in its place. */
function isSame({ params, method }: RequestMessage, target: string | undefined): boolean {
  const named = method === "completion/complete" ? (params?.["ref"] as Record<string, unknown> | undefined) : params;
  return named?.["name"] === target || named?.["uri"] === target;
}
