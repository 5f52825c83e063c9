import { faultOfRpcCode, stripCodePrefix } from "../../dialects/rpc.ts";
import { isSdkSentence } from "../../dialects/sdk/errors.ts";
import { peek, peekInteger, peekString, snapshot } from "../../errors/peek.ts";
import { amendFault, repeatableFault } from "../../fault/amend.ts";
import { FaultError } from "../../fault/error.ts";
import type { Fault } from "../../fault/fault.ts";
import { isEffectAssumed } from "../../fault/provenance.ts";
import { incidentCause } from "../../incidents/describe-cause.ts";
import { not_found as completion_not_found } from "../../reasons/library/completion.ts";
import { internal } from "../../reasons/library/core.ts";
import { invalid_cursor } from "../../reasons/library/pagination.ts";
import { argument_missing } from "../../reasons/library/prompt.ts";
import { invalid_params, missing_client_capability, request_state_invalid } from "../../reasons/library/protocol.ts";
import { not_found as resource_not_found } from "../../reasons/library/resource.ts";
import { not_found as task_not_found } from "../../reasons/library/task.ts";
import { execution_failed, output_invalid } from "../../reasons/library/tool.ts";
import type { GuardedCode } from "../../reasons/thrown/frames.ts";
import { sdkText } from "../../reasons/thrown/public-errors.ts";
import { type ConvertOptions, convertThrown } from "../../reasons/thrown/to-fault.ts";
import { authoredSentence, protocolCode } from "../../reasons/thrown/whose-error.ts";
import { issuesFor } from "../../schema/issues.ts";
import { askValidator } from "../../schema/messages.ts";
import { validatorPaths } from "../../schema/validator.ts";
import { isReadOnlyTool, type SdkRequest, type SdkServer, type SdkTool } from "../../sdk/server.ts";
import { parseJson, toPointer } from "../../wire/json.ts";
import { MERE_SENTENCE, type ThrownSentence } from "../calls/returned-failure.ts";
import type { GuardOptions } from "../options.ts";
import { callerTextsFor, knownCapabilities } from "../release.ts";
import { foreignTextFor } from "../replies/dialect-choice.ts";
import type { PendingFailure } from "../replies/reply.ts";
import { dialectFor } from "../replies/write-reply.ts";
import { callerInput } from "./validate-request.ts";

/** Reasons whose code demands data beside it: clients act on that data, so it has to reach them. */
const SDK_ERROR_CODES: Readonly<Record<string, number>> = {
  "elicitation/url_required": -32042,
  "protocol/missing_client_capability": -32021,
};

type ThrownOptions = GuardOptions & Pick<ConvertOptions, "signal" | "ownPackage">;

/** The failure behind whatever a handler threw. `sent` is what the caller sent to it. */
export function thrownFailure(thrown: unknown, options: ThrownOptions, sent: unknown): PendingFailure {
  const callerTexts = callerTextsFor(sent, options);
  const { fault, textHidden } = convertThrown(thrown, { ...options, callerTexts });
  const cause = incidentCause(thrown);
  const code = SDK_ERROR_CODES[fault.reason];
  // A FaultError says itself what it has to say.
  if (code === undefined || fault.basis !== "mapped") return { fault, cause, textHidden };
  // A fault in the data is not believed: any program may have sent what a handler throws on.
  const stated = faultOfRpcCode({ code, message: undefined, data: snapshot(peek(cause, "data")) });
  const capabilities = knownCapabilities(stated);
  if (code === -32042) return { fault: stated, cause, textHidden };
  if (capabilities.length === 0) return { fault, cause, textHidden };
  return { fault: missing_client_capability.fault({ capabilities }, { basis: fault.basis }), cause, textHidden };
}

/** The reasons of a thrown error that says nothing by its class and its codes. */
const MERE_ACCIDENTS: readonly string[] = [internal.id, execution_failed.id];

