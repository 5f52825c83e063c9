import { STATUS_CODES } from "node:http";
import { getSystemErrorMap } from "node:util";
import {
  core,
  type Effect,
  type Fault,
  type FaultClass,
  FOREIGN_TEXT,
  KINDS,
  type Kind,
  libraryReason,
  readSystemFault,
  render,
  toFault,
  tool,
} from "@recourse/faults";
import { detect, http } from "@recourse/faults/dialects";
import {
  type CodeMeaning,
  catalogue,
  type Explanation,
  explain,
  KIND_DOCS,
  type KindDoc,
  meaningsOf,
  rangeOf,
} from "@recourse/faults/explain";
import { failureSign } from "@recourse/faults/proxy";
import { isObject, memberAt, objectAt, stringAt } from "@recourse/wire";
import { PROBE_CHECKS } from "../checks/catalogue.ts";
import type { ProbeCheck } from "../checks/check.ts";
import { CAUSE_IDS, type DoctorCause, findDoctorCause } from "../doctor/causes.ts";
import { lowerSentence } from "../terminal/wording.ts";
import { leakIn, sayRepeat } from "./phrases.ts";

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
  | ({ readonly topic: "cause"; readonly id: string } & DoctorCause)
  | MessageTopic
  /** A message that is no failure. */
  | { readonly topic: "message"; readonly failure: false; readonly because: string };

/** A number or a name. */
export interface CodeTopic {
  readonly topic: "code";
  readonly code: string;
  /** What the number says by itself, in one sentence. */
  readonly rule?: string;
  /** By who sends it. */
  readonly meanings: readonly CodeMeaning[];
}

/** A failure that was pasted. */
export interface MessageTopic {
  readonly topic: "message";
  readonly failure: true;
  /** The dialect that it was written in. */
  readonly dialect: string;
  readonly fault: Fault;
  /** What a model reads about it behind Recourse. */
  readonly modelReads: string;
  /** Whether the same call may be made again. */
  readonly repeat: string;
  readonly explanation?: Explanation;
  /** What else the code of the message can mean. */
  readonly code?: CodeTopic;
  /** What its text gives away. Such a text is not shown. */
  readonly leak?: string;
}

/** What a text asks about. Undefined if nothing is known. Throws a SyntaxError for JSON that is cut or malformed. */
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
    ...CAUSE_IDS,
    ...systemCodeNames(),
  ];
}

/** The most certain first: a name that exists is never read as a sentence. */
const FINDERS: readonly ((text: string) => Topic | undefined)[] = [
  (text) => (/^[{[]/.test(text) ? messageTopic(JSON.parse(text)) : undefined),
  numberTopic,
  reasonTopic,
  kindTopic,
  classTopic,
  checkTopic,
  causeTopic,
  nameTopic,
  (text) => (text.includes(" ") ? sentenceTopic(text) : undefined),
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
  const cause = findDoctorCause(text);
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

/** Explains a message of any dialect: an answer, its result or error, an HTTP answer, or the error of an SDK. */
function messageTopic(message: unknown): Topic {
  // Terminals keep what they show, so a text that gives something away is left out, as a guarded server does.
  const found = detect(message, { textPolicy: FOREIGN_TEXT });
  if (found === undefined) return { topic: "message", failure: false, because: whyNoFailure(message) };
  const { fault, dialect } = found;
  const explanation = explain(fault);
  const code = messageCode(message);
  const leak = leakIn(detect(message)?.fault.quote?.text ?? "");
  return {
    topic: "message",
    failure: true,
    dialect,
    fault,
    modelReads: render(fault, { for: "model" }),
    repeat: sayRepeat(fault),
    ...(explanation === undefined ? {} : { explanation }),
    ...(code === undefined ? {} : { code }),
    ...(leak === undefined ? {} : { leak }),
  };
}

/** Explains a sentence of a log or of a stack trace. Undefined if no dialect knows it. */
function sentenceTopic(text: string): Topic | undefined {
  const [, code, message = ""] = /^(?:McpError: )?MCP error (-?\d{1,6}): (.*)$/s.exec(text) ?? [];
  const readings = [
    ...(code === undefined ? [] : [{ name: "McpError", code: Number(code), message }, toolFailure(message)]),
    toolFailure(text),
  ];
  const known = readings.find((one) => !isVagueReason(detect(one)?.fault.reason));
  return known === undefined ? undefined : messageTopic(known);
}

/** The sentence as if a tool had answered it. */
function toolFailure(text: string) {
  return { isError: true, content: [{ type: "text", text }] };
}

/** Reasons that say no more than that something failed. */
function isVagueReason(reason: string | undefined): boolean {
  return reason === undefined || reason === core.unrecognised.id || reason === tool.failed.id;
}

function whyNoFailure(message: unknown): string {
  if (!isObject(message)) return "This is JSON, but no message of MCP.";
  const method = stringAt(message, "method");
  if (method !== undefined && "id" in message) return `This is a request (${method.slice(0, 60)}), not an answer.`;
  if (method !== undefined) return `This is a notification (${method.slice(0, 60)}), not an answer.`;
  const result = objectAt(message, "result") ?? message;
  if (failureSign(result) !== undefined)
    return "This answer says success, but its content says failure: clients, retries and dashboards count it as a success.";
  return "result" in message || "content" in message
    ? "This answer is a success."
    : "No dialect recognises a failure in this message.";
}

function messageCode(message: unknown) {
  const parts = isObject(message) ? message : {};
  const code = memberAt(objectAt(parts, "error") ?? objectAt(objectAt(parts, "result"), "error") ?? parts, "code");
  return typeof code === "number" && Number.isSafeInteger(code) ? numberTopic(String(code)) : undefined;
}
