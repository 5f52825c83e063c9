// The error format of Closient, read and written.
export type { ClosientContext, ClosientWire } from "@recourse/core/dialects";
export { closient } from "@recourse/core/dialects";