/**
 * The sentence that the author of a handler threw, and what the error means besides. Undefined if its text is not for the
 * caller, or its fault says more than a sentence.
 */
export function thrownSentence(
  thrown: unknown,
  { fault }: PendingFailure,
  { code, options, method, meta }: SentenceContext,
): ThrownSentence | undefined {
  const request = { method, meta };
  const isOwnWire = options.dialect !== undefined && dialectFor(options.dialect, request) !== undefined;
  if (isOwnWire || foreignTextFor(options, request) === "hide" || FaultError.is(thrown)) return undefined;
  const text = authoredSentence(thrown, code);
  if (text === undefined || Object.hasOwn(SDK_ERROR_CODES, fault.reason)) return undefined;
  if (MERE_ACCIDENTS.includes(fault.reason) && protocolCode(thrown) === undefined) return { text, thrown };
  return fault.basis === "stated" ? undefined : { text, thrown, fault: amendFault(fault, { quote: undefined }) };
}

interface SentenceContext {
  readonly code: GuardedCode;
  readonly options: GuardOptions;
  readonly method: string;
  /** The `_meta` of the request, which may choose a dialect. */
  readonly meta: Readonly<Record<string, unknown>>;
}

type Params = Readonly<Record<string, unknown>>;
type Meaning = (params: Params, server: SdkServer, cause: unknown) => Fault | undefined | Promise<Fault>;

/** What the SDK's refusal of parameters means for each method. It has one code for many refusals. */
const METHOD_MEANINGS: Readonly<Record<string, Meaning>> = {
  "tools/call": invalidOutput,
  "resources/read": missingResource,
  "prompts/get": promptRefusal,
  "completion/complete": () => completion_not_found.fault(),
  "tasks/get": missingTask,
  "tasks/result": missingTask,
  "tasks/cancel": cancelRefusal,
  "tasks/list": taskPageRefusal,
};

/** Methods that the SDK answers without any handler of yours: a validator that refuses there refuses the request. */
const WITHOUT_HANDLERS: readonly string[] = ["initialize", "logging/setLevel"];

/** Version 2 of the SDK throws its list of issues as a text, behind a sentence where it checks a call. */
const REFUSED_CALL = /^Invalid tools\/call request: /;

/** Where a validator refused the request. */
function refusedPaths(cause: unknown) {
  const { text } = stripCodePrefix(peekString(cause, "message") ?? "");
  return validatorPaths(peek(cause, "issues") ?? parseJson(text.replace(REFUSED_CALL, "")));
}

/**
 * The fault of a call that the SDK refused before any handler ran; undefined for any other error. A handler may check its
 * arguments with a validator, too, but not what else stands beside them.
 */
export function refusedCall(cause: unknown): Fault | undefined {
  const paths = refusedPaths(cause);
  const isOfSdk = paths.every(([params, member]) => params === "params" && member !== "arguments");
  return isOfSdk && paths.length > 0 ? wrongParams(paths) : undefined;
}

function wrongParams(paths: readonly (readonly (string | number)[])[]): Fault {
  // The paths begin with the member `params` of the request.
  const issues = paths.map((path) => ({ pointer: toPointer(path.slice(1)), rule: "type" }) as const);
  return invalid_params.fault({}, { issues });
}

/** What a handler of some method threw, and the sentence in it that its author wrote for the caller. */
interface MethodFailure extends PendingFailure {
  readonly sentence?: ThrownSentence | undefined;
}

interface KnownOfRequest extends Omit<SentenceContext, "method"> {
  readonly signal: AbortSignal | undefined;
}

