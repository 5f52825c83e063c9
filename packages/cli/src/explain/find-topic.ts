import { STATUS_CODES } from "node:http";
import { getSystemErrorMap } from "node:util";
import { type Effect, type Fault, type FaultClass, KINDS, type Kind, render } from "@recourse/core";
import { detect, http } from "@recourse/core/dialects";
import { libraryReason, readSystemFault, toFault } from "@recourse/core/reasons";
import { parseJson } from "@recourse/core/wire";
import {
  CONNECTION_CAUSE_IDS,
  type CodeMeaning,
  type ConnectionCause,
  catalogue,
  type Explanation,
  explain,
  findConnectionCause,
  KIND_DOCS,
  type KindDoc,
  leakIn,
  meaningsOf,
  type RecognisedFailure,
  rangeOf,
  readFailure,
  sayRepeat,
  type UnrecognisedText,
} from "@recourse/explain";
import { PROBE_CHECKS } from "../checks/catalogue.ts";
import type { ProbeCheck } from "../checks/check.ts";
import { lowerSentence } from "../terminal/wording.ts";

/** What an explanation is about. This is what `--json` prints. */
export type Topic =
  | CodeTopic
  | ({
      readonly topic: "reason";
      readonly example: string;
      readonly repeat: string;
      readonly effect: Effect;
    } & Explanation)
  | ({
      readonly topic: "kind";
      readonly kind: Kind;
      readonly class: FaultClass;
      readonly reasons: readonly string[];
    } & KindDoc)
  | { readonly topic: "class"; readonly class: FaultClass; readonly kinds: readonly Kind[] }
  | ({ readonly topic: "check" } & Omit<ProbeCheck, "run">)
  | ({ readonly topic: "cause"; readonly id: string } & ConnectionCause)
  | MessageTopic
  /** A message that is no failure. */
  | HarmlessTopic;

/** A number or a name. */
export interface CodeTopic {
  readonly topic: "code";
  readonly code: string;
  /** What the number says by itself, in one sentence. */
  readonly rule?: string;
  /** By who sends it. */
  readonly meanings: readonly CodeMeaning[];
}

/** A message that is not marked as a failure. */
export interface HarmlessTopic {
  readonly topic: "message";
  readonly failure: false;
  /** Why it is not a failure. */
  readonly because: string;
  /** Whether its content says failure all the same. */
  readonly isUnmarked: boolean;
  /** What it says is missing. */
  readonly says?: string;
  /** The argument that this names. */
  readonly argument?: string;
}

/** A failure that was pasted. */
export interface MessageTopic {
  readonly topic: "message";
  readonly failure: true;
  /** What was recognised in the text. */
  readonly reading: RecognisedFailure;
  /** What a model reads about it behind Recourse, if a call failed. */
  readonly modelReads?: string;
  /** Whether the same call may be made again. */
  readonly repeat?: string;
  readonly explanation?: Explanation;
  /** What else the code of the message can mean. */
  readonly code?: CodeTopic;
  /** What its text gives away. Such a text is not shown. */
  readonly leak?: string;
}

