import type { Effect } from "../../fault/kinds.ts";
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
    wire: "`result.error` in the form of a JSON-RPC error; its `data` is a problem document (RFC 9457), the same as over REST.",
    practice: [
      "A success has no `error` member, so its presence is the test.",
      "Four groups: -320xx transport and authentication, -321xx validation, -322xx business rules, -323xx upstream and internal.",
      "New codes may be added within a group; existing ones keep their numbers.",
      "Branch on `code` and on `retryable`, never on the text; honour `retry_after`, in seconds.",
      "`ping` and `validate_gtin` do not fail: a wrong GTIN answers `valid: false`.",
      "`resolve_gtin` answers -32101 for a wrong GTIN and -32200 where no rule exists.",
      "`lookup_product` answers -32101 for a wrong GTIN; an unknown one is `found: false`, not an error.",
      "`generate_qr_url` answers -32101 for a wrong GTIN and -32002 without the scope `qr:generate`.",
    ],
  },
  onx: {
    name: "onX",
    wire: "`result.error` with a positive code, `retryable` and `details`; JSON-RPC errors for what fails before the tool runs.",
    practice: [
      "Ranges: 1000 protocol, 2000 validation, 3000 business, 4000 system, 5000 adapter.",
      "Some codes stand outside the range of their category: 3001 and 3002 are system, 4001 is adapter. The category of the code counts.",
      "`retryable: true` means: retry with exponential back-off and jitter; `false`: change the input or the context first.",
      "`details.field` names the argument, as a dotted path.",
      "Identifiers of a backend, such as `ORDER_NOT_FOUND`, travel in `details.originalError`.",
      "Use the most specific code, keep secrets and personal data out of the answer, and log the cause apart.",
    ],
  },
  erlmcp: {
    name: "erlmcp",
    wire: "Errors of JSON-RPC at the top level, with details in `data`.",
    practice: [
      "Ranges by topic: JSON-RPC, core, content, resource, tool, prompt, auth, protocol, pagination, task, progress, completion, and 1090 to 1099 for experiments.",
      "Look for `error` before reading `result`, and log its details.",
      "Retry what passes by itself, such as -32009 and -32010; show people a sentence made for them.",
      "Servers use the specific code, add the context to `data`, log before they answer and leave out what is sensitive.",
      "Its own severities go by code: critical ones are reported at once, errors are corrected and retried, warnings point to settings, the rest is logged.",
      "Times: `retry_after`, `window` and `ttl_seconds` in seconds, `timeout_ms` and `elapsed_ms` in milliseconds, `expired_at` as epoch seconds.",
      "From revision 2026-07-28 of MCP most of these codes are not allowed at the top level, so the dialect has to be chosen.",
    ],
  },
  qaqnuz: {
    name: "qaqnuz",
    wire: "`isError` and one sentence that is safe to show; the class and a hint for retrying stand in the envelope behind it.",
    practice: [
      "Branch on the class: retry `retryable` and `dependency`, never `validation` and `terminal`, check the set-up on `permission`.",
      "The hint is advice: wait, number of attempts, fixed or exponential, jitter as a fraction, 0.2 where it is not given.",
      "Only `retryable` and `dependency` carry a hint.",
      "The sentence may be logged and shown; do not search it for details, since there are none and its wording may change.",
      "A refusal tells nothing about whether a tool exists, and neither does an empty list of tools.",
    ],
  },
  platica: {
    name: "Platica",
    wire: "Every failure of its REST API is a result with `isError`; only requests that cannot be carried out are JSON-RPC errors.",
    practice: [
      "The text is the body of the REST answer; if that is JSON, it stands parsed in `structuredContent` too.",
      "Arguments that break the schema answer with a line for each problem, and with `structuredContent.issues`.",
      "Problems with arguments are meant to be corrected and sent again in the same turn.",
      "If an id is not found and the key serves several workspaces, name the workspace.",
    ],
  },
} as const satisfies Record<System, SystemDoc>;

/** What a code means when one sender sends it. */
export interface CodeRow {
  /** Who sends it. */
  readonly sender: string;
  /** The HTTP status that it comes with, if that is what tells it from other meanings. */
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
 * frameworks and gateways that were run or read. The codes of the five systems stand with the reasons.
 */
export const CODES = codes as Readonly<Record<string, readonly CodeRow[]>>;

/** A range of numbers and what the protocol says about it. */
export interface CodeRange {
  /** The smallest number. */
  readonly from: number;
  /** The largest number. */
  readonly to: number;
  /** What a number of this range says by itself, in one sentence. */
  readonly rule: string;
}

/** Ranges of JSON-RPC codes in MCP 2026-07-28, the narrowest first. */
export const CODE_RANGES = [
  {
    from: -32019,
    to: -32000,
    rule: "Since MCP 2026-07-28 a number from -32000 to -32019 means nothing by itself: the sender decides.",
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
    rule: "Outside of -32000 to -32768 every program defines its own numbers.",
  },
] as const satisfies readonly CodeRange[];
