// An MCP server that misbehaves on demand, for tests of clients, gateways and agents. It needs Node.

export type { EffectCounts } from "./effect-log.ts";
export type { PeerRequest } from "./json-rpc.ts";
export { misbehave, type Peer, type PeerOptions, type PeerStep } from "./misbehave.ts";
export { misbehaveStdio, type StdioPeer, type StdioPeerOptions } from "./misbehave-stdio.ts";
export { MISBEHAVIOURS, type MisbehaviourName } from "./misbehaviours/http.ts";
export { SECRET } from "./misbehaviours/recorded-failures.ts";
export { STDIO_MISBEHAVIOURS, type StdioMisbehaviourName } from "./misbehaviours/stdio.ts";
export { CAUSES, type Cause, provoke } from "./provoke.ts";
export { createRawClient, type RawClient } from "./raw-client.ts";
export type { ReceivedMessage } from "./server/compliant-server.ts";
export type { PeerLimits } from "./server/state.ts";
