// The error format of Platica, read and written.
export type { PlaticaContext, PlaticaWire } from "@recourse/core/dialects";
export { platica } from "@recourse/core/dialects";
