import { type Json, memberAt, objectAt, stringAt } from "../../../dialects/wire.ts";
import { negotiation_failed, version_unsupported } from "../../../reasons/library/protocol.ts";
import { LEGACY, MODERN } from "../revision.ts";
import { createSession, type Method, type World } from "./world.ts";

/** The name by which the peer introduces itself. */
export const SERVER = { name: "misbehaving-peer", version: "1.0.0" } as const;

/** What the peer can do; that it honours keys is told only where it does. */
function capabilitiesOf(world: World): Json {
  return {
    tools: { listChanged: true },
    resources: { subscribe: true },
    prompts: {},
    completions: {},
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    ...(world.keys && { extensions: { "recourse/faults": { v: 1, keys: true } } }),
  };
}

/** Agrees on a revision and on what both sides must have. */
const initialize: Method = ({ world, session, ask }) => {
  const requested = stringAt(ask.params, "protocolVersion") ?? "";
  if (!(LEGACY as readonly string[]).includes(requested)) throw version_unsupported({ requested, supported: LEGACY });
  const capabilities = objectAt(ask.params, "capabilities") ?? {};
  const wanted = Object.entries(objectAt(capabilities, "extensions") ?? {});
  const offered = objectAt(capabilitiesOf(world), "extensions") ?? {};
  // An extension that the client cannot do without has to be one of ours.
  if (wanted.some(([name, terms]) => memberAt(terms, "required") === true && !Object.hasOwn(offered, name)))
    throw negotiation_failed();
  world.sessions.set(
    session.id,
    createSession({ id: session.id, revision: requested, capabilities, phase: "initializing" }),
  );
  return { protocolVersion: requested, capabilities: capabilitiesOf(world), serverInfo: SERVER };
};

/** Tells a client of the modern revision what it would have learnt from `initialize`. */
const discover: Method = ({ world }) => ({ supportedVersions: [MODERN], capabilities: capabilitiesOf(world) });

export const LIFECYCLE = { initialize, "server/discover": discover, ping: () => ({}) } as const satisfies Record<
  string,
  Method
>;
