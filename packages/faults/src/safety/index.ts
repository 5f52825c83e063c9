// What keeps secrets, personal data and instructions to a model out of texts: filters, pattern rules, and cleaning of logs.

export { readCallerTexts } from "./caller-texts.ts";
export { type CleanLogTextOptions, cleanLogText, REMOVED_MARK } from "./cut.ts";
export { type FilterLimit, limitFilters, MAX_FILTER_WORK } from "./filter-work.ts";
export { decodeHtmlEntities, findTextRuns } from "./layers.ts";
export { INVISIBLE_CHARACTERS, type ReadTextOptions, readText, toLine } from "./line.ts";
export { type RedactedJson, type RelayedBody, redactJson, relayBody } from "./redact-json.ts";
export { PATTERN_RULES, type RuleId } from "./rules/all-rules.ts";
export { looksSecret } from "./rules/credentials.ts";
export { isPlaceholder, type PatternRule, RULE_GROUPS } from "./rules/rule.ts";
export { containsSecret, joinSecretFilters } from "./secrets.ts";
