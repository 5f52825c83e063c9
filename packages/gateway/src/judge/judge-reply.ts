import { amendFault, type Fault, isEffectAssumed, knownKind, type SecretFilter, shouldReport } from "@recourse/core";
import { callerInput, callerTextsFor } from "@recourse/core/proxy";
import { core, elicitation, protocol, rest, task, tool, tool as toolReasons } from "@recourse/core/reasons";
import { cleanLogText, containsSecret } from "@recourse/core/safety";
import { isObject, type JsonObject, objectAt, stringAt } from "@recourse/core/wire";
import type { RequestHead } from "../call/head.ts";
import type { UpstreamReply } from "../call/upstream.ts";
import type { UpstreamOptions } from "../config/types.ts";
import { callSecrets } from "./credential-cutter.ts";
import { decodeFailure, decodeHiddenFailure, decodeStatus, type FailureContext } from "./decode-failure.ts";
import { type InputTaker, takesInput } from "./input-requests.ts";
import { findHiddenFailure, type HiddenFailure, readUpstreamAnswer } from "./read-answer.ts";
import { isOurs, type Names, nameIssues, relayFault } from "./relay.ts";

/** What was asked of an upstream, and what is known about it. */
export interface JudgeContext {
  readonly upstream: UpstreamOptions;
  /** What the caller may read of the upstream's texts. */
  readonly foreignText: NonNullable<UpstreamOptions["foreignText"]>;
  readonly method: string;
  /** The id of the message; undefined for a notification. */
  readonly id: string | number | undefined;
  readonly params: JsonObject | undefined;
  readonly head: RequestHead;
  /** The fetched tokens that the upstream was shown. @default none */
  readonly shownTokens?: readonly string[] | undefined;
  readonly names: Names;
  /** The schema of the tool that was called, as the caller was listed it. */
  readonly inputSchema: unknown;
  /** The message cannot change anything: no tool is called, or one that only reads. */
  readonly readsOnly: boolean;
  /** The message asks for the result of a call that has become a task: what failed is that call. @default false */
  readonly isTaskResult?: boolean | undefined;
  /** The answer may be a task in place of a result. @default false */
  readonly mayBeTask?: boolean | undefined;
  /** What the caller knows and can be asked. */
  readonly caller: InputTaker;
  /** How long the gateway waited for an answer. */
  readonly limitMs: number;
  /** Time of the answer, in ms since 1970. */
  readonly now: number;
}

/** A failure that the caller may read about. */
export interface ReplyFailure {
  readonly fault: Fault;
  /** The same as it was understood, before it was made fit for the caller. */
  readonly judged: Fault;
  /** For the operator only. Undefined if there is none, or if the failure is not to be reported. */
  readonly cause: unknown;
  /** Text of the upstream was hidden from the caller. */
  readonly textHidden: boolean;
  /** The upstream does not know the tool that it has listed. */
  readonly stale: boolean;
  /** The upstream answered with a result, and that is the failure. @default false */
  readonly isResult?: boolean | undefined;
}

export type AnsweredReply = UpstreamReply & { readonly kind: "answer" };

/** What a reply means: a failure, a request for input, or a success. Both of the latter are in the body. */
type ReplyVerdict = ReplyFailure | "input_required" | undefined;

/**
 * Tells success from failure in what came of a message. Undefined means: the body is the answer, as it came. It never throws:
 * an answer that cannot be read, whatever the cause, is a failure of the upstream.
 */
export function judgeReply(reply: UpstreamReply, asked: JudgeContext): ReplyVerdict {
  try {
    return judgeRead(reply, asked);
  } catch (cause) {
    return unreadableAnswer(asked, cause);
  }
}

function unreadableAnswer({ upstream }: JudgeContext, cause: unknown): ReplyFailure {
  const origin = { layer: "upstream", name: upstream.name } as const;
  const fault = protocol.invalid_result.fault({}, { basis: "mapped", origin });
  return { fault, judged: fault, cause, textHidden: false, stale: false };
}

