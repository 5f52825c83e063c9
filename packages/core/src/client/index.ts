// The client kit: call a server, and always know what to do next.

export type { Incident, Sink } from "../incidents/incident.ts";
export type { ClientLike, ListedTool, ResultOf, ToolAnnotations } from "../sdk/client.ts";
export type { Exit } from "../sdk/stdio.ts";
export type { Clock, Random, TestingOptions } from "../wire/clock.ts";
export type { Sleep } from "../wire/waiting.ts";
export type {
  AgentTool,
  AgentToolsOptions,
  AiModelOutput,
  AiOutput,
  AiPart,
  AiTool,
  AiToolsOptions,
  ToolPart,
  ToolReply,
} from "./agent-tools.ts";
export { agentTools, aiTools } from "./agent-tools.ts";
export type { ConnectFaultOptions } from "./connection.ts";
export { connectFault } from "./connection.ts";
export type {
  AttemptSummary,
  CallFailure,
  CallIncident,
  CallOptions,
  CallSuccess,
  InputRequired,
  Outcome,
  Reconnection,
  RecourseOptions,
  RecourseRetryOptions,
  RecourseServerOptions,
} from "./options.ts";
export type { CallWithRetryOptions, RecourseClient } from "./recourse.ts";
export { callWithRetry, recourse } from "./recourse.ts";
export type { ObserveTransportOptions } from "./transport/observed-fetch.ts";
export { observeTransport } from "./transport/observed-fetch.ts";
export type {
  CallRef,
  ConnectionRecord,
  ExchangeRecord,
  FetchLike,
  Phase,
  TransportObserver,
} from "./transport/types.ts";
