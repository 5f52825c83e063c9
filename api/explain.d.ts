// The public API of @recourse/explain, written by `npm run build && node scripts/api-report.ts`.

// @recourse/explain
//   BriefExplanation
//   CONNECTION_CAUSES
//   CONNECTION_CAUSE_IDS
//   CONVERSATION_CAUSES
//   CatalogueEntry
//   CauseWeight
//   CauseWords
//   CodeMeaning
//   CodeRange
//   ConnectionCause
//   ConnectionCauseId
//   CountedFault
//   Explainable
//   Explanation
//   FailureActor
//   FailureForm
//   FailureFormId
//   FailureTally
//   GroupFailuresOptions
//   HTTP_CAUSES
//   KIND_DOCS
//   KindDoc
//   LeakedPart
//   LogChannel
//   LogContent
//   LogEntry
//   LogLine
//   LogProgress
//   LogText
//   LoggedCause
//   LoggedFailure
//   LoggedGroup
//   LoggedIncident
//   PROGRAM_CAUSES
//   RETIRED
//   ReadCause
//   ReasonDoc
//   RecognisedFailure
//   SEVERITIES
//   SYSTEMS
//   SYSTEM_NAMES
//   Severity
//   SkipReason
//   Surrounding
//   System
//   SystemCode
//   SystemDoc
//   UnrecognisedText
//   catalogue
//   explain
//   explainBriefly
//   findConnectionCause
//   findFailureForm
//   findLeakedParts
//   groupFailures
//   leakIn
//   meaningsOf
//   rangeOf
//   readFailure
//   readLogEntries
//   readLogValue
//   sayRepeat

