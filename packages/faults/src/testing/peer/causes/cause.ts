import type { Json } from "../../../dialects/wire.ts";
import type { Peer } from "../misbehave.ts";
import type { Limits } from "../surface/limits.ts";
import { createProbe, type Probe } from "./probe.ts";

/** One way in which a code of erlmcp comes about: by what a client does, never by asking for the code. */
export interface Cause {
  readonly code: number;
  readonly reason: string;
  /** What the client does, or what has happened. */
  readonly cause: string;
  /** Lines that the peer has to draw elsewhere than usual. */
  readonly limits?: Partial<Limits>;
  /** The capabilities that the client declares; without them a plain hello is said, with `false` none at all. */
  readonly hello?: Json | false;
  /** Brings it about; gives the reply that tells of it. */
  readonly ask: (probe: Probe) => Promise<Json>;
}

/** Lets a new client bring the cause about, and gives the reply. */
export async function bringAbout(cause: Cause, peer: Pick<Peer, "url" | "pass">): Promise<Json> {
  const probe = createProbe(peer);
  if (cause.hello !== false) await probe.hello(cause.hello === undefined ? {} : { capabilities: cause.hello });
  return cause.ask(probe);
}

/** Calls a tool. */
export function callTool(probe: Probe, name: string, args: Json = {}, more: Json = {}): Promise<Json> {
  return probe.ask("tools/call", { name, arguments: args, ...more });
}
