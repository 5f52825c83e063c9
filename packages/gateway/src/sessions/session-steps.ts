import type { Fault } from "@recourse/core";
import { protocol } from "@recourse/core/reasons";
import { CLIENT_CAPABILITIES_KEY, hasHandshake, hasRequestMeta, isObject, parseRevision } from "@recourse/core/wire";
import { readAbilities } from "../call/abilities.ts";
import type { Call, Step } from "../call/call.ts";
import { type CallerSession, upstreamSessionKey } from "../call/session.ts";
import type { CallerSessions } from "./caller-sessions.ts";
import type { SessionState, SessionStates } from "./session-states.ts";

interface SessionStepOptions {
  readonly sessions: CallerSessions;
  readonly states: SessionStates;
  /** Lets a refusal cost something. @default it costs nothing */
  readonly count?: (step: Step) => Step;
}

/**
 * Finds the session that a request names. One that is not known any more is refused, and its client begins a new one. Requests
 * of the newer era have no sessions, and what they name as one means nothing.
 */
export function findSession({ sessions, states, count = (step) => step }: SessionStepOptions): Step {
  // Most calls name no session, and pay for nothing.
  const findNamed = count((call) => {
    const { caller, origin } = call;
    const id = origin.head.header("mcp-session-id");
    if (id === undefined || caller === undefined) return undefined;
    const version = origin.head.header("mcp-protocol-version");
    if (version !== undefined && !hasHandshake(parseRevision(version))) return undefined;
    const session = sessions.find(caller, id);
    if (session === undefined) return protocol.session_not_found.fault();
    call.sessionClient = states.clientOf(session);
    const state = states.find(caller, session);
    if (state instanceof Promise) return state.then((found) => acceptSession(call, session, found));
    return acceptSession(call, session, state);
  });
  return (call) => (call.origin.head.header("mcp-session-id") === undefined ? undefined : findNamed(call));
}

function acceptSession(call: Call, session: CallerSession, { isEnded, level }: SessionState): Fault | undefined {
  if (isEnded) return protocol.session_not_found.fault();
  call.session = session;
  call.logLevel = level;
  return undefined;
}

/** Finds out what the caller can be asked for during the call: by its session, or by what a request of the newer era states. */
export const findAbilities: Step = (call) => {
  const { session, message } = call;
  if (session !== undefined) {
    call.abilities = session.abilities;
  } else if (hasRequestMeta(call.revision)) {
    const stated = message?.meta?.[CLIENT_CAPABILITIES_KEY];
    if (!isObject(stated)) return undefined;
    // Most callers of the newer era can be asked nothing.
    const asked = stated["elicitation"] ?? stated["sampling"] ?? stated["roots"];
    if (asked !== undefined) call.abilities = readAbilities(stated);
  }
  return undefined;
};

const ENDED_STATUS = 200;

interface EndSessionOptions {
  readonly states: SessionStates;
  readonly forget: (key: string) => void;
}

/** Ends the session that a `DELETE` names. Without one there is nothing to be deleted. */
export function endSession({ states, forget }: EndSessionOptions): Step {
  return (call) => {
    const { caller, session } = call;
    if (caller === undefined || session === undefined) return protocol.http_method.fault();
    return states.end(caller, session).then(() => {
      forget(upstreamSessionKey(call));
      call.status = ENDED_STATUS;
      return undefined;
    });
  };
}
