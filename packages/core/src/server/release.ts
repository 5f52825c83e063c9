import type { RpcError } from "../dialects/envelope.ts";
import { attributeToPeer, markDecoded } from "../dialects/peer-fault.ts";
import { faultOfRpcCode } from "../dialects/rpc.ts";
import { amendFault, judgedFault, plainMove, toSentFault, withoutTexts } from "../fault/amend.ts";
import { cleanSentence, cleanText, FAULT_MEMBERS } from "../fault/clean.ts";
import { FAULT_LIMITS, type Fault, type Limit, type Origin, type Param, packFault } from "../fault/fault.ts";
import { type FaultClass, KINDS, type Kind, knownKind } from "../fault/kinds.ts";
import { isChecked, type Provenance, RELEASED, readProvenance } from "../fault/provenance.ts";
import { readOwnFault } from "../fault/read.ts";
import { libraryReason, recomposeFault } from "../reasons/library/by-id.ts";
import { internal } from "../reasons/library/core.ts";
import * as protocol from "../reasons/library/protocol.ts";
import type { ConvertedError, ForeignText } from "../reasons/thrown/to-fault.ts";
import { readCallerTexts } from "../safety/caller-texts.ts";
import { wasCut } from "../safety/cut-text.ts";
import { type FilterOptions, limitReading } from "../safety/show-line.ts";
import type { SdkRequest } from "../sdk/server.ts";
import { memberAt } from "../wire/json.ts";
import { VERSION_KEY } from "../wire/names.ts";
import { NewestMap } from "../wire/newest-map.ts";
import type { GuardOptions } from "./options.ts";

/** How text of others leaves this server. */
export interface ReleaseOptions extends FilterOptions {
  /** @default "public" */
  readonly foreignText?: ForeignText | undefined;
}

/**
 * The fault as it may leave this server. What another program wrote, in the fault or in its causes, is hidden or filtered
 * again by the option `foreignText`, even if the fault was thrown here.
 */
export function releaseFault(fault: Fault, given: ReleaseOptions): ConvertedError {
  return limitReading(() => releaseOnce(fault, given));
}

function releaseOnce(made: Fault, given: ReleaseOptions): ConvertedError {
  const fault = judgedFault(made);
  const options = { ...given, textPolicy: "foreign" } as const;
  const provenance = readProvenance(fault);
  if (provenance?.released === true) return { fault, textHidden: false };
  const cause = fault.cause && releaseOnce(fault.cause, options);
  const own = provenance === undefined ? releaseQuote(fault, options) : releaseReceived(fault, provenance, options);
  const textHidden = own.textHidden || cause?.textHidden === true;
  if (own.fault.cause === cause?.fault) return { fault: own.fault, textHidden };
  return { fault: amendFault(own.fault, { cause: cause?.fault }), textHidden };
}

/** A fault that was built here may quote a peer or a service. */
function releaseQuote(fault: Fault, options: ReleaseOptions): ConvertedError {
  const { quote } = fault;
  // What was thrown here has passed the option already, unless the dialect of the request hides it.
  const isReleased = quote?.from === "thrown" && options.foreignText !== "hide";
  if (quote === undefined || isReleased) return { fault, textHidden: false };
  const shown = mayShow(fault, options.foreignText) ? FAULT_MEMBERS.quote.clean(quote, options) : undefined;
  return { fault: amendFault(fault, { quote: shown }), textHidden: wasCut(shown?.text, quote.text) };
}

function releaseReceived(given: Fault, from: Provenance, options: ReleaseOptions): ConvertedError {
  const fault = withReleasedMessage(given, from, options);
  const provenance = { ...(readProvenance(fault) ?? from), released: true };
  const isOwn = from.texts === "own" && options.foreignText !== "hide";
  const shown = isOwn || mayShow(fault, options.foreignText) ? shownMembers(fault, options) : bareMembers(fault);
  const released = packFault(readOwnFault({ ...fault, ...shown }, options) ?? withoutTexts(fault), provenance);
  // A sentence of the sender becomes part of the quotation.
  const isQuoted = given.quote !== undefined || given.message !== fault.message;
  const isCut = isQuoted && wasCut(released.quote?.text, `${given.message} ${given.quote?.text}`);
  const textHidden = isCut || released.message !== fault.message;
  return { fault: released, textHidden };
}

/** The fault with a sentence that this program answers for, without what a rule finds in it. */
function withReleasedMessage(given: Fault, { message }: Provenance, options: ReleaseOptions): Fault {
  if (message === "library") return given;
  if (message === "sender") return attributeToPeer(given, options);
  const shown = cleanSentence(given.message, FAULT_LIMITS.message, options) ?? KINDS[knownKind(given)].fallbackMessage;
  return shown === given.message ? given : amendFault(given, { message: shown });
}

/** Whether the option shows the text of others in a fault. What is shown passes the filters first. */
function mayShow(fault: Fault, mode: ForeignText = "public"): boolean {
  switch (mode) {
    case "hide":
      return false;
    case "public":
      return !isServiceText(fault) || isCallersError(fault);
    case "quote":
      return true;
    default:
      mode satisfies never;
      return false;
  }
}

/** A service answers this server, not its caller: only what it says about a mistake of the caller is meant for the caller. */
function isServiceText({ quote, origin }: Fault): boolean {
  return quote === undefined ? origin.layer === "upstream" : quote.from === "upstream";
}

const CALLER_CLASSES: readonly FaultClass[] = ["validation", "permission", "terminal"];
const SERVICE_KINDS: readonly Kind[] = ["internal", "unknown", "cancelled"];

function isCallersError(fault: Fault): boolean {
  const kind = knownKind(fault);
  return CALLER_CLASSES.includes(KINDS[kind].class) && !SERVICE_KINDS.includes(kind);
}

