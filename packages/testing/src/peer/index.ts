// An MCP server that misbehaves on demand, for tests of clients, gateways and agents. It needs Node.

export type { PeerRequest } from "./json-rpc.ts";
export { misbehave, type Peer, type PeerOptions, type PeerStep } from "./misbehave.ts";
export { misbehaveStdio, type StdioPeer, type StdioPeerOptions } from "./misbehave-stdio.ts";
export { MISBEHAVIOURS, type MisbehaviourName } from "./misbehaviours/http.ts";
export { SECRET } from "./misbehaviours/replies.ts";
export { STDIO_MISBEHAVIOURS, type StdioMisbehaviourName } from "./misbehaviours/stdio.ts";
export {
  PEER_OPTIONS,
  type PeerOptionsRead,
  type PeerOptionValues,
  type ReadPeerOptions,
  readPeerOptions,
} from "./options.ts";
export { MISBEHAVE_HEADER } from "./serve-http.ts";
export { type StdioProcessOptions, serveThisProcess } from "./serve-stdio.ts";
export type { Arrival, ReceivedMessage } from "./server/compliant-server.ts";
export type { PeerLimits } from "./server/state.ts";
export type { EffectCounts } from "./step-queue.ts";
export { MISBEHAVE_KEY } from "./step-queue.ts";