function judgeRead(reply: UpstreamReply, asked: JudgeContext): ReplyVerdict {
  if (reply.kind === "failed") return new Judgement(asked).ownFailure(reply.fault, reply.cause);
  const { id, method } = asked;
  if (id === undefined && reply.status < 300) return undefined;
  if (reply.status !== 200 || id === undefined) return new Judgement(asked).status(reply);
  const answer = readUpstreamAnswer(reply.body, id);
  switch (answer.kind) {
    case "result": {
      // A result that was too large to look at more closely is a success.
      if (answer.result === undefined || method !== "tools/call") return undefined;
      return judgeToolResult(answer.result, reply, asked);
    }
    case "input_required":
      return takesInput(asked.caller, answer.result)
        ? "input_required"
        : new Judgement(asked).peerFailure(inputFault(answer.result), reply);
    case "failure":
      return {
        ...new Judgement(asked).marked(answer.message, reply),
        isResult: answer.message["result"] !== undefined,
      };
    case "invalid":
      return new Judgement(asked).notAnAnswer(answer.why, reply);
    default:
      return answer satisfies never;
  }
}

/** Looks for a failure in a result of a tool that is not marked as one. */
function judgeToolResult(result: JsonObject, reply: AnsweredReply, asked: JudgeContext): ReplyFailure | undefined {
  const isTask = result["resultType"] === "task";
  if (asked.mayBeTask === true && (isTask || isObject(result["task"]))) return undefined;
  // The caller did not say that it knows tasks, so it could never ask for this one.
  if (isTask) return new Judgement(asked).notAnAnswer("it is a task, which the caller does not know", reply);
  const suspect = findHiddenFailure(result);
  const failed = suspect && new Judgement(asked).unmarked(suspect, reply);
  return failed && { ...failed, isResult: true };
}

/**
 * The failure of a task, as the answer to a request about it states it: the JSON-RPC error or the result that its call would
 * have had. Undefined for a success. `reply` is what the operator reads of it.
 */
export function judgeOutcome(
  outcome: { readonly error: JsonObject } | { readonly result: JsonObject },
  reply: AnsweredReply,
  asked: JudgeContext,
): ReplyFailure | undefined {
  try {
    if ("error" in outcome || outcome.result["isError"] === true) {
      return { ...new Judgement(asked).marked(outcome, reply), isResult: "result" in outcome };
    }
    return judgeToolResult(outcome.result, reply, asked);
  } catch (cause) {
    return unreadableAnswer(asked, cause);
  }
}

/** The caller can correct its arguments by the issues alone, so nobody has to look for a text that was hidden. */
function saysWhatIsWrong(fault: Fault): boolean {
  return knownKind(fault) === "invalid_input" && (fault.issues?.length ?? 0) > 0;
}

const MISSING_TOOL: readonly string[] = [toolReasons.not_found.id, toolReasons.unreachable.id];

/** All params of these methods are those of the gateway, so an upstream that refuses them does not know the task any more. */
const LOOKS_UP_TASK: ReadonlySet<string> = new Set(["tasks/get", "tasks/update"]);

/** Makes the fault of one failed message. Only failures pay for what it collects. */
class Judgement {
  readonly #asked: JudgeContext;
  readonly #secrets: SecretFilter | undefined;

  constructor(asked: JudgeContext) {
    this.#asked = asked;
    this.#secrets = callSecrets(asked.upstream, asked.head, asked.shownTokens);
  }

