import { core, protocol, tool, transport } from "@recourse/core/reasons";

// What the parts of a pasted text say by themselves: codes, statuses, and the faults in its JSON and in sentences of SDKs.

import type { Fault } from "@recourse/core";
import { type DetectedFault, detect, stripCodePrefix } from "@recourse/core/dialects";
import { installTextFilter } from "@recourse/core/safety";
import { integerAt, type JsonObject, objectAt } from "@recourse/core/wire";
import { findStatus, type NamedStatus } from "./status.ts";
import { type PastedText, takeApart } from "./take-apart.ts";

/** What a text says, before it is decided what counts. */
export interface Evidence {
  readonly pasted: PastedText;
  /** The text, and below it the texts inside of its JSON. */
  readonly searched: string;
  /** The fault that a dialect recognises. */
  readonly detected: DetectedFault | undefined;
  /** Whether a tool wrote the text, so that the connection to its server works. */
  readonly isTool: boolean;
  /** Whether the text says that the handshake failed, so that no call was sent. */
  readonly isHandshake: boolean;
  readonly status: NamedStatus | undefined;
  readonly rpcCode: number | undefined;
}

/** Texts that others wrote: a fault keeps only what may be shown. */
export const FILTERED = { textPolicy: "foreign" } as const;

const TOOL_TEXT =
  /\bError (?:executing|calling|running|invoking) tool\b|\bTool '[^'\n]{1,128}' execution failed|\bTool (?:execution|call) (?:error|failed)|"isError": ?true/i;

/** Only failures count: hosts also write a line when they begin. */
const FAILED_HANDSHAKE =
  /\bbefore (?:respond|answer|reply)\w{0,4} to (?:the )?[`'"]?initiali[sz]e|(?:\bcalling |^|: )["'`]?initialize["'`]?: |\b(?:errors?|fail(?:ed|ure|s)?|could not|unable|cannot|can't|timed out|timeout)\b[^\n]{0,30}\b(?:handshake\b|initiali[sz](?:e|ing|ation)(?: of)?(?: the)?(?: mcp)?[ `'"]{1,2}(?:client|server|connection|session|transport|request|handshake)\b)|\b(?:MCP|initialize) handshake\b[^\n]{0,30}\b(?:failed|error|timed? ?out)|\bfail(?:ed|ure) to (?:re)?load (?:mcp )?client\b|\bMCP (?:server|client)\b[^\n]{0,60}\b(?:failed to|could not be|did not) start/im;

