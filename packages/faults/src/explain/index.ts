// The documentation of reasons and kinds. It has its own entry point, so that servers do not have to load it.

export type { Severity } from "../fault/severity.ts";
export { SEVERITIES } from "../fault/severity.ts";
export type { CatalogueEntry } from "./catalogue.ts";
export { catalogue, RETIRED } from "./catalogue.ts";
export type { CodeRange } from "./data/codes.ts";
export { KIND_DOCS } from "./data/kinds.ts";
export type { SystemDoc } from "./data/systems.ts";
export { SYSTEMS } from "./data/systems.ts";
export type { KindDoc, ReasonDoc, System, SystemCode } from "./doc.ts";
export { SYSTEM_NAMES } from "./doc.ts";
export type { Explainable, Explanation } from "./explain.ts";
export { explain } from "./explain.ts";
export type { CodeMeaning } from "./meanings.ts";
export { meaningsOf, rangeOf } from "./meanings.ts";