  /** A failure that the upstream has marked as one. */
  marked(message: JsonObject, reply: AnsweredReply): ReplyFailure {
    return this.peerFailure(decodeFailure(message, this.#context()), reply);
  }

  /** A result that may be a failure; undefined if no dialect knows it as one. */
  unmarked({ result, isGuess }: HiddenFailure, reply: AnsweredReply): ReplyFailure | undefined {
    const fault = decodeHiddenFailure(result, this.#context());
    return fault && this.peerFailure(isGuess ? amendFault(fault, { basis: "guessed" }) : fault, reply);
  }

  /** An answer with another status than 200. */
  status(reply: AnsweredReply): ReplyFailure {
    return this.peerFailure(decodeStatus(reply, this.#context()), reply);
  }

  /** An answer that is not one to this message. It says nothing, so the call may have been served. */
  notAnAnswer(why: string, reply: AnsweredReply): ReplyFailure {
    const cause = this.#answerError(reply, this.#loggedText(reply), why);
    return this.ownFailure(protocol.invalid_result.fault({}, { basis: "mapped" }), cause);
  }

  /** A failure that this side found. A message that only reads changes nothing, even if its answer is missing. */
  ownFailure(fault: Fault, cause: unknown): ReplyFailure {
    if (this.#asked.isTaskResult === true && fault.reason === core.timeout.id && isOurs(fault))
      return this.#notReady(fault);
    const isHarmless = this.#asked.readsOnly && fault.effect === "possible" && isOurs(fault);
    const known = isHarmless ? amendFault(fault, { effect: "none" }) : fault;
    return this.#release(known, { judged: fault, cause, stale: false });
  }

  /** The task has not ended yet. It continues, and can be asked for again. */
  #notReady({ params, origin }: Fault): ReplyFailure {
    const limit = params?.["timeoutMs"];
    const named = typeof limit === "number" ? { timeoutMs: limit } : {};
    const fault = task.timeout.fault(named, { origin, effect: "none", retry: { allowed: true } });
    return this.#release(fault, { judged: fault, cause: undefined, stale: false });
  }

  /** A failure in the words of the upstream. What it says about the effect of its own part is believed. */
  peerFailure(given: Fault, reply: AnsweredReply): ReplyFailure {
    const { inputSchema, names, params, method } = this.#asked;
    const isGone = LOOKS_UP_TASK.has(method) && given.reason === protocol.invalid_params.id;
    const fault = isGone ? task.not_found.fault({}, { effect: "none", basis: given.basis }) : given;
    const named = nameIssues(fault, { name: names.name, inputSchema, params });
    const shown = hideOwnCredential(named, reply.status);
    const stale = this.#isCalledToolMissing(shown);
    const told = stale ? amendFault(shown, { recourse: [{ do: "refresh" }, ...shown.recourse] }) : shown;
    // Only an effect that the upstream states itself is believed of a message that cannot change anything.
    const isAssumed =
      this.#asked.readsOnly &&
      this.#asked.isTaskResult !== true &&
      told.effect === "possible" &&
      isEffectAssumed(fault);
    const known = isAssumed ? amendFault(told, { effect: "none" }) : told;
    // It is read first: what may be shown of the fault depends on what is left to read.
    const said = this.#loggedText(reply);
    const released = this.#release(known, { judged: fault, cause: undefined, stale });
    const isCredential = named.quote !== undefined && shown.quote === undefined;
    const isHidden = released.textHidden || this.#hasLostWords(reply);
    const textHidden = isCredential || (isHidden && !saysWhatIsWrong(known));
    // Nobody reads the cause of what is not reported.
    const cause = shouldReport(released.fault, { textHidden }) ? this.#answerError(reply, said) : undefined;
    return { ...released, cause, textHidden };
  }

  /** A secret of this process is never in a fault, so nothing later can see that it was cut out. */
  #hasLostWords({ body }: AnsweredReply): boolean {
    return containsSecret(readStart(body), this.#secrets);
  }

  /** What an operator can read of a body. Logs remove the secrets of the process; those of the call are known only here. */
  #loggedText({ body }: AnsweredReply): string {
    const text = readStart(body);
    return containsSecret(text, this.#secrets) ? cleanLogText(text, { secrets: this.#secrets }) : text;
  }

  #answerError({ status }: AnsweredReply, said: string, why = ""): UpstreamAnswerError {
    const { name } = this.#asked.upstream;
    return new UpstreamAnswerError(
      `${name} answered with status ${status}${why === "" ? "" : `, but ${why}`}: ${said}`,
      status,
    );
  }

  #release(fault: Fault, facts: Pick<ReplyFailure, "judged" | "cause" | "stale">): ReplyFailure {
    const { upstream, names, params = {}, method } = this.#asked;
    const foreignText = this.#asked.foreignText === "raw" ? "quote" : this.#asked.foreignText;
    const callerTexts = callerTextsFor(callerInput({ method, params }), { foreignText });
    return {
      ...relayFault(fault, { upstream, foreignText, names, secrets: this.#secrets, callerTexts }),
      ...facts,
    };
  }

  /** The catalogue has listed the tool, so the upstream has another list by now. */
  #isCalledToolMissing({ reason, params }: Fault): boolean {
    const { method, names } = this.#asked;
    const missing = params?.["tool"];
    const isCalled = missing === undefined || missing === names.target || missing === names.name;
    return method === "tools/call" && MISSING_TOOL.includes(reason) && isCalled;
  }

  #context(): FailureContext {
    const { upstream, method, names, limitMs, now } = this.#asked;
    const tool = method === "tools/call" ? names.name : undefined;
    const { dialect, speaksFaults } = upstream;
    return { method, tool, dialect, speaksFaults, secrets: this.#secrets, limitMs, now };
  }
}

/** How much of a body an operator can read. */
const MAX_LOGGED_ANSWER = 4_000;

/** The answer of an upstream as the cause of a failure. It goes only to the operator. */
class UpstreamAnswerError extends Error {
  override readonly name = "UpstreamAnswer";
  readonly status: number;

  constructor(message: string, status: number) {
    // The stack would show this gateway only, and costs more than all the rest, also to write it.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.stack = `${this.name}: ${message}`;
    this.status = status;
  }
}

/** The part of a body that an operator can read. */
function readStart(body: Buffer): string {
  return body.toString("utf8", 0, MAX_LOGGED_ANSWER);
}

/**
 * The fault for a caller whose revision of the protocol has no results that ask for input: the link that the user has to open,
 * or the question, so that the answer can be part of another call. The call has not run to its end.
 */
function inputFault(result: JsonObject): Fault {
  const requests = Object.values(objectAt(result, "inputRequests") ?? {});
  const params = requests.map((request) => objectAt(request, "params"));
  const question = params.map((one) => stringAt(one, "message")).find((text) => text !== undefined);
  const quote = question === undefined ? {} : ({ quote: { text: question, from: "peer" } } as const);
  const page = params.find((one) => stringAt(one, "mode") === "url");
  const link = stringAt(page, "url");
  const approval = stringAt(page, "elicitationId");
  if (link === undefined)
    return core.precondition_failed.fault({}, { basis: "mapped", recourse: [{ do: "ask_user" }], ...quote });
  const move = { do: "ask_user", link, ...(approval !== undefined && { approval }) } as const;
  return elicitation.url_required.fault({}, { basis: "mapped", recourse: [move], ...quote });
}

/** Statuses that are about a credential. */
const OWN_CREDENTIAL_STATUSES = [401, 403, 407];

/**
 * An upstream sees the credential of the gateway, never that of the caller. So what it says about a credential is nothing that
 * the caller could act on: the upstream is not available to it, and an operator has to look.
 */
function hideOwnCredential(fault: Fault, status: number): Fault {
  const kind = knownKind(fault);
  const { effect, basis } = fault;
  // A proxy before the upstream has refused to pass the request on.
  if (status === 407 && basis !== "stated") return rest.upstream_auth.fault({}, { basis });
  // A sentence of a tool proves nothing about the credential, and the caller cannot sign in there.
  if (kind === "unauthenticated" && basis === "guessed") return sentenceHidden(fault);
  if (kind === "unauthenticated") return rest.upstream_auth.fault({}, { effect, basis });
  // A tool may refuse a call for reasons of its own. A status refuses the request.
  if (kind === "forbidden" && OWN_CREDENTIAL_STATUSES.includes(status))
    return rest.upstream_forbidden.fault({}, { effect, basis });
  const moves = fault.recourse.filter((move) => move.do !== "authenticate");
  if (moves.length === fault.recourse.length) return fault;
  const [first = { do: "stop" } as const, ...more] = moves;
  return amendFault(fault, { recourse: [first, ...more] });
}

/** The same failure without its sentence, and without what was guessed from it. */
function sentenceHidden({ effect }: Fault): Fault {
  return tool.failed.fault({}, { effect, basis: "mapped", recourse: [{ do: "refresh" }, { do: "stop" }] });
}
