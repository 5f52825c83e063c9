import type { Fault } from "@recourse/core";
import { DIALECTS } from "@recourse/core/dialects";
import { writeReply } from "@recourse/core/proxy";
import { idempotency, protocol, transport } from "@recourse/core/reasons";
import { hasHandshake, LATEST_HANDSHAKE_REVISION } from "@recourse/core/wire";
import type { BrokenCall, Call, Route, Step } from "../call/call.ts";
import type { DialectName } from "../config/types.ts";
import type { RefusedMessages } from "../limits/limiter.ts";
import { isEndedStreamId, type StreamIds } from "../sessions/stream-ids.ts";

/** What names streams of calls. */
export interface NameStreamOptions {
  readonly ids: Pick<StreamIds, "write">;
  /** The idempotency keys are kept where every replica finds them, even after this process has died. */
  readonly hasSharedKeys: boolean;
}

/**
 * Gives the stream of a call an id, should one begin: a client of the older era whose stream broke comes back with it.
 * Nothing is computed before. Only calls of tools have one, and only if failures are results: clients do not accept a
 * JSON-RPC error as an answer, and would come back forever.
 */
export function nameStream({ ids, hasSharedKeys }: NameStreamOptions): (call: Call) => void {
  return (call) => {
    const { origin, caller, session, message, route, id, revision } = call;
    if (caller === undefined || session === undefined || id === undefined || !hasHandshake(revision)) return;
    if (message?.method !== "tools/call" || route?.kind !== "upstream" || route.tool === undefined) return;
    if (!failsWithResults(caller.dialect)) return;
    const { tool, upstream } = route;
    const { honoursKeys, trustAnnotations } = upstream.options;
    origin.nameStream?.(() => {
      const isKept = call.binding?.key !== undefined && hasSharedKeys;
      return ids.write(
        { caller, session },
        {
          id,
          tool: tool.name,
          hasOutputSchema: tool.hasOutputSchema,
          readsOnly: tool.readOnly && trustAnnotations,
          isRepeatable: isKept || (call.key !== undefined && honoursKeys),
        },
      );
    });
  };
}

/** What answers broken calls. */
export interface AnswerBrokenCallOptions {
  readonly ids: Pick<StreamIds, "read">;
  /** Such requests are free for nobody. */
  readonly refusedMessages: Pick<RefusedMessages, "check" | "count">;
}

/** The request is one for a stream, and the gateway itself answers it. */
const BROKEN_ROUTE: Route = { kind: "local", answer: () => "{}" };

/**
 * Answers the call whose stream has broken, in a stream of its own, if a client of the older era asks for what it
 * missed. Other requests get the stream of the session, even if the id belongs to another caller.
 */
export function answerBrokenCall({ ids, refusedMessages }: AnswerBrokenCallOptions): Step {
  return (call) => {
    const { caller, session, origin } = call;
    const lastId = origin.head.header("last-event-id");
    if (lastId === undefined || caller === undefined || session === undefined) return undefined;
    // Its call was answered. The official clients take this status for the end, and do not come back.
    if (isEndedStreamId(lastId)) return protocol.http_method.fault();
    const broken = ids.read({ caller, session }, lastId);
    if (broken === undefined || !failsWithResults(caller.dialect)) return undefined;
    const limited = refusedMessages.check(caller) ?? refusedMessages.count(caller, 0);
    const answer = (fault: Fault | undefined) => fault ?? answerOnStream(call, broken);
    return limited instanceof Promise ? limited.then(answer) : answer(limited);
  };
}

/** The fault as the answer to the call that broke; undefined if the caller reads no streams. */
function answerOnStream(call: Call, broken: BrokenCall): Fault | undefined {
  if (call.origin.openStream?.() === undefined) return undefined;
  call.route = BROKEN_ROUTE;
  call.brokenCall = broken;
  call.id = broken.id;
  call.revision = call.session?.revision;
  call.isAccepted = true;
  return brokenCallFault(broken);
}

/** What is known of a call whose stream has broken: it may still run, and it may have ended. */
function brokenCallFault({ readsOnly, isRepeatable }: BrokenCall): Fault {
  if (readsOnly) return transport.connection_lost.fault({}, { effect: "none" });
  // Its key tells what became of it.
  return isRepeatable ? idempotency.answer_lost.fault() : transport.connection_lost.fault({}, { effect: "possible" });
}

const answeredByResults = new Map<DialectName | undefined, boolean>();

/** Whether a caller reads the failures of its calls in results. Some dialects write JSON-RPC errors. */
function failsWithResults(name: DialectName | undefined): boolean {
  let known = answeredByResults.get(name);
  if (known === undefined) {
    const place = { method: "tools/call", context: { _meta: {} } };
    const options = name === undefined ? {} : { dialect: DIALECTS[name] };
    known =
      writeReply(transport.connection_lost.fault(), place, options, LATEST_HANDSHAKE_REVISION).error === undefined;
    answeredByResults.set(name, known);
  }
  return known;
}
