// The server kit: one line makes a server right.

export { checkArguments } from "./arguments/check-arguments.ts";
export { declares } from "./declares.ts";
export { guard, guardCounts } from "./guard.ts";
export { guardHandler } from "./handler/guard-handler.ts";
export type { Authenticate, Authentication, HandlerOptions } from "./handler/options.ts";
export type { Incident, LoggerLike, Sink } from "./incident.ts";
export { combineSinks, loggerSink, sinkFailures, stderrSink } from "./incident.ts";
export type { MemoryKeysOptions } from "./keys/memory.ts";
export { memoryKeys } from "./keys/memory.ts";
export type { KeyState, KeyStore } from "./keys/store.ts";
export type { GuardCounts, GuardOptions } from "./options.ts";
export type { StdinGuard, StdinOptions } from "./stdin/guard-stdin.ts";
export { guardStdin } from "./stdin/guard-stdin.ts";
export type { StdoutGuard, StdoutOptions } from "./stdout.ts";
export { guardStdout } from "./stdout.ts";