/** A stack through the handshake of a client. A log may hold the failure of a call beside it. */
const HANDSHAKE_STACK =
  /mcp(?:a?sync)?client(?:session)?\.initiali[sz]e ?\(|mcp[\\/]client[\\/]session\.py", line \d{1,6}, in initialize\b/i;
const CALL_WORDS = /\b(?:call|execute)_?tool\b|\btools\/call\b/i;

/** Reads what the parts of a text say. */
export function gatherEvidence(text: string): Evidence {
  installTextFilter();
  const pasted = takeApart(text);
  const searched = `${pasted.text}\n${pasted.inner}`;
  const { reply } = pasted;
  const status = reply === undefined ? findStatus(searched) : { status: reply.status, index: 0, length: 0 };
  const isTool = TOOL_TEXT.test(searched) || pasted.objects.some(({ isError }) => isError === true);
  return {
    pasted,
    searched,
    detected: detectFault(pasted, searched),
    isTool,
    isHandshake: !isTool && (FAILED_HANDSHAKE.test(searched) || isHandshakeStack(searched)),
    status: status !== undefined && status.status >= 300 ? status : undefined,
    rpcCode: findRpcCode(pasted, searched),
  };
}

function isHandshakeStack(searched: string): boolean {
  return HANDSHAKE_STACK.test(searched) && !CALL_WORDS.test(searched);
}

/** The sentence of a tool in a text, as a tool sends it. Undefined if no tool wrote the text. */
export function detectToolText(searched: string): DetectedFault | undefined {
  const index = searched.search(TOOL_TEXT);
  const text = searched.slice(index).trimEnd();
  return index === -1 ? undefined : detect({ isError: true, content: [{ type: "text", text }] }, FILTERED);
}

const CODE_IN_TEXT =
  /\bMCP error (-?\d{1,6})\b|\bcode[=:]? ?(-?3[23]\d{3})\b|"code": ?(-3[23]\d{3})\b|\[(-3[23]\d{3})\]|\B(-32\d{3})\b/i;

function findRpcCode({ objects }: PastedText, searched: string): number | undefined {
  for (const object of objects) {
    const code = integerAt(objectAt(object, "error"), "code") ?? integerAt(object, "code");
    if (code !== undefined && code < 0) return code;
  }
  const digits = CODE_IN_TEXT.exec(searched)
    ?.slice(1)
    .find((group) => group !== undefined);
  // The Python SDK writes 32600 without its sign.
  return digits === undefined ? undefined : -Math.abs(Number(digits));
}

/** The fault in the JSON of a text, in a raw HTTP reply, or in a sentence of an SDK. One that says more counts first. */
function detectFault({ objects, reply }: PastedText, searched: string): DetectedFault | undefined {
  const found: DetectedFault[] = [];
  // Beside its status, a reply says how long to wait.
  const replies = reply !== undefined && "retry-after" in reply.headers ? [reply] : [];
  for (const wire of [...objects, ...sentenceErrors(searched), ...replies]) {
    const one = isPlausible(wire) ? detect(wire, FILTERED) : undefined;
    if (one !== undefined && !isWeak(one.fault)) return one;
    if (one !== undefined) found.push(one);
  }
  return found.find(({ fault }) => fault.reason !== core.unrecognised.id) ?? found[0];
}

/** Objects inside of a message are data: only forms in which failures are sent count. */
function isPlausible(wire: object): boolean {
  return (
    "error" in wire ||
    "isError" in wire ||
    "result" in wire ||
    (integerAt(wire, "code") !== undefined && "message" in wire) ||
    ("status" in wire && ("body" in wire || "title" in wire))
  );
}

const SDK_SENTENCE = /\bMCP error (-?\d{1,6}): ?/;
const MAX_SENTENCE = 8_000;

/** The error of the SDK that a sentence was made from. */
function sentenceErrors(searched: string): JsonObject[] {
  const match = SDK_SENTENCE.exec(searched);
  if (match === null) return [];
  const start = match.index + match[0].length;
  const text = stripCodePrefix(searched.slice(start, start + MAX_SENTENCE)).text;
  // A stack, or what a log adds, stands on the lines below. The JSON of a validator has several lines.
  const end = text.indexOf("\n]");
  const first = /\[\s{0,40}\{/.test(text.slice(0, 300)) && end !== -1 ? text.slice(0, end + 2) : text.split("\n", 1)[0];
  return [{ name: "McpError", code: Number(match[1]), message: (first ?? "").replace(/["'\s]{1,4}$/, "") }];
}

/** Reasons that follow from a general code alone. Words say more than they do. */
const WEAK_REASONS: readonly string[] = [
  core.unrecognised.id,
  tool.failed.id,
  core.internal.id,
  protocol.invalid_params.id,
  protocol.invalid_request.id,
  protocol.bad_request.id,
  transport.failed.id,
  transport.http_failed.id,
];

/** Tells a fault that says little from one that says what happened. */
export function isWeak({ reason, basis }: Fault): boolean {
  return basis !== "stated" && (basis === "guessed" || WEAK_REASONS.includes(reason));
}

/** Dialects whose codes and members mean one thing. */
const EXPLICIT_DIALECTS: readonly string[] = ["closient", "onx", "platica", "qaqnuz", "erlmcp"];

/** The fault that the sender stated, or wrote in a code that only its system has. It counts before any words. */
export function statedFault({ detected }: Evidence): Fault | undefined {
  if (detected === undefined) return undefined;
  const isStated = detected.basis === "stated" || EXPLICIT_DIALECTS.includes(detected.dialect);
  return isStated ? detected.fault : undefined;
}