/** The failure behind what a handler of some method other than that of tools threw. */
export async function methodFailure(
  cause: unknown,
  request: SdkRequest,
  server: SdkServer,
  { signal, ...known }: KnownOfRequest,
): Promise<MethodFailure> {
  const wrong = WITHOUT_HANDLERS.includes(request.method) ? refusedPaths(cause) : [];
  if (wrong.length > 0) return { fault: wrongParams(wrong), cause };
  const refused = request.method === "tools/call" ? refusedCall(cause) : undefined;
  if (refused !== undefined) return { fault: refused, cause };
  const { packageName: ownPackage } = known.code;
  const thrown = thrownFailure(cause, { ...known.options, signal, ownPackage }, callerInput(request));
  // The sentences of the SDK itself say no more than the fault does.
  const isOfSdk = isSdkSentence(cause) || isSdkRefusal(cause) || isMissingUri(cause, request);
  const failure = withMethodHint(await withMeaning(thrown, { request, cause, isOfSdk }, server), request.method);
  if (isOfSdk || request.method === "tools/call") return failure;
  const sentence = thrownSentence(cause, failure, { ...known, method: request.method });
  if (sentence === undefined) return failure;
  const { fault } = withMethodHint({ fault: sentence.fault ?? MERE_SENTENCE }, request.method);
  return { ...failure, sentence: { ...sentence, fault } };
}

async function withMeaning(failure: PendingFailure, by: ThrownByMethod, server: SdkServer): Promise<PendingFailure> {
  const { fault: thrown } = failure;
  if (thrown.basis !== "mapped") return failure;
  const meaning = await methodMeaning(thrown, by, server);
  const fault = by.isOfSdk || meaning === thrown ? meaning : amendFault(meaning, { quote: thrown.quote });
  return { ...failure, fault, textHidden: failure.textHidden === true && !by.isOfSdk };
}

/** Refusals of the SDK's servers that clients cannot tell from sentences of a handler. */
const SDK_REFUSAL =
  /^(?:Invalid arguments for (?:prompt|tool) |Invalid completion reference: |Invalid cursor$|Task not found|Task ".{1,128}" not found|Failed to (?:retrieve|list|cancel) task|Cannot (?:cancel|update) task )/;

function isSdkRefusal(cause: unknown): boolean {
  return SDK_REFUSAL.test(sdkSentence(cause));
}

function sdkSentence(cause: unknown): string {
  return sdkText(cause, peekInteger(cause, "code") ?? 0) ?? "";
}

function isMissingUri(cause: unknown, { params }: SdkRequest): boolean {
  const { text } = stripCodePrefix(peekString(cause, "message") ?? "");
  return [`Resource not found: ${params?.["uri"]}`, `Resource ${params?.["uri"]} not found`].includes(text);
}

interface ThrownByMethod {
  readonly request: SdkRequest;
  readonly cause: unknown;
  /** The SDK wrote the sentence of the error. */
  readonly isOfSdk: boolean;
}

async function methodMeaning(
  fault: Fault,
  { request, cause, isOfSdk }: ThrownByMethod,
  server: SdkServer,
): Promise<Fault> {
  const { method, params = {} } = request;
  if (fault.reason === "resource/not_found" && method === "resources/read") return missingResource(params);
  if (fault.reason !== "protocol/invalid_params") return fault;
  // The state of an exchange is checked before any handler runs, so this comes first.
  if (peek(peek(cause, "data"), "reason") === "invalid_request_state") return request_state_invalid.fault();
  // The author of a handler knows what was wrong.
  if (!isOfSdk) return fault;
  const meaning = Object.hasOwn(METHOD_MEANINGS, method) ? METHOD_MEANINGS[method] : undefined;
  return (await meaning?.(params, server, cause)) ?? fault;
}

function invalidOutput({ name }: Params, { _registeredTools: tools }: SdkServer): Fault {
  const tool = typeof name === "string" && Object.hasOwn(tools, name) ? tools[name] : undefined;
  return output_invalid.fault({}, isReadOnlyTool(tool) ? { effect: "none" } : {});
}

function missingResource({ uri }: Params): Fault {
  return resource_not_found.fault(typeof uri === "string" ? { uri: uri.trim() } : {});
}

function missingTask({ taskId }: Params): Fault {
  return task_not_found.fault(typeof taskId === "string" ? { taskId } : {});
}

