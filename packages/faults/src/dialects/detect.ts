import type { Basis, Fault } from "../fault/fault.ts";
import { isFaultClass } from "../fault/kinds.ts";
import { unrecognised } from "../reasons/library/core.ts";
import { execution_failed } from "../reasons/library/tool.ts";
import { statedFault } from "../reasons/unknown/stated.ts";
import { readCertainty } from "./certainty.ts";
import { closient } from "./closient/closient.ts";
import type { DecodeContext } from "./dialect.ts";
import { erlmcp } from "./erlmcp/erlmcp.ts";
import { rowOf } from "./erlmcp/table.ts";
import { fastmcp } from "./fastmcp/fastmcp.ts";
import type { HttpDecodeContext } from "./http/context.ts";
import { http } from "./http/http.ts";
import { decodeWhole } from "./mcp/decode.ts";
import { mcp } from "./mcp/mcp.ts";
import { onx } from "./onx/onx.ts";
import { plainOf, total } from "./plain.ts";
import { platica } from "./platica/platica.ts";
import { quoteOf } from "./prose.ts";
import { qaqnuz } from "./qaqnuz/qaqnuz.ts";
import { BY_CODE } from "./rpc.ts";
import { readLocal } from "./sdk/local.ts";
import { stripped } from "./sdk/protocol.ts";
import { sdk } from "./sdk/sdk.ts";
import { text } from "./text/text.ts";
import {
  arrayAt,
  booleanAt,
  integerAt,
  isJson,
  memberAt,
  type Opened,
  objectAt,
  open,
  type RpcError,
  rpcErrorOf,
  stringAt,
} from "./wire.ts";

/** A failure of any form, which dialect it was written in, and how certain that is. */
export interface Detected {
  readonly fault: Fault;
  readonly dialect: string;
  readonly basis: Basis;
}

type Read = (wire: unknown, context: HttpDecodeContext) => Fault | undefined;

interface Reader {
  readonly dialect: string;
  /** The members by which the form is known; without it, the reader itself refuses what it does not know. */
  readonly knows?: (opened: Opened, context: DecodeContext) => boolean;
  readonly read: Read;
  /** It is given a caught error itself, since the class of the error counts. */
  readonly caught?: boolean;
}

/** The readers, the surest first. A bare integer that means different things to different systems is not guessed. */
const READERS: readonly Reader[] = [
  { dialect: "mcp", read: statedFault, caught: true },
  { dialect: "mcp", read: decodeWhole },
  { dialect: "closient", knows: isClosient, read: closient.decode },
  { dialect: "onx", knows: isOnx, read: onx.decode },
  { dialect: "platica", knows: isPlatica, read: platica.decode },
  { dialect: "qaqnuz", knows: isQaqnuz, read: qaqnuz.decode },
  { dialect: "erlmcp", knows: isErlmcp, read: erlmcp.decode },
  { dialect: "sdk", knows: isNoResult, read: readLocal, caught: true },
  { dialect: "sdk", read: surely(sdk.decode) },
  { dialect: "fastmcp", read: fastmcp.decode },
  { dialect: "mcp", knows: isProtocols, read: mcp.decode },
  { dialect: "http", knows: isNoResult, read: http.decode },
  { dialect: "mcp", knows: isAnyError, read: unknownCode },
  { dialect: "sdk", read: sdk.decode },
  { dialect: "text", read: guess },
  { dialect: "mcp", read: mcp.decode },
];

/** Reads a failure of any dialect; undefined is a success, or nothing that anybody here knows as a failure. */
export function detect(wire: unknown, context: HttpDecodeContext = {}): Detected | undefined {
  return total(() => find(wire, context));
}

function find(wire: unknown, context: HttpDecodeContext): Detected | undefined {
  const plain = plainOf(wire);
  const opened = open(plain);
  for (const { dialect, knows, read, caught } of READERS) {
    if (knows !== undefined && !knows(opened, context)) continue;
    const fault = read(caught === true ? wire : plain, context);
    if (fault !== undefined) return { fault, dialect, basis: fault.basis };
  }
  return undefined;
}

/** An error object inside a result, or the error itself. */
function innerError({ result, error }: Opened): RpcError | undefined {
  return rpcErrorOf(memberAt(result, "error")) ?? error;
}

