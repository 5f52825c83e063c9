// The client kit: call a server, and always learn what to do next.

export type { AiOutput, AiTool, AiToolsOptions } from "./adapters/ai-sdk.ts";
export { aiTools } from "./adapters/ai-sdk.ts";
export { callWithRetry } from "./call-with-retry.ts";
export type { CallIncident, CallSink } from "./incident.ts";
export type { CallOptions, Reconnection, RecourseOptions } from "./options.ts";
export type { Effort, Failed, InputRequired, Outcome, Succeeded } from "./outcome.ts";
export type { RecourseClient } from "./recourse.ts";
export { recourse } from "./recourse.ts";
export type { ClientLike, ListedTool, ResultOf, ToolHints } from "./types.ts";
export type { WatchOptions } from "./watch/watch.ts";
export { watch } from "./watch/watch.ts";
export type { CallRef, ConnectionSeen, Exit, FetchLike, Phase, Seen, Watched } from "./watch/watched.ts";
