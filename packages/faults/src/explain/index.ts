// The documentation of reasons and kinds. It has its own entry point, so that servers do not have to load it.

export type { Severity } from "../fault/severity.ts";
export { SEVERITIES } from "../fault/severity.ts";
export { KIND_DOCS } from "./data/kinds.ts";
export type { CodeRange, SystemDoc } from "./data/systems.ts";
export { SYSTEMS } from "./data/systems.ts";
export type { KindDoc, ReasonDoc, System, SystemCode } from "./doc.ts";
export { SYSTEM_NAMES } from "./doc.ts";
export type { CatalogueEntry, CodeMeaning, Explainable, Explanation } from "./explain.ts";
export { catalogue, explain, meaningsOf, RETIRED, rangeOf } from "./explain.ts";
