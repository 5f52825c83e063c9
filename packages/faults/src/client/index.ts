// The client kit: call a server, and always know what to do next.

export type { Clock, Random, Sleep, TestingOptions } from "@recourse/wire";
export type { Incident, Sink } from "../incidents/incident.ts";
export type { ClientLike, ListedTool, ResultOf, ToolAnnotations } from "../sdk/client.ts";
export type { Exit } from "../sdk/stdio.ts";
export type { AgentTool, AgentToolsOptions, ToolPart, ToolReply } from "./agent-tools.ts";
export { agentTools } from "./agent-tools.ts";
export type { AiModelOutput, AiOutput, AiPart, AiTool, AiToolsOptions } from "./ai-tools.ts";
export { aiTools } from "./ai-tools.ts";
export type { CallWithRetryOptions } from "./call-with-retry.ts";
export { callWithRetry } from "./call-with-retry.ts";
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
export type { RecourseClient } from "./recourse.ts";
export { recourse } from "./recourse.ts";
export type { ObserveTransportOptions } from "./transport/observe-transport.ts";
export { observeTransport } from "./transport/observe-transport.ts";
export type {
  CallRef,
  ConnectionRecord,
  ExchangeRecord,
  FetchLike,
  Phase,
  TransportObserver,
} from "./transport/types.ts";
