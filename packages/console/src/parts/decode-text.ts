// Reads a pasted reply as the gateway would. It holds the whole library, so it is loaded when somebody pastes something.
import { FOREIGN_TEXT, type Recourse, type RuleGroup, render } from "@recourse/faults";
import { detect } from "@recourse/faults/dialects";
import {
  type RecognisedFailure,
  readFailure,
  SYSTEMS,
  type System,
  type UnrecognisedText,
} from "@recourse/faults/explain";

/** What a text says, ready to be shown. */
export type DecodedText = DecodedFailure | { readonly found: false; readonly title: string; readonly sentence: string };

/** A failure in a text. */
interface DecodedFailure {
  readonly found: true;
  readonly title: string;
  readonly sentence: string;
  readonly advice: string;
  readonly code?: string;
  readonly effect: "none" | "possible" | "applied";
  /** Names and values, in the order in which they are shown. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly moves: readonly { readonly code: string; readonly words: string }[];
  /** The sentence for a model; undefined if the failure is not about a call. */
  readonly modelReads?: string;
  /** What would be left out, and why. */
  readonly leftOut?: string;
}

const WIRE_NAMES: Readonly<Record<string, string>> = {
  mcp: "MCP",
  http: "HTTP",
  sdk: "the official SDK",
  fastmcp: "FastMCP",
  text: "words alone",
};

const HOW_SURE = {
  stated: "The sender says so itself.",
  mapped: "It has a code or words that mean this.",
  guessed: "The words alone suggest it, so it may be something else.",
} as const satisfies Record<RecognisedFailure["basis"], string>;

const WHO_ACTS = {
  model: "The model",
  host: "The host or client software",
  person: "A person",
  time: "No one: wait",
  engine: "You: look before you repeat the call",
  operator: "The operator",
  nobody: "No one",
  setup: "You, or who set up the connection",
  author: "The author of the server",
} as const satisfies Record<RecognisedFailure["actor"], string>;

const MOVE_LINES = {
  retry: "Make the call again",
  authenticate: "Sign in again",
  fix_input: "Correct the arguments",
  choose_another: "Choose another",
  refresh: "Check the state",
  do_first: "Call another tool first",
  ask_user: "Ask the user",
  stop: "Stop",
} as const satisfies Record<Recourse["do"], string>;

const REMOVED_PARTS = {
  code: "code or a stack trace",
  credential: "a credential",
  database: "a statement or the names of a database",
  hostile: "an instruction to the model, or hidden characters",
  host: "a host of the inner network",
  id: "an internal id",
  markup: "a page instead of a sentence",
  path: "a path of the server's machine",
  personal: "personal data",
  provider: "an internal text of a provider",
  system: "an error text of the system",
  url: "an internal address",
} as const satisfies Record<RuleGroup, string>;

const NOT_A_FAILURE = {
  empty: "Nothing was pasted.",
  request: "This is a request.",
  notification: "This is a notification.",
  success: "This is a success.",
  unmarked_failure:
    "The content says that it failed, but the reply is marked as a success. Return it with isError: true.",
  json: "This is JSON without a failure that is known.",
  text: "Nothing in this text is known. Paste the whole line, with its code and the lines above it.",
} as const satisfies Record<UnrecognisedText["because"], string>;

/** Reads a text. It never throws, and what it gives holds no secrets. */
export function decodePasted(text: string): DecodedText {
  const reading = readFailure(text);
  if (!reading.found)
    return {
      found: false,
      title: reading.because === "unmarked_failure" ? "A failure, sent as a success" : "No failure",
      sentence: NOT_A_FAILURE[reading.because],
    };
  const { fault } = reading.leads === "fault" ? reading : {};
  const leftOut = findLeftOut(text);
  return {
    found: true,
    title: reading.title,
    sentence: reading.because,
    advice: reading.leads === "cause" ? (reading.cause?.fix ?? reading.advice) : reading.advice,
    effect: reading.effect,
    ...(reading.code !== undefined && { code: reading.code }),
    facts: listFacts(reading),
    moves: (fault?.recourse ?? []).map((move) => ({ code: move.do, words: sayMove(move) })),
    ...(fault !== undefined && { modelReads: render(fault, { for: "model" }) }),
    ...(leftOut !== undefined && { leftOut }),
  };
}

function listFacts(reading: RecognisedFailure): readonly (readonly [string, string])[] {
  const { fault, cause, dialect } = reading;
  const system =
    dialect === undefined ? undefined : (SYSTEMS[dialect as System]?.name ?? WIRE_NAMES[dialect] ?? dialect);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["System", system ?? "words alone"],
    ["Kind", fault?.kind],
    ["Reason", fault?.reason],
    ["Cause", cause?.id],
    ["Code", reading.rpcCode === undefined ? undefined : String(reading.rpcCode)],
    ["HTTP status", reading.httpStatus === undefined ? undefined : String(reading.httpStatus)],
    ["Who acts", WHO_ACTS[reading.actor]],
    ["How sure", HOW_SURE[reading.basis]],
    ["Recognised", reading.recognised],
  ];
  return facts.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value] as const]));
}

function sayMove({ do: move, afterMs, fields, candidates, tool }: Recourse): string {
  const words = MOVE_LINES[move];
  if (afterMs !== undefined) return `${words} after ${afterMs / 1_000} s`;
  if (fields !== undefined && fields.length > 0) return `${words}: ${fields.join(", ")}`;
  if (candidates !== undefined && candidates.length > 0) return `${words}: ${candidates.join(", ")}`;
  return tool === undefined ? words : `${words}: ${tool}`;
}

/** The text itself is a quotation of the reply, if it is one that the gateway can read. */
function findLeftOut(text: string): string | undefined {
  const quote = detect(parsePasted(text))?.fault.quote?.text;
  const rule = FOREIGN_TEXT.ruleForQuote(quote ?? text.slice(0, 4_000), {});
  if (rule === undefined) return undefined;
  const [group = ""] = rule.split(".");
  const what = Object.hasOwn(REMOVED_PARTS, group) ? REMOVED_PARTS[group as RuleGroup] : "something internal";
  return `The text shows ${what}. A model would not read it.`;
}

function parsePasted(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
