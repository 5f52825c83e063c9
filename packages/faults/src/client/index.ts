// The client kit: call a server, and always know what to do next.

export type { Sleep } from "../async/race.ts";
export type { ClientLike, ListedTool, ResultOf, ToolAnnotations } from "../sdk/client-types.ts";
export type { AgentTool, AgentToolsOptions, ToolReply } from "./agent-tools.ts";
export { agentTools } from "./agent-tools.ts";
export type { AiModelOutput, AiPart } from "./ai-content.ts";
export type { AiOutput, AiTool, AiToolsOptions } from "./ai-tools.ts";
export { aiTools } from "./ai-tools.ts";
export type { CallWithRetryOptions } from "./call-with-retry.ts";
export { callWithRetry } from "./call-with-retry.ts";
export type { ConnectFaultOptions } from "./connect-fault.ts";
export { connectFault } from "./connect-fault.ts";
export type { CallIncident, CallSink } from "./incident.ts";
export type { CallOptions, Reconnection, RecourseOptions } from "./options.ts";
export type { AttemptSummary, Failed, InputRequired, Outcome, Succeeded } from "./outcome.ts";
export type { RecourseClient } from "./recourse.ts";
export { recourse } from "./recourse.ts";
export type { ToolPart } from "./tool-parts.ts";
export type { ObserveTransportOptions } from "./transport/observe-transport.ts";
export { observeTransport } from "./transport/observe-transport.ts";
export type {
  CallRef,
  ConnectionRecord,
  ExchangeRecord,
  Exit,
  FetchLike,
  Phase,
  TransportObserver,
} from "./transport/types.ts";
