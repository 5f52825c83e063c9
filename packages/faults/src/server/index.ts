// The server kit: one line makes a server right.

export { checkArguments } from "./arguments/check-arguments.ts";
export { declares } from "./calls/declares.ts";
export { guard, guardCounts } from "./guard.ts";
export { guardHandler } from "./handler/guard-handler.ts";
export type { Authenticate, Authentication, HandlerOptions } from "./handler/options.ts";
export type { Incident, LoggerLike, Sink } from "./incidents/incident.ts";
export { combineSinks, loggerSink, sinkFailures, stderrSink } from "./incidents/incident.ts";
export type { MemoryKeysOptions } from "./keys/memory.ts";
export { memoryKeys } from "./keys/memory.ts";
export type { KeyState, KeyStore } from "./keys/store.ts";
export type { GuardCounts, GuardOptions } from "./options.ts";
export type { StdinGuard, StdinOptions } from "./stdio/stdin/guard-stdin.ts";
export { guardStdin } from "./stdio/stdin/guard-stdin.ts";
export type { StdoutGuard, StdoutOptions } from "./stdio/stdout.ts";
export { guardStdout } from "./stdio/stdout.ts";
