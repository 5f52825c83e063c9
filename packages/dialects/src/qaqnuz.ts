// The error format of qaqnuz, read and written.
export type { QaqnuzContext, QaqnuzWire } from "@recourse/core/dialects";
export { qaqnuz } from "@recourse/core/dialects";