/** A problem document with the system's name for the error, in an error object or alone. */
function isClosient(opened: Opened): boolean {
  const problem = innerError(opened)?.data ?? opened.body;
  return stringAt(problem, "error_code") !== undefined && booleanAt(problem, "retryable") !== undefined;
}

/** A positive code with the members that only this system puts beside it. */
function isOnx({ result, body }: Opened): boolean {
  const error = objectAt(result, "error") ?? objectAt(body, "error") ?? body;
  const told = booleanAt(error, "retryable") !== undefined || objectAt(error, "details") !== undefined;
  return (integerAt(error, "code") ?? 0) > 0 && told && stringAt(error, "message") !== undefined;
}

/** The body of a REST answer, or the validator's issues, beside the flag. */
function isPlatica({ result }: Opened): boolean {
  const content = objectAt(result, "structuredContent");
  const status = integerAt(content, "code") ?? 0;
  const body = status >= 400 && status <= 599 && stringAt(content, "error") !== undefined;
  return result?.["isError"] === true && (body || arrayAt(content, "issues").some(isZodIssue));
}

function isZodIssue(issue: unknown): boolean {
  return isJson(issue) && "path" in issue && stringAt(issue, "code") !== undefined;
}

/** One of the five classes, in the envelope or where it travels along. */
function isQaqnuz({ result }: Opened): boolean {
  const places = [result, objectAt(result, "structuredContent"), objectAt(result, "_meta")];
  return places.some(
    (at) =>
      [memberAt(at, "error_class"), memberAt(at, "recourse/error_class")].some(isFaultClass) ||
      (stringAt(at, "error_class") !== undefined && stringAt(at, "sanitized_error") !== undefined),
  );
}

/** A code of the system together with its own fixed message; the codes of JSON-RPC itself are everybody's. */
function isErlmcp({ error }: Opened): boolean {
  const row = error === undefined || STANDARD.includes(error.code) ? undefined : rowOf(error.code);
  return row !== undefined && row.message === stripped(error?.message ?? "").text;
}

const STANDARD = [-32700, -32600, -32601, -32602, -32603];

/** The protocol's own codes: those that others use, too, need the data that the protocol demands beside them. */
function isProtocols({ result, error }: Opened, context: DecodeContext): boolean {
  if (error === undefined || result?.["isError"] === true || BY_CODE[error.code] === undefined) return false;
  const proof = PROOFS[error.code];
  return proof === undefined || proof(error.data, context);
}

const PROOFS: Readonly<Record<number, (data: unknown, context: DecodeContext) => boolean>> = {
  [-32002]: (data, { method }) => stringAt(data, "uri") !== undefined || method === "resources/read",
  [-32021]: (data) => objectAt(data, "requiredCapabilities") !== undefined,
  [-32022]: (data) => arrayAt(data, "supported").length > 0,
  [-32042]: (data) => arrayAt(data, "elicitations").length > 0,
};

function isNoResult({ result }: Opened): boolean {
  return result?.["isError"] !== true;
}

/** An error with a code that says nothing here; in a result without the flag it is a failure as well. */
function isAnyError(opened: Opened): boolean {
  return innerError(opened) !== undefined && !(opened.error === undefined && opened.result?.["isError"] === true);
}

function unknownCode(wire: unknown, context: DecodeContext): Fault {
  const error = innerError(open(wire));
  // Whoever wrote it may have said that it took effect; that it did not is nothing to believe of a stranger.
  const applied = readCertainty(error?.data).effect === "applied";
  const effect = applied ? { effect: "applied" as const } : {};
  return unrecognised.fault({}, { ...context, basis: "mapped", ...effect, ...quoteOf(error?.message) });
}

/** A text without a telling word is a failed tool and no more, which the flag says already. */
function guess(wire: unknown, context: DecodeContext): Fault | undefined {
  const fault = text.decode(wire, context);
  return fault?.reason === execution_failed.id ? undefined : fault;
}

/** Leaves guesses for later. */
function surely(read: Read): Read {
  return (wire, context) => {
    const fault = read(wire, context);
    return fault?.basis === "guessed" ? undefined : fault;
  };
}
