import { type Fault, knownKind, protocol, type SecretFilter, tool as toolReasons } from "@recourse/faults";
import {
  amendFault,
  callerTextsFor,
  isEffectAssumed,
  type JsonObject,
  sentWith,
} from "@recourse/faults/internal-do-not-use";
import type { UpstreamOptions } from "../config/types.ts";
import type { RequestHead } from "../edge/head.ts";
import type { UpstreamReply } from "../upstreams/upstream.ts";
import { UpstreamAnswer } from "./answer-error.ts";
import { decodeFailure, decodeStatus, decodeUnmarked, type FailureContext } from "./decode-failure.ts";
import { findUnmarked, type Suspect } from "./false-green.ts";
import { inputFault } from "./input-required.ts";
import { nameIssues } from "./name-issues.ts";
import type { Names } from "./names.ts";
import { hideOwnCredential } from "./own-credential.ts";
import { readAnswer } from "./read-answer.ts";
import { isOurs, relayFault } from "./relay.ts";
import { secretsOf } from "./secrets.ts";

/** What was asked of an upstream, and what is known about it. */
export interface Asked {
  readonly upstream: UpstreamOptions;
  /** What the caller may read of the upstream's texts. */
  readonly foreignText: NonNullable<UpstreamOptions["foreignText"]>;
  readonly method: string;
  /** The id of the message; undefined for a notification. */
  readonly id: string | number | undefined;
  readonly params: JsonObject | undefined;
  readonly head: RequestHead;
  readonly names: Names;
  /** The schema of the tool that was called, as the caller was listed it. */
  readonly inputSchema: unknown;
  /** The message cannot change anything: no tool is called, or one that only reads. */
  readonly readsOnly: boolean;
  /** The caller knows results that ask for input. */
  readonly knowsInputRequired: boolean;
  /** How long an answer was waited for. */
  readonly limitMs: number;
  /** Time of the answer, in ms since 1970. */
  readonly now: number;
}

/** A failure that the caller may read about. */
interface Failed {
  readonly fault: Fault;
  /** The same as it was understood, before it was made fit for the caller. */
  readonly judged: Fault;
  /** For the operator only. */
  readonly cause: unknown;
  /** Text of the upstream was hidden from the caller. */
  readonly textHidden: boolean;
  /** The upstream does not know the tool that it has listed. */
  readonly stale: boolean;
}

type Answer = UpstreamReply & { readonly kind: "answer" };

/** What a reply means: a failure, a request for input, or a success. Both of the latter are in the body. */
export type Judged = Failed | "input_required" | undefined;

/**
 * Tells success from failure in what came of a message. Undefined means: the body is the answer, as it came. It never throws:
 * an answer that cannot be read, whatever the cause, is a failure of the upstream.
 */
export function judgeReply(reply: UpstreamReply, asked: Asked): Judged {
  try {
    return judgeRead(reply, asked);
  } catch (cause) {
    const origin = { layer: "upstream", name: asked.upstream.name } as const;
    const fault = protocol.invalid_result.fault({}, { basis: "mapped", origin });
    return { fault, judged: fault, cause, textHidden: false, stale: false };
  }
}

function judgeRead(reply: UpstreamReply, asked: Asked): Judged {
  if (reply.kind === "failed") return new Judgement(asked).ownFailure(reply.fault, reply.cause);
  const { id, method, knowsInputRequired } = asked;
  if (id === undefined && reply.status < 300) return undefined;
  if (reply.status !== 200 || id === undefined) return new Judgement(asked).status(reply);
  const answer = readAnswer(reply.body, id);
  switch (answer.kind) {
    case "result": {
      // A result that was too large to look at more closely is a success.
      const suspect = answer.result === undefined || method !== "tools/call" ? undefined : findUnmarked(answer.result);
      return suspect && new Judgement(asked).unmarked(suspect, reply);
    }
    case "input_required":
      return knowsInputRequired ? "input_required" : new Judgement(asked).peerFailure(inputFault(answer.result), reply);
    case "failure":
      return new Judgement(asked).marked(answer.message, reply);
    case "invalid":
      return new Judgement(asked).notAnAnswer(answer.why, reply);
    default:
      return answer satisfies never;
  }
}

