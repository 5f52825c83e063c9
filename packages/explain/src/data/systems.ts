import type { Effect } from "@recourse/core";
import type { System } from "../doc.ts";
import codes from "./codes.json" with { type: "json" };

/** How one of the five systems reports failures. */
export interface SystemDoc {
  /** The name of the system. */
  readonly name: string;
  /** Where an answer carries a failure. */
  readonly wire: string;
  /** Rules for its clients and servers. */
  readonly practice: readonly string[];
}

/** The five systems whose error codes the library knows. */
export const SYSTEMS = {
  closient: {
    name: "Closient",
    wire: "`result.error` in the form of a JSON-RPC error. Its `data` is a problem document (RFC 9457), the same as over REST.",
    practice: [
      "A success has no `error` member, so test for that member.",
      "Four groups: -320xx transport and authentication, -321xx validation, -322xx business rules, -323xx upstream and internal.",
      "New codes may be added within a group; existing ones keep their numbers.",
      "Branch on `code` and `retryable`, never on the text; wait for `retry_after` seconds.",
      "`ping` and `validate_gtin` do not fail: for an invalid GTIN the result is `valid: false`.",
      "`resolve_gtin` answers -32101 for an invalid GTIN and -32200 if no rule exists.",
      "`lookup_product` answers -32101 for an invalid GTIN; for an unknown GTIN the result is `found: false`, not an error.",
      "`generate_qr_url` answers -32101 for an invalid GTIN and -32002 without the scope `qr:generate`.",
    ],
  },
  onx: {
    name: "onX",
    wire: "`result.error` with a positive code, `retryable` and `details`; JSON-RPC errors for failures before the tool runs.",
    practice: [
      "Ranges: 1000 protocol, 2000 validation, 3000 business, 4000 system, 5000 adapter.",
      "Some codes are outside the range of their category: 3001 and 3002 are system, 4001 is adapter. Go by the category of the code.",
      "If `retryable` is true, retry with exponential back-off and jitter; if it is false, change the input or the context first.",
      "`details.field` names the argument, as a dotted path.",
      "Identifiers from a backend, such as `ORDER_NOT_FOUND`, are in `details.originalError`.",
      "Use the most specific code, keep secrets and personal data out of the answer, and log the cause separately.",
    ],
  },
  erlmcp: {
    name: "erlmcp",
    wire: "JSON-RPC errors at the top level, with details in `data`.",
    practice: [
      "Ranges by topic: JSON-RPC, core, content, resource, tool, prompt, auth, protocol, pagination, task, progress, completion, and 1090 to 1099 for experiments.",
      "Check for `error` before you read `result`, and log its details.",
      "Retry temporary failures, such as -32009 and -32010. Show users a sentence written for them.",
      "Servers should use the specific code, add context to `data`, log before they answer and omit sensitive data.",
      "It assigns a severity to each code: report critical ones at once, correct and retry errors, check the settings on warnings, and log the rest.",
      "Times: `retry_after`, `window` and `ttl_seconds` in seconds, `timeout_ms` and `elapsed_ms` in milliseconds, `expired_at` as epoch seconds.",
      "From revision 2026-07-28, MCP does not allow most of these codes at the top level, so you have to choose this dialect explicitly.",
    ],
  },
  qaqnuz: {
    name: "qaqnuz",
    wire: "`isError` and one sentence that is safe to show. The class and a retry hint are in the envelope behind it.",
    practice: [
      "Branch on the class: retry `retryable` and `dependency`, never `validation` and `terminal`; on `permission`, check the configuration.",
      "The hint is advice: the wait, the number of attempts, fixed or exponential, and the jitter as a fraction (0.2 if it is missing).",
      "Only `retryable` and `dependency` carry a hint.",
      "You may log and show the sentence. Do not search it for details: it has none, and its wording may change.",
      "Neither a refusal nor an empty list of tools says whether a tool exists.",
    ],
  },
  platica: {
    name: "Platica",
    wire: "Every failure of its REST API is a result with `isError`. Only requests that cannot be carried out are JSON-RPC errors.",
    practice: [
      "The text is the body of the REST answer. If the body is JSON, the parsed value is also in `structuredContent`.",
      "The answer to arguments that violate the schema has one line for each problem, and `structuredContent.issues`.",
      "Correct problems with arguments and call again in the same turn.",
      "If an id is not found and the key serves several workspaces, name the workspace.",
    ],
  },
} as const satisfies Record<System, SystemDoc>;

/** What a code means when one sender sends it. */
export interface CodeRow {
  /** Who sends it. */
  readonly sender: string;
  /** The HTTP status that it comes with, if the status distinguishes it from other meanings. */
  readonly status?: number;
  /** What happened, without a full stop. */
  readonly meaning: string;
  /** The reason of the library that says the same. */
  readonly reason: string;
  /** Whether the call may have changed something. @default what the kind of the reason says */
  readonly effect?: Effect;
  /** What to do, without a full stop. @default what the kind of the reason says */
  readonly advice?: string;
}

/**
 * What numbers and names of codes mean beyond the five systems: in the protocol, in the official SDKs, and in servers,
 * frameworks and gateways that were run or read. The codes of the five systems are listed with the reasons.
 */
export const CODES = codes as Readonly<Record<string, readonly CodeRow[]>>;

/** A range of numbers and what the protocol says about it. */
export interface CodeRange {
  /** The smallest number. */
  readonly from: number;
  /** The largest number. */
  readonly to: number;
  /** What a number in this range means by itself, in one sentence. */
  readonly rule: string;
}

/** Ranges of JSON-RPC codes in MCP 2026-07-28, the narrowest first. */
export const CODE_RANGES = [
  {
    from: -32019,
    to: -32000,
    rule: "Since MCP 2026-07-28, a number from -32000 to -32019 has no fixed meaning: the sender defines it.",
  },
  {
    from: -32099,
    to: -32020,
    rule: "Numbers from -32020 to -32099 are reserved for MCP: only the codes that it defines may be sent.",
  },
  { from: -32768, to: -32100, rule: "Numbers from -32100 to -32768 are reserved for JSON-RPC." },
  {
    from: Number.MIN_SAFE_INTEGER,
    to: Number.MAX_SAFE_INTEGER,
    rule: "Outside -32000 to -32768, every program defines its own numbers.",
  },
] as const satisfies readonly CodeRange[];
