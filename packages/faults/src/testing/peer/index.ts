// A peer that misbehaves on demand, for tests of clients, gateways and agents; it needs Node.

export { bringAbout, type Cause } from "./causes/cause.ts";
export { CAUSES } from "./causes/causes.ts";
export { createProbe, type Probe } from "./causes/probe.ts";
export type { Effects } from "./ledger.ts";
export type { Ask } from "./message.ts";
export { misbehave, type Peer, type PeerOptions, type PeerStep } from "./misbehave.ts";
export { misbehaveStdio, type StdioPeer, type StdioPeerOptions } from "./misbehave-stdio.ts";
export type { Call } from "./peer.ts";
export { STDIO_MISBEHAVIOURS, type StdioMisbehaviourName } from "./stdio/misbehaviours.ts";
export type { Limits } from "./surface/limits.ts";
export { MISBEHAVIOURS, type MisbehaviourName } from "./wire/misbehaviours.ts";
export { SECRET } from "./wire/replays.ts";