/** The caller can correct its arguments by the issues alone, so nobody has to look for a text that was hidden. */
function saysWhatIsWrong(fault: Fault): boolean {
  return knownKind(fault) === "invalid_input" && (fault.issues?.length ?? 0) > 0;
}

const MISSING_TOOL: readonly string[] = [toolReasons.not_found.id, toolReasons.unreachable.id];

/** Makes the fault of one failed message. Only failures pay for what it collects. */
class Judgement {
  readonly #asked: Asked;
  readonly #secrets: SecretFilter | undefined;

  constructor(asked: Asked) {
    this.#asked = asked;
    this.#secrets = secretsOf(asked.upstream, asked.head);
  }

  /** A failure that the upstream has marked as one. */
  marked(message: JsonObject, reply: Answer): Failed {
    return this.peerFailure(decodeFailure(message, this.#context()), reply);
  }

  /** A result that may be a failure; undefined where no dialect knows it as one. */
  unmarked({ result, isGuess }: Suspect, reply: Answer): Failed | undefined {
    const fault = decodeUnmarked(result, this.#context());
    return fault && this.peerFailure(isGuess ? amendFault(fault, { basis: "guessed" }) : fault, reply);
  }

  /** An answer with another status than 200. */
  status(reply: Answer): Failed {
    return this.peerFailure(decodeStatus(reply, this.#context()), reply);
  }

  /** An answer that is not one to this message. It says nothing, so the call may have been served. */
  notAnAnswer(why: string, reply: Answer): Failed {
    const cause = new UpstreamAnswer(this.#asked.upstream.name, reply, why);
    return this.ownFailure(protocol.invalid_result.fault({}, { basis: "mapped" }), cause);
  }

  /** A failure that this side found. A message that only reads changes nothing, also where its answer is missing. */
  ownFailure(fault: Fault, cause: unknown): Failed {
    const isHarmless = this.#asked.readsOnly && fault.effect === "possible" && isOurs(fault);
    const known = isHarmless ? amendFault(fault, { effect: "none" }) : fault;
    return this.#release(known, { judged: fault, cause, stale: false });
  }

  /** A failure in the words of the upstream. What it says about the effect of its own part is believed. */
  peerFailure(fault: Fault, reply: Answer): Failed {
    const { inputSchema, names, params } = this.#asked;
    const named = nameIssues(fault, { name: names.name, inputSchema, params });
    const shown = hideOwnCredential(named, reply.status);
    const stale = this.#isCalledToolMissing(shown);
    const told = stale ? amendFault(shown, { recourse: [{ do: "refresh" }, ...shown.recourse] }) : shown;
    // Only an effect that the upstream states itself is believed of a message that cannot change anything.
    const isAssumed = this.#asked.readsOnly && told.effect === "possible" && isEffectAssumed(fault);
    const known = isAssumed ? amendFault(told, { effect: "none" }) : told;
    const cause = new UpstreamAnswer(this.#asked.upstream.name, reply, "");
    const released = this.#release(known, { judged: fault, cause, stale });
    const isCredential = named.quote !== undefined && shown.quote === undefined;
    return { ...released, textHidden: isCredential || (released.textHidden && !saysWhatIsWrong(known)) };
  }

  #release(fault: Fault, facts: Pick<Failed, "judged" | "cause" | "stale">): Failed {
    const { upstream, names, params = {}, method } = this.#asked;
    const foreignText = this.#asked.foreignText === "raw" ? "quote" : this.#asked.foreignText;
    const callerTexts = callerTextsFor(sentWith({ method, params }), { foreignText });
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
