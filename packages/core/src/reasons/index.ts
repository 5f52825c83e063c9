// The library's reasons, and what reads any thrown value.

export type { SystemFailure } from "../errors/system-codes.ts";
export { readSystemFault } from "../errors/system-codes.ts";
export { LIBRARY_REASONS, libraryReason } from "./library/by-id.ts";
export {
  adapter,
  auth,
  completion,
  content,
  core,
  elicitation,
  idempotency,
  notification,
  pagination,
  progress,
  prompt,
  protocol,
  resource,
  rest,
  sampling,
  task,
  tool,
  transport,
} from "./library/domains.ts";
export type { ForeignText, ToFaultOptions } from "./thrown/to-fault.ts";
export { toFault } from "./thrown/to-fault.ts";
