// The documentation of reasons and kinds. It has its own entry point, so that servers do not have to load it.

export { SEVERITIES } from "@recourse/core";
export type { Severity } from "@recourse/core/server";
export type { BriefExplanation, Explainable } from "./brief.ts";
export { explainBriefly } from "./brief.ts";
export type { CauseWeight, ConnectionCause, ConnectionCauseId, FailureActor } from "./data/causes.ts";
export {
  CONNECTION_CAUSE_IDS,
  CONNECTION_CAUSES,
  CONVERSATION_CAUSES,
  findConnectionCause,
  HTTP_CAUSES,
  PROGRAM_CAUSES,
} from "./data/causes.ts";
export { KIND_DOCS } from "./data/kinds.ts";
export type { CodeRange, SystemDoc } from "./data/systems.ts";
export { SYSTEMS } from "./data/systems.ts";
export type { KindDoc, ReasonDoc, System, SystemCode } from "./doc.ts";
export { SYSTEM_NAMES } from "./doc.ts";
export type { CatalogueEntry, CodeMeaning, Explanation } from "./explain.ts";
export { catalogue, explain, meaningsOf, RETIRED, rangeOf } from "./explain.ts";
export type { LeakedPart } from "./leaks.ts";
export { findLeakedParts, leakIn } from "./leaks.ts";
export type { LogLine, LogText } from "./log/blocks.ts";
export type { LogContent, LogEntry } from "./log/entries.ts";
export { readLogEntries, readLogValue } from "./log/entries.ts";
export type { LogChannel, LoggedFailure } from "./log/failures.ts";
export type { CountedFault, GroupFailuresOptions } from "./log/group-failures.ts";
export { groupFailures } from "./log/group-failures.ts";
export type { LoggedCause, LoggedIncident } from "./log/incidents.ts";
export type { FailureTally, LoggedGroup, LogProgress, SkipReason } from "./log/tally.ts";
export type { FailureForm, FailureFormId } from "./paste/match.ts";
export { findFailureForm } from "./paste/match.ts";
export type { ReadCause, RecognisedFailure, UnrecognisedText } from "./paste/read-failure.ts";
export { readFailure } from "./paste/read-failure.ts";
export type { CauseWords } from "./paste/rule.ts";
export type { Surrounding } from "./paste/take-apart.ts";
export { sayRepeat } from "./repeat.ts";
