// What keeps secrets and personal data out of texts: one cutter, its rules, and cleaning of logs.

export { readCallerTexts } from "./caller-texts.ts";
export { type CleanLogTextOptions, cleanLogText } from "./clean-log-text.ts";
export { cutText, findCuts, MAX_CUT_TEXT } from "./cut-text.ts";
export { decodeHtmlEntities, findTextRuns } from "./decoders.ts";
export { CUT_MARK } from "./find-matches.ts";
export { installTextFilter } from "./full-search.ts";
export { INVISIBLE_CHARACTERS, readText, toLine } from "./line.ts";
export { redactJson, relayBody } from "./redact-json.ts";
export { CUT_RULES, looksSecret } from "./rules/cut-rules.ts";
export { type CutRule, isPlaceholder } from "./rules/rule.ts";
export { containsSecret, joinSecretFilters } from "./secrets.ts";
export { limitReading, MAX_READ_CHARACTERS, showLine } from "./show-line.ts";