/** What a text asks about. Undefined if nothing is known. */
export function findTopic(text: string): Topic | undefined {
  const asked = text.trim();
  for (const find of FINDERS) {
    const found = find(asked);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Every name that can be asked about. */
export function topicNames(): string[] {
  return [
    ...Object.keys(catalogue),
    ...Object.keys(KIND_DOCS),
    ...PROBE_CHECKS.map(({ id }) => id),
    ...CONNECTION_CAUSE_IDS,
    ...systemCodeNames(),
  ];
}

/** The most certain first: a name that exists is never read as a sentence. */
const FINDERS: readonly ((text: string) => Topic | undefined)[] = [
  numberTopic,
  reasonTopic,
  kindTopic,
  classTopic,
  checkTopic,
  causeTopic,
  nameTopic,
  messageTopic,
];

function reasonTopic(text: string): Topic | undefined {
  const named = Object.keys(catalogue).filter((id) => id.split("/")[1] === text);
  // A name without its domain is clear if only one domain has it, and no kind is called so.
  const id = Object.hasOwn(catalogue, text) ? text : named.length === 1 && !isKindName(text) ? named[0] : undefined;
  const explanation = id === undefined ? undefined : explain(id);
  const fault = libraryReason(id ?? "")?.fault({});
  if (explanation === undefined || fault === undefined) return undefined;
  const { effect } = fault;
  return {
    topic: "reason",
    ...explanation,
    effect,
    repeat: sayRepeat(fault),
    example: render(fault, { for: "model" }),
  };
}

function kindTopic(text: string): Topic | undefined {
  if (!isKindName(text)) return undefined;
  const reasons = Object.values(catalogue).filter(({ kind }) => kind === text);
  return {
    topic: "kind",
    kind: text,
    class: KINDS[text].class,
    ...KIND_DOCS[text],
    reasons: reasons.map(({ id }) => id),
  };
}

function classTopic(text: string): Topic | undefined {
  const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => KINDS[kind].class === text);
  const [first] = kinds;
  return first === undefined ? undefined : { topic: "class", class: KINDS[first].class, kinds };
}

function checkTopic(text: string): Topic | undefined {
  const check = PROBE_CHECKS.find(({ id }) => id === text);
  if (check === undefined) return undefined;
  const { run, ...rest } = check;
  return { topic: "check", ...rest };
}

function causeTopic(text: string): Topic | undefined {
  const cause = findConnectionCause(text);
  return cause === undefined ? undefined : { topic: "cause", ...cause };
}

function isKindName(text: string): text is Kind {
  return Object.hasOwn(KINDS, text);
}

/** What a number means: as a code of JSON-RPC, and as an HTTP status if it can be one. Undefined for every other text. */
function numberTopic(text: string): CodeTopic | undefined {
  if (!/^-?\d{1,15}$/.test(text)) return undefined;
  const number = Number(text);
  const rule = rangeOf(number)?.rule;
  const meanings = [...meaningsOf(number), ...statusMeanings(number)];
  return { topic: "code", code: String(number), ...(rule === undefined || number > 0 ? {} : { rule }), meanings };
}

/** What a name means, such as `ECONNREFUSED` or `REQUEST_TIMEOUT`. Undefined if nothing is known. */
function nameTopic(text: string): CodeTopic | undefined {
  const code = text.toUpperCase();
  const meanings = [...meaningsOf(code), ...systemCodeMeanings(code)];
  return meanings.length === 0 ? undefined : { topic: "code", code, meanings };
}

/** Names of system codes, for suggestions. */
function systemCodeNames(): string[] {
  return [...getSystemErrorMap().values()].map(([name]) => name);
}

function statusMeanings(status: number): CodeMeaning[] {
  const name = STATUS_CODES[status];
  const fault = name === undefined || status < 400 ? undefined : http.decode({ status, headers: {}, body: "" });
  return fault === undefined || name === undefined ? [] : [meaningOfFault("a REST API", name.toLowerCase(), fault)];
}

function systemCodeMeanings(code: string): CodeMeaning[] {
  const known = readSystemFault({ code });
  const text = [...getSystemErrorMap().values()].find(([name]) => name === code)?.[1];
  if (known === undefined && text === undefined) return [];
  const error = Object.assign(new Error(code), { code });
  const fault = detect(error)?.fault ?? toFault(error);
  return [meaningOfFault("Node or its system", text ?? SYSTEM_SENTENCES[known?.failure ?? "failed"], fault)];
}

const SYSTEM_SENTENCES = {
  unknown_host: "the name of the host does not resolve",
  unreachable: "the server cannot be reached",
  certificate: "the certificate is not trusted",
  tls: "the encrypted connection could not be made",
  lost: "the connection broke",
  failed: "the connection failed",
  timeout: "the time was up",
  cancelled: "the request was cancelled",
  closed: "the client was closed",
  overloaded: "this machine is out of resources",
  storage: "the storage is full or read-only",
  bad_reply: "the answer is malformed",
  reply_too_large: "the answer is too large",
  bad_call: "the HTTP client was used wrongly",
} as const satisfies Record<NonNullable<ReturnType<typeof readSystemFault>>["failure"], string>;

function meaningOfFault(sender: string, meaning: string, { kind, effect, reason }: Fault): CodeMeaning {
  const advice = explain(reason)?.remedies[0] ?? "";
  return {
    sender,
    meaning,
    reason,
    kind: kind as CodeMeaning["kind"],
    effect,
    advice: lowerSentence(advice),
  };
}

/** Explains a pasted text. Undefined if nothing is recognised in it. */
function messageTopic(text: string): Topic | undefined {
  const reading = readFailure(text);
  if (!reading.found) {
    const because = sayHarmless(reading);
    if (because === undefined) return undefined;
    const { says, argument } = reading;
    return {
      topic: "message",
      failure: false,
      because,
      isUnmarked: reading.because === "unmarked_failure",
      ...(says !== undefined && { says }),
      ...(argument !== undefined && { argument }),
    };
  }
  const { fault, rpcCode } = reading;
  const explanation = fault === undefined ? undefined : explain(fault);
  const code = rpcCode === undefined ? undefined : numberTopic(String(rpcCode));
  const leak = pastedLeak(text);
  return {
    topic: "message",
    failure: true,
    reading,
    ...(fault === undefined ? {} : { modelReads: render(fault, { for: "model" }), repeat: sayRepeat(fault) }),
    ...(explanation === undefined ? {} : { explanation }),
    ...(code === undefined ? {} : { code }),
    ...(leak === undefined ? {} : { leak }),
  };
}

/** What an answer gives away to its caller. Of other texts, which callers do not see, only secrets count. */
function pastedLeak(text: string): string | undefined {
  const quote = detect(parseJson(text))?.fault.quote?.text;
  if (quote !== undefined) return leakIn(quote);
  const leak = leakIn(text);
  return leak === "a credential" || leak === "personal data" ? leak : undefined;
}

/** Why a message is not a failure. Undefined for a text in which nothing is known. */
function sayHarmless({ because, method = "" }: UnrecognisedText): string | undefined {
  switch (because) {
    case "request":
      return `This is a request (${method}), not an answer.`;
    case "notification":
      return `This is a notification (${method}), not an answer.`;
    case "success":
      return "This answer is a success.";
    case "unmarked_failure":
      return "This answer says success, but its content says failure: clients, retries and dashboards count it as a success.";
    case "empty":
    case "json":
    case "text":
      return undefined;
    default:
      return because satisfies never;
  }
}
