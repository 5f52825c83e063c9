// The documentation of reasons and kinds. It has its own entry point, so that servers do not have to load it.

export type { CatalogueEntry } from "./catalogue.ts";
export { catalogue, RETIRED } from "./catalogue.ts";
export { KIND_DOCS } from "./data/kinds.ts";
export type { SystemDoc } from "./data/systems.ts";
export { SYSTEMS } from "./data/systems.ts";
export type { KindDoc, ReasonDoc, Severity, System, SystemCode } from "./doc.ts";
export { SEVERITIES, SYSTEM_NAMES } from "./doc.ts";
export type { Explainable, Explanation } from "./explain.ts";
export { explain } from "./explain.ts";