/** A task that has ended cannot be cancelled, and is not missing; the SDK has one code for both. */
function cancelRefusal(params: Params, _server: SdkServer, cause: unknown): Fault | undefined {
  return sdkSentence(cause).startsWith("Task not found") ? missingTask(params) : undefined;
}

/** The SDK has one code for a wrong cursor and for a store of tasks that fails. */
function taskPageRefusal({ cursor }: Params, _server: SdkServer, cause: unknown): Fault | undefined {
  if (typeof cursor !== "string" || !sdkSentence(cause).startsWith("Failed to list tasks: Invalid cursor"))
    return undefined;
  return invalid_cursor.fault({ cursor });
}

/** The prompt exists, so its arguments were refused: those that it requires and did not get are named. */
async function promptRefusal({ name, arguments: given = {} }: Params, server: SdkServer): Promise<Fault> {
  const listed = await promptArguments(String(name), server);
  const missing = listed
    .filter(({ name: argument, required }) => required === true && peek(given, argument) === undefined)
    .map((argument) => argument.name);
  const [first] = missing;
  if (first === undefined) {
    const { paths, ...reported } = await askValidator(server._registeredPrompts[String(name)]?.argsSchema, given);
    if (paths.length + reported.messages.length === 0) return invalid_params.fault();
    const properties = Object.fromEntries(listed.map((argument) => [argument.name, { type: "string" }]));
    return invalid_params.fault({}, { issues: issuesFor(given, { properties }, paths, reported) });
  }
  const issues = missing.map((argument) => ({ pointer: toPointer([argument]), rule: "required" }) as const);
  return argument_missing.fault({ prompt: String(name), argument: first }, { issues });
}

interface ListedPrompt {
  readonly name: string;
  readonly arguments?: readonly { readonly name: string; readonly required?: boolean }[];
}

async function promptArguments(name: string, { server }: SdkServer): Promise<NonNullable<ListedPrompt["arguments"]>> {
  try {
    const list = server._requestHandlers.get("prompts/list");
    const listed = (await list?.({ method: "prompts/list" }, {})) as
      | { readonly prompts: readonly ListedPrompt[] }
      | undefined;
    return listed?.prompts.find((one) => one.name === name)?.arguments ?? [];
  } catch {
    return [];
  }
}

/** What its author says of a tool counts, however it failed: one that only reads changed nothing, others may be repeated. */
export function withToolHint(failure: PendingFailure, tool: Pick<SdkTool, "annotations"> | undefined): PendingFailure {
  if (isReadOnlyTool(tool)) return withoutEffect(failure);
  const isRepeatable = tool?.annotations?.idempotentHint === true && failure.fault.effect === "possible";
  return isRepeatable ? { ...failure, fault: repeatableFault(failure.fault) } : failure;
}

/** The same for what the handler of a tool threw: an effect that its author stated stands. */
export function withToolHintIfThrown(
  failure: PendingFailure,
  tool: Pick<SdkTool, "annotations"> | undefined,
): PendingFailure {
  return statesEffect(failure) ? failure : withToolHint(failure, tool);
}

/** Methods that only read, by what the protocol says about them. */
const READING_METHODS: readonly string[] = [
  "completion/complete",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "tools/list",
];

/** A method that only reads changed nothing, whatever its handler threw, unless the author states an effect. */
function withMethodHint(failure: PendingFailure, method: string): PendingFailure {
  return READING_METHODS.includes(method) && !statesEffect(failure) ? withoutEffect(failure) : failure;
}

/** Whether code that knows the call stated its effect. A kind and a reply of a service only imply one. */
function statesEffect({ fault }: PendingFailure): boolean {
  return fault.basis === "stated" && !isEffectAssumed(fault);
}

function withoutEffect(failure: PendingFailure): PendingFailure {
  const { fault } = failure;
  return fault.effect === "possible" ? { ...failure, fault: amendFault(fault, { effect: "none" }) } : failure;
}
