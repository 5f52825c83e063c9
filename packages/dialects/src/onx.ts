// The error format of onX, read and written.
export type { OnxWire } from "@recourse/core/dialects";
export { onx } from "@recourse/core/dialects";
