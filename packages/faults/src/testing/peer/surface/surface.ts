// The protocol as the peer keeps it: who may ask what, when, and how often.

import { type Json, objectAt } from "../../../dialects/wire.ts";
import { FaultError } from "../../../fault/error.ts";
import { internal, rate_limited, timeout } from "../../../reasons/library/core.ts";
import {
  capability_not_supported,
  header_mismatch,
  method_not_found,
  not_initialized,
  session_not_found,
  version_mismatch,
  version_unsupported,
} from "../../../reasons/library/protocol.ts";
import { within } from "../clock.ts";
import type { Ask } from "../message.ts";
import { CAPABILITIES_KEY, envelopeVersion, MODERN, SERVER_KEY } from "../revision.ts";
import { identify } from "./auth.ts";
import { TOOL_METHODS } from "./calling.ts";
import { LIFECYCLE, SERVER } from "./lifecycle.ts";
import { HEARD } from "./notifications.ts";
import { PROMPT_METHODS } from "./prompts.ts";
import { RESOURCE_METHODS } from "./resources.ts";
import { TASK_METHODS } from "./tasks.ts";
import { type Context, createSession, type Method, type Session, type World } from "./world.ts";

const METHODS: Readonly<Record<string, Method>> = {
  ...LIFECYCLE,
  ...TOOL_METHODS,
  ...RESOURCE_METHODS,
  ...PROMPT_METHODS,
  ...TASK_METHODS,
};

/** Methods of the protocol whose capability this peer does not have. */
const NOT_OFFERED: Readonly<Record<string, string>> = { "logging/setLevel": "logging", "roots/list": "roots" };

/** Methods that the modern revision has given up. */
const GIVEN_UP = new Set(["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"]);

/** Methods whose results the modern revision lets a client keep for a while. */
const KEPT = /\/list$|^server\/discover$|^resources\/read$/;

/** Methods that end by themselves, in a time of their own. */
const OWN_TIME = new Set(["tools/call", "tasks/result"]);

/** What comes with a message besides its text. */
export interface Circumstances {
  readonly session: string | undefined;
  /** The version that the transport names, where it names one. */
  readonly version: string | undefined;
  readonly authorization: string | undefined;
  readonly signal: AbortSignal;
  readonly send: (message: Json) => void;
  readonly applied: () => void;
}

/** Which session a message belongs to; one of the modern revision stands alone, and so does `initialize`. */
export function sessionFor(world: World, ask: Ask, { session, version }: Circumstances): Session {
  const named = envelopeVersion(ask);
  if (named !== undefined) {
    if (named !== MODERN) throw version_unsupported({ requested: named, supported: [MODERN] });
    if (version !== undefined && version !== named) throw header_mismatch();
    const capabilities = objectAt(ask.meta, CAPABILITIES_KEY) ?? {};
    return createSession({ id: "alone", revision: MODERN, capabilities, phase: "ready" });
  }
  if (ask.method === "initialize")
    return createSession({ id: world.mint("session"), revision: "", capabilities: {}, phase: "initializing" });
  if (session === undefined) throw not_initialized({ phase: "pre_initialization" });
  const known = world.sessions.get(session);
  if (known === undefined) throw session_not_found();
  if (version !== undefined && version !== known.revision) throw version_mismatch();
  return known;
}

/** Does what a message asks for: gives its result, or throws. */
export async function perform(world: World, ask: Ask, session: Session, facts: Circumstances): Promise<Json> {
  const who = identify(facts.authorization, world);
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, facts.signal]);
  const context: Context = { world, session, who, ask, signal, send: facts.send, applied: facts.applied };
  if (ask.id === undefined) {
    if (Object.hasOwn(HEARD, ask.method)) HEARD[ask.method]?.(context);
    return {};
  }
  admit(world);
  const method = methodOf(ask.method, session.revision);
  if (session.phase !== "ready" && !Object.hasOwn(LIFECYCLE, ask.method))
    throw not_initialized({ phase: "awaiting_initialized" });
  session.running.set(ask.id, stop);
  try {
    return finished(await timed(method, context), context);
  } catch (thrown) {
    throw FaultError.is(thrown) ? thrown : internal(undefined, { cause: thrown });
  } finally {
    session.running.delete(ask.id);
  }
}

function methodOf(name: string, revision: string): Method {
  if (revision === MODERN && GIVEN_UP.has(name)) throw method_not_found({ method: name });
  if (Object.hasOwn(METHODS, name)) return METHODS[name] as Method;
  if (Object.hasOwn(NOT_OFFERED, name)) throw capability_not_supported({ capability: NOT_OFFERED[name] as string });
  throw method_not_found({ method: name });
}

function timed(method: Method, context: Context): Promise<Json> | Json {
  const { requestMs } = context.world.limits;
  if (OWN_TIME.has(context.ask.method)) return method(context);
  const startedAt = performance.now();
  const late = () => timeout({ timeoutMs: requestMs, elapsedMs: Math.ceil(performance.now() - startedAt) });
  return within(requestMs, { signal: context.signal, late }, (signal) => method({ ...context, signal }));
}

/** Counts the request against the rate, and refuses it when there were too many. */
function admit({ limits: { rate }, recent, clock }: World): void {
  if (rate === undefined) return;
  const now = clock.now();
  while (recent[0] !== undefined && recent[0] <= now - rate.windowMs) recent.shift();
  if (recent.length >= rate.limit) {
    const afterMs = (recent[0] ?? now) + rate.windowMs - now;
    throw rate_limited({ limit: rate.limit, windowMs: rate.windowMs }, { retry: { allowed: true, afterMs } });
  }
  recent.push(now);
}

/** What the modern revision wants in every result. */
function finished(result: Json, { session, ask }: Context): Json {
  if (session.revision !== MODERN) return result;
  const keeping = KEPT.test(ask.method) ? { ttlMs: 0, cacheScope: "private" } : {};
  return { resultType: "complete", ...keeping, ...result, _meta: { [SERVER_KEY]: SERVER } };
}
