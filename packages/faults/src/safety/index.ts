// What keeps secrets and personal data out of texts: one cutter, its rules, and cleaning of logs.

export { readCallerTexts } from "./caller-texts.ts";
export { type CleanLogTextOptions, cleanLogText } from "./clean-log-text.ts";
export { type CutOptions, type CutOutcome, type CutScope, cutText } from "./cut-text.ts";
export { decodeHtmlEntities, findTextRuns } from "./decoders.ts";
export { CUT_MARK } from "./find-matches.ts";
export { INVISIBLE_CHARACTERS, type ReadTextOptions, readText, toLine } from "./line.ts";
export { limitReading, MAX_READ_CHARACTERS, type ReadLimit } from "./read-limit.ts";
export { type RedactedJson, type RelayedBody, redactJson, relayBody } from "./redact-json.ts";
export { looksSecret } from "./rules/credentials.ts";
export { CUT_RULES } from "./rules/cut-rules.ts";
export { isPlaceholder, type PatternRule, RULE_GROUPS } from "./rules/rule.ts";
export { containsSecret, joinSecretFilters } from "./secrets.ts";
export { type LineOptions, showLine, type TextRole } from "./show-line.ts";
