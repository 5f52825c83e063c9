// The error format of erlmcp, read and written.
export type { ErlmcpDialect, ErlmcpWire } from "@recourse/core/dialects";
export { erlmcp } from "@recourse/core/dialects";