/** The members of a received fault that change when its texts are shown. No slot of ours has checked unknown params. */
function shownMembers(fault: Fault, options: ReleaseOptions) {
  const isOurs = libraryReason(fault.reason) !== undefined;
  return { cause: undefined, params: isOurs ? fault.params : filterParams(fault.params, options) };
}

function filterParams(params: Fault["params"] = {}, options: ReleaseOptions): Record<string, Param> {
  const checked = (value: unknown) =>
    typeof value === "string" && value !== "" ? (cleanText(value, FAULT_LIMITS.paramText, options) ?? null) : value;
  const entries = Object.entries(params);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Array.isArray(value) ? value.map(checked) : checked(value)]),
  ) as Record<string, Param>;
}

/** The members of a received fault that change when every text of its sender is removed. Numbers and verbs of moves stay. */
function bareMembers(fault: Fault) {
  const composed = recomposeFault(fault, plainParams(fault.params));
  return {
    message: composed?.message ?? KINDS[knownKind(fault)].fallbackMessage,
    params: composed?.params,
    quote: undefined,
    issues: undefined,
    limits: fault.limits?.map(plainLimit),
    docs: undefined,
    origin: { layer: fault.origin.layer },
    recourse: fault.recourse.map(plainMove),
    cause: undefined,
  };
}

/** Numbers, dates and lists of them: no sender can put words into these. */
function plainParams(params: Fault["params"] = {}): Record<string, Param> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => [value].flat().every(isPlain)));
}

function isPlain(value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean" || DATE.test(String(value));
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function plainLimit({ policy: _policy, unit: _unit, scope: _scope, ...numbers }: Limit): Limit {
  return numbers;
}

/** How much is remembered. A fault passes the HTTP edge of its own process within moments. */
const MAX_SENT_FAULTS = 1_000;

/** The JSON of faults, and of errors in a dialect, that this process has finished. */
const sentFaults = /* @__PURE__ */ new NewestMap<string, true>(MAX_SENT_FAULTS);

/** Remembers a fault, or an error in a dialect, that leaves a guarded server, so that the HTTP edge of this process knows it. */
export function rememberSent(finished: object): void {
  sentFaults.set(jsonOnWire(finished), true);
}

/** Whether this process wrote a fault or an error that is found in an answer. Any other may be the word of another program. */
export function wasSentHere(value: unknown): boolean {
  return typeof value === "object" && value !== null && sentFaults.has(jsonOnWire(value));
}

/** A fault of this process as it is written, and anything else as it is. */
function jsonOnWire(value: object): string {
  return JSON.stringify(isChecked(value) ? toSentFault(value as Fault) : value);
}

/** The texts in what a caller sent, which it may read again. They are collected only if text of others may be shown. */
export function callerTextsFor(sent: unknown, { foreignText }: Pick<GuardOptions, "foreignText">): readonly string[] {
  return foreignText === "hide" ? [] : readCallerTexts(sent);
}

const HERE: Origin = Object.freeze({ layer: "server" });

/** The capabilities that the protocol knows; any other name is foreign text. */
const KNOWN_CAPABILITIES = /* @__PURE__ */ new Set(
  (
    "sampling sampling/context sampling/tools elicitation elicitation/form elicitation/url roots " +
    "roots/listChanged extensions/io.modelcontextprotocol/tasks"
  ).split(" "),
);

/**
 * A fault that was read from a part of this server: its facts count, but its text was not written for callers. `version` is
 * the one that the caller itself asked for.
 */
export function bareFault(fault: Fault, version?: unknown): Fault {
  const { fault: bare } = releaseFault(fault, { foreignText: "hide" });
  const changes = { origin: HERE, basis: "stated" } as const;
  const capabilities = knownCapabilities(fault);
  if (fault.reason === protocol.version_unsupported.id && typeof version === "string") {
    return protocol.version_unsupported.fault(
      { ...bare.params, requested: version },
      { effect: fault.effect, ...changes },
    );
  }
  if (capabilities.length === 0) return amendFault(bare, changes, { provenance: RELEASED });
  return protocol.missing_client_capability.fault({ capabilities }, { effect: fault.effect, ...changes });
}

export function knownCapabilities({ params, reason }: Fault): string[] {
  const named = reason === protocol.missing_client_capability.id ? params?.["capabilities"] : undefined;
  return (Array.isArray(named) ? named : []).flatMap((path) => {
    const known = [String(path), String(path).split("/", 1).join()].find((one) => KNOWN_CAPABILITIES.has(one));
    return known === undefined ? [] : [known];
  });
}

/** Codes that mean the same from every sender, whatever their data. */
const PLAIN_CODES: Readonly<Record<number, { fault(): Fault }>> = {
  [-32700]: protocol.parse_error,
  [-32600]: protocol.invalid_request,
  [-32601]: protocol.method_not_found,
  [-32602]: protocol.invalid_params,
};

/** Codes that only their data explains. */
const WITH_DATA = [-32020, -32021, -32022];

/**
 * The fault of a JSON-RPC error that this kit did not write. `received` is the request that the SDK is just receiving: what
 * it refuses then is the SDK's own; an error that comes later may contain anything.
 */
export function faultOfRpcError(error: RpcError, received: SdkRequest | undefined): Fault {
  if (error.code === -32601 && received !== undefined)
    return protocol.method_not_found.fault({ method: received.method });
  const plain = PLAIN_CODES[error.code];
  if (plain !== undefined) return plain.fault();
  if (received === undefined || !WITH_DATA.includes(error.code)) return internal.fault();
  return bareFault(markDecoded(faultOfRpcCode(error)), memberAt(received.params?.["_meta"], VERSION_KEY));
}