import { Actor, Basis, Effect, Fault, FaultClass, Kind, KindRow, SEVERITIES } from "@recourse/core";
import { Severity, Severity as Severity$1 } from "@recourse/core/server";
import { JsonObject } from "@recourse/core/wire";
declare const SYSTEM_NAMES: readonly ["closient", "onx", "erlmcp", "qaqnuz", "platica"];
type System = (typeof SYSTEM_NAMES)[number];
interface SystemCode {
  readonly system: System;
  readonly code: string;
  readonly note?: string;
}
interface ReasonDoc {
  readonly title: string;
  readonly causes: readonly string[];
  readonly remedies: readonly string[];
  readonly severity: Severity;
  readonly codes?: readonly SystemCode[];
}
interface KindDoc extends Omit<ReasonDoc, "codes"> {
  readonly meaning: string;
}
interface Explainable {
  readonly reason: string;
  readonly kind?: string;
  readonly class?: string;
}
interface BriefExplanation extends Pick<ReasonDoc, "title" | "remedies" | "severity"> {
  readonly reason: string;
  readonly exact: boolean;
  readonly kind: Kind;
}
declare function explainBriefly(of: string | Explainable): BriefExplanation | undefined;
type CauseWeight = "broken" | "credentials" | "note";
type FailureActor = Actor | "setup" | "author";
interface ConnectionCause {
  readonly title: string;
  readonly seen: string;
  readonly because: string;
  readonly fix: string;
  readonly code?: string;
  readonly weight?: CauseWeight;
  readonly actor?: FailureActor;
}
declare const PROGRAM_CAUSES: Readonly<Record<"D1" | "D10" | "D11" | "D12" | "D13" | "D14" | "D15" | "D16" | "D17" | "D18" | "D19" | "D2" | "D20" | "D3" | "D4" | "D43" | "D5" | "D55" | "D6" | "D7" | "D73" | "D77" | "D8" | "D9", ConnectionCause>>;
declare const HTTP_CAUSES: Readonly<Record<"D21" | "D22" | "D23" | "D24" | "D25" | "D26" | "D27" | "D28" | "D29" | "D30" | "D31" | "D32" | "D33" | "D34" | "D35" | "D36" | "D37" | "D38" | "D39" | "D40" | "D41" | "D42" | "D44" | "D45" | "D56" | "D57" | "D58" | "D59", ConnectionCause>>;
declare const CONFIG_CAUSES: Readonly<Record<"D46" | "D47" | "D48" | "D49" | "D50" | "D51" | "D52" | "D53" | "D54", ConnectionCause>>;
declare const CONVERSATION_CAUSES: Readonly<Record<"D60" | "D61" | "D62" | "D63" | "D64" | "D65" | "D66" | "D67" | "D68" | "D69" | "D70" | "D71" | "D72" | "D74" | "D75" | "D76" | "D78", ConnectionCause>>;
type ConnectionCauseId = keyof typeof PROGRAM_CAUSES | keyof typeof HTTP_CAUSES | keyof typeof CONFIG_CAUSES | keyof typeof CONVERSATION_CAUSES;
declare const CONNECTION_CAUSES: Readonly<Record<ConnectionCauseId, ConnectionCause>>;
declare const CONNECTION_CAUSE_IDS: readonly ConnectionCauseId[];
declare function findConnectionCause(id: string): (ConnectionCause & {
  readonly id: ConnectionCauseId;
}) | undefined;
declare const KIND_DOCS: Readonly<Record<Kind, KindDoc>>;
interface SystemDoc {
  readonly name: string;
  readonly wire: string;
  readonly practice: readonly string[];
}
declare const SYSTEMS: {
  readonly closient: {
    readonly name: "Closient";
    readonly wire: "`result.error` in the form of a JSON-RPC error. Its `data` is a problem document (RFC 9457), the same as over REST.";
    readonly practice: readonly ["A success has no `error` member, so test for that member.", "Four groups: -320xx transport and authentication, -321xx validation, -322xx business rules, -323xx upstream and internal.", "New codes may be added within a group; existing ones keep their numbers.", "Branch on `code` and `retryable`, never on the text; wait for `retry_after` seconds.", "`ping` and `validate_gtin` do not fail: for an invalid GTIN the result is `valid: false`.", "`resolve_gtin` answers -32101 for an invalid GTIN and -32200 if no rule exists.", "`lookup_product` answers -32101 for an invalid GTIN; for an unknown GTIN the result is `found: false`, not an error.", "`generate_qr_url` answers -32101 for an invalid GTIN and -32002 without the scope `qr:generate`."];
  };
  readonly onx: {
    readonly name: "onX";
    readonly wire: "`result.error` with a positive code, `retryable` and `details`; JSON-RPC errors for failures before the tool runs.";
    readonly practice: readonly ["Ranges: 1000 protocol, 2000 validation, 3000 business, 4000 system, 5000 adapter.", "Some codes are outside the range of their category: 3001 and 3002 are system, 4001 is adapter. Go by the category of the code.", "If `retryable` is true, retry with exponential back-off and jitter; if it is false, change the input or the context first.", "`details.field` names the argument, as a dotted path.", "Identifiers from a backend, such as `ORDER_NOT_FOUND`, are in `details.originalError`.", "Use the most specific code, keep secrets and personal data out of the answer, and log the cause separately."];
  };
  readonly erlmcp: {
    readonly name: "erlmcp";
    readonly wire: "JSON-RPC errors at the top level, with details in `data`.";
    readonly practice: readonly ["Ranges by topic: JSON-RPC, core, content, resource, tool, prompt, auth, protocol, pagination, task, progress, completion, and 1090 to 1099 for experiments.", "Check for `error` before you read `result`, and log its details.", "Retry temporary failures, such as -32009 and -32010. Show users a sentence written for them.", "Servers should use the specific code, add context to `data`, log before they answer and omit sensitive data.", "It assigns a severity to each code: report critical ones at once, correct and retry errors, check the settings on warnings, and log the rest.", "Times: `retry_after`, `window` and `ttl_seconds` in seconds, `timeout_ms` and `elapsed_ms` in milliseconds, `expired_at` as epoch seconds.", "From revision 2026-07-28, MCP does not allow most of these codes at the top level, so you have to choose this dialect explicitly."];
  };
  readonly qaqnuz: {
    readonly name: "qaqnuz";
    readonly wire: "`isError` and one sentence that is safe to show. The class and a retry hint are in the envelope behind it.";
    readonly practice: readonly ["Branch on the class: retry `retryable` and `dependency`, never `validation` and `terminal`; on `permission`, check the configuration.", "The hint is advice: the wait, the number of attempts, fixed or exponential, and the jitter as a fraction (0.2 if it is missing).", "Only `retryable` and `dependency` carry a hint.", "You may log and show the sentence. Do not search it for details: it has none, and its wording may change.", "Neither a refusal nor an empty list of tools says whether a tool exists."];
  };
  readonly platica: {
    readonly name: "Platica";
    readonly wire: "Every failure of its REST API is a result with `isError`. Only requests that cannot be carried out are JSON-RPC errors.";
    readonly practice: readonly ["The text is the body of the REST answer. If the body is JSON, the parsed value is also in `structuredContent`.", "The answer to arguments that violate the schema has one line for each problem, and `structuredContent.issues`.", "Correct problems with arguments and call again in the same turn.", "If an id is not found and the key serves several workspaces, name the workspace."];
  };
};
interface CodeRow {
  readonly sender: string;
  readonly status?: number;
  readonly meaning: string;
  readonly reason: string;
  readonly effect?: Effect;
  readonly advice?: string;
}
interface CodeRange {
  readonly from: number;
  readonly to: number;
  readonly rule: string;
}
interface CatalogueEntry {
  readonly id: string;
  readonly kind: Kind;
  readonly class: FaultClass;
  readonly text: string;
  readonly slots: Readonly<Record<string, string>>;
  readonly doc: ReasonDoc;
}
declare const catalogue: Readonly<Record<string, CatalogueEntry>>;
declare const RETIRED: readonly string[];
interface Explanation extends BriefExplanation, Required<ReasonDoc> {
  readonly class: FaultClass;
  readonly meaning: string;
  readonly actor: Actor;
}
declare function explain(of: string | Explainable): Explanation | undefined;
interface CodeMeaning extends Required<Pick<CodeRow, "sender" | "meaning" | "reason" | "effect" | "advice">> {
  readonly status?: number;
  readonly kind: Kind;
}
declare function meaningsOf(code: number | string): readonly CodeMeaning[];
declare function rangeOf(code: number): CodeRange | undefined;
declare function leakIn(text: string): string | undefined;
interface LeakedPart {
  readonly start: number;
  readonly end: number;
  readonly leaks: readonly string[];
}
declare function findLeakedParts(text: string): readonly LeakedPart[];
interface LogLine {
  readonly text: string;
  readonly cut?: boolean;
}
type LogText = string | AsyncIterable<LogLine>;
interface LogBlock {
  readonly line: number;
  readonly lastLine: number;
  readonly count: number;
  readonly texts: readonly string[];
  readonly cut: boolean;
}
type LogChannel = "isError" | "result" | `error ${number}` | `HTTP ${number}` | "says success" | "server log" | "gateway log" | "gateway" | "text";
interface LoggedFailure {
  readonly fault?: Fault;
  readonly dialect?: string;
  readonly channel: LogChannel;
  readonly text: string;
  readonly cause?: ConnectionCauseId;
  readonly named?: {
    readonly kind: string;
    readonly reason: string;
  };
}
type IncidentAuthor = "server" | "gateway" | "store";
interface LoggedIncident {
  readonly writer: IncidentAuthor;
  readonly id?: string;
  readonly kind: string;
  readonly reason: string;
  readonly fault?: Fault;
  readonly at?: string;
  readonly sentText?: string;
  readonly method?: string;
  readonly tool?: string;
  readonly tenant?: string;
  readonly caller?: string;
  readonly upstream?: string;
  readonly upstreamIncident?: string;
  readonly fingerprint?: string;
  readonly durationMs?: number;
  readonly code?: number;
  readonly causes: readonly LoggedCause[];
  readonly sharesId?: boolean;
}
interface LoggedCause {
  readonly relation: "thrown" | "cause" | "member";
  readonly name: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly frames: readonly string[];
}
interface LogContent {
  readonly incidents: readonly LoggedIncident[];
  readonly failures: readonly LoggedFailure[];
}
interface LogEntry extends LogBlock {
  readTime(): string | undefined;
  readContent(): LogContent;
}
declare function readLogEntries(log: LogText): AsyncGenerator<LogEntry>;
declare function readLogValue(value: unknown): LogContent;
type SkipReason = "text" | "json" | "malformed" | "tooLong";
interface LoggedGroup {
  readonly key: string;
  readonly count: number;
  readonly failure: LoggedFailure;
  readonly causes: readonly LoggedCause[];
  readonly line: number;
  readonly lastLine: number;
  readonly channels: readonly LogChannel[];
  readonly tools: Readonly<Record<string, number>>;
  readonly upstreams: Readonly<Record<string, number>>;
  readonly firstAt?: string;
  readonly lastAt?: string;
  readonly incidents: readonly string[];
}
interface FailureTally {
  readonly lines: number;
  readonly understood: number;
  readonly skipped: Readonly<Record<SkipReason, number>>;
  readonly messages: number;
  readonly incidents: number;
  readonly failures: number;
  readonly repeated: number;
  readonly firstAt?: string;
  readonly lastAt?: string;
  readonly groups: readonly LoggedGroup[];
  readonly ungrouped: number;
}
interface LogProgress extends Pick<FailureTally, "lines" | "failures"> {}
interface CountedFault {
  readonly fault: Fault;
  readonly body?: JsonObject;
  readonly method?: string;
  readonly tool?: string;
}
interface GroupFailuresOptions {
  readonly onFault?: (counted: CountedFault) => void;
  readonly onProgress?: (progress: LogProgress) => void;
}
declare function groupFailures(log: LogText, {
  onFault,
  onProgress
}?: GroupFailuresOptions): Promise<FailureTally>;
type CauseWords = Partial<Pick<ConnectionCause, "title" | "because" | "fix" | "code">>;
interface FailureForm {
  readonly line: string;
  readonly named?: string;
  readonly words: CauseWords;
}
type FailureFormId = "command-not-found" | "command-not-found-words" | "env-interpreter" | "missing-module" | "missing-script" | "native-part" | "npx-question" | "package-not-found" | "port-in-use" | "registry-unreachable";
declare function findFailureForm(text: string, id: FailureFormId): FailureForm | undefined;
type Surrounding = "access_log" | "colours" | "cut" | "event_stream" | "http_reply" | "json" | "log_line" | "quotes" | "sdk_prefix" | "stack";
interface ReadCause extends ConnectionCause {
  readonly id: ConnectionCauseId;
}
interface RecognisedFailure {
  readonly found: true;
  readonly leads: "cause" | "fault";
  readonly title: string;
  readonly because: string;
  readonly advice: string;
  readonly code?: string;
  readonly actor: FailureActor;
  readonly effect: Effect;
  readonly basis: Basis;
  readonly cause?: ReadCause;
  readonly fault?: Fault;
  readonly dialect?: string;
  readonly rule?: string;
  readonly rpcCode?: number;
  readonly httpStatus?: number;
  readonly recognised: string;
  readonly around: readonly Surrounding[];
}
interface UnrecognisedText {
  readonly found: false;
  readonly because: "empty" | "request" | "notification" | "success" | "unmarked_failure" | "json" | "text";
  readonly method?: string;
  readonly says?: string;
  readonly argument?: string;
  readonly around: readonly Surrounding[];
}
declare function readFailure(text: string): RecognisedFailure | UnrecognisedText;
declare function sayRepeat(after: Fault | KindRow["retryWhen"]): string;
