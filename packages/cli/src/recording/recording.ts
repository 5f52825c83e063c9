import type { JsonObject, NEWEST_REVISIONS } from "@recourse/core/wire";

/** The format of recordings that this version writes and reads. */
export const RECORDING_FORMAT = "recourse-recording/1";

/**
 * What stands for a secret in a recording. No server writes it by itself, so it always marks the place of a secret.
 * Reports show it as the mark of everything that is printed.
 */
export const HIDDEN_IN_RECORDING = "‹hidden›";

/** Everything that a probe sent and received. Judging needs nothing else. */
export interface Recording {
  readonly format: typeof RECORDING_FORMAT;
  /** The version of the program that wrote it. */
  readonly version: string;
  /** When the probe began, ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly target: RecordedTarget;
  /** One for each era that the server speaks. */
  readonly eras: readonly EraRecord[];
  /** Eras that the server does not speak, with the reason in one sentence. */
  readonly unspoken: readonly { readonly revision: EraRevision; readonly because: string }[];
  /** Set if the user ended the probe: what is here is only a part. */
  readonly interrupted?: true;
}

/** The probed server. Nothing here holds a secret: the values of headers and variables are not kept. */
export interface RecordedTarget {
  readonly transport: "stdio" | "http";
  /** Without user, password, and secrets of the query. */
  readonly url?: string;
  /** The program and its arguments, with secrets replaced. */
  readonly command?: readonly string[];
  /** Whether the server is on this machine. */
  readonly loopback: boolean;
  /** Whether the user gave credentials. */
  readonly credentials: boolean;
  /** Values that the probe made up and sent or planted. Texts that repeat them say nothing about the server. */
  readonly planted: PlantedValues;
}

/** Values that exist nowhere but in this probe. */
export interface PlantedValues {
  /** The value of the variable that was added to the environment of a stdio server. */
  readonly canary: string;
  /** The name of that variable. */
  readonly canaryName: string;
  /** A value that looks like a secret, sent in place of a number. */
  readonly bait: string;
}

/** One conversation in one era. */
export interface EraRecord {
  readonly revision: EraRevision;
  /** The version that the server chose. */
  readonly negotiated: string;
  readonly server: { readonly name: string; readonly version: string };
  readonly capabilities: JsonObject;
  /** Tools as the server listed them. */
  readonly tools: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  /** Tools that got valid arguments. */
  readonly called: readonly string[];
  /** Tools that got nothing, with the reason. */
  readonly spared: readonly SparedTool[];
  readonly exchanges: readonly RecordedExchange[];
  /** Lines on stdout that are no JSON-RPC messages. */
  readonly strayLines: readonly string[];
  /** The first lines of stderr. */
  readonly stderr: string;
  /** Where the program printed a secret that it was given, beside its answers. */
  readonly secretIn?: readonly ProgramStream[];
  /** Programs that the server started and that ran on after it ended. */
  readonly leftBehind?: readonly LeftProgram[];
  /** Groups of stimuli that were not sent, or not all of them, with the reason in one sentence. */
  readonly leftOut?: readonly LeftOutGroup[];
}

/**
 * Why a tool got nothing. `unannotated`: nothing but its missing `readOnlyHint` is in the way. `disputed`: it says that it changes
 * something, but its name says that it only reads. `writes`: it says itself, or by its name, that it changes something. `schema`:
 * its schema cannot be used. `arguments`: no harmless arguments were found. `not-named`: the user named other tools. `limit`: the
 * probe had called enough.
 */
export const SPARED_REASONS = [
  "unannotated",
  "disputed",
  "writes",
  "schema",
  "arguments",
  "not-named",
  "limit",
] as const;
type SparedReason = (typeof SPARED_REASONS)[number];

/** A tool that got nothing. */
export interface SparedTool {
  readonly tool: string;
  /** One sentence. */
  readonly because: string;
  /** Recordings of older versions have none. */
  readonly why?: SparedReason;
  /** Set if `--by-name` would call it. */
  readonly byName?: true;
}

/** A group of stimuli that was not sent, or not wholly. */
export interface LeftOutGroup {
  readonly stimulus: StimulusName;
  readonly because: string;
  /** Set if there was something to look at all the same. Without it the server has nothing of the kind. */
  readonly untested?: UntestedReason;
}

/** Why something that exists was not looked at. `unasked`: the caller of the probe left the group out. */
export const UNTESTED_REASONS = ["not-allowed", "limit", "ended", "unasked"] as const;
export type UntestedReason = (typeof UNTESTED_REASONS)[number];

/** Where a program prints. */
export const PROGRAM_STREAMS = ["stdout", "stderr"] as const;
type ProgramStream = (typeof PROGRAM_STREAMS)[number];

/** A program that ran on after the server that started it. */
export interface LeftProgram {
  /** Its name, and that of its script. */
  readonly name: string;
  /** The number of its process. */
  readonly pid: number;
  /** Whether the probe ended it. What left the process group of the server is not touched. */
  readonly ended: boolean;
}

/** One thing sent, and what came back. */
export interface RecordedExchange {
  /** Stable between runs: revision, stimulus, variant, tool and a number. */
  readonly id: string;
  readonly stimulus: StimulusName;
  readonly variant?: string;
  /** The tool that is meant, if a real one is. */
  readonly tool?: string;
  readonly sent: RecordedRequest;
  readonly answer: RecordedAnswer;
  /** How many answers came, if there was more than one. */
  readonly copies?: number;
  /** How the program ended by itself after this exchange, and before the next one. */
  readonly ended?: { readonly exitCode: number | null; readonly signal: string | null };
  /** Set if the answer held a secret that the server was given and that this request did not repeat. */
  readonly secretShown?: true;
}

/** What the probe sent. */
export interface RecordedRequest {
  /** The message, if it is one. */
  readonly message?: JsonObject;
  /** The text on the wire, cut to 2,000 characters. */
  readonly text: string;
  /** The length of the whole text. */
  readonly bytes: number;
  /**
   * The method and the headers, but for those that are the same in every request (Host, Accept, Content-Type,
   * Content-Length). Secrets and the session are replaced by ‹hidden›; a header that was left out is an empty text.
   */
  readonly http?: { readonly method: string; readonly headers: Readonly<Record<string, string>> };
  /** What is wrong with the arguments. */
  readonly wrong?: readonly WrongField[];
}

/** One wrong argument. */
export interface WrongField {
  /** The name of the argument. */
  readonly field: string;
  readonly rule: "type" | "missing" | "enum" | "range" | "extra-key";
  /** The schema of the argument as the server listed it. */
  readonly schema?: JsonObject;
}

/** What came back. */
export type RecordedAnswer =
  /** A JSON-RPC response to this request. */
  | (AnswerContent & { readonly kind: "message"; readonly message: JsonObject })
  /** An HTTP answer without such a response: a page, other JSON, or nothing. */
  | (AnswerContent & { readonly kind: "body" })
  /** Nothing, and the server is still there. Strays are messages that answer nothing that was sent. */
  | { readonly kind: "silent"; readonly ms: number; readonly strays: readonly JsonObject[] }
  /** The process ended or the connection broke. */
  | {
      readonly kind: "closed";
      readonly ms: number;
      readonly exitCode?: number | null;
      readonly signal?: string | null;
      readonly stderr?: string;
    }
  /** Nothing can be said, such as after EPIPE while a long body was sent. */
  | { readonly kind: "inconclusive"; readonly ms: number; readonly because: string };

/** What every answer with content has. */
export interface AnswerContent {
  readonly ms: number;
  /** The text as it arrived, cut to 20,000 characters. */
  readonly text: string;
  /** The length of the whole text. */
  readonly bytes: number;
  readonly http?: HttpPart;
}

/** The HTTP part of an answer. Names of headers are lower case. */
export interface HttpPart {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the answer came as a stream of events. */
  readonly streamed: boolean;
}

/** An era, named by its newest revision: with a handshake, or without. */
export type EraRevision = (typeof NEWEST_REVISIONS)[number];

/** What a probe sends, by group. Checks name the groups that they look at. */
export const STIMULI = {
  handshake: "The request that opens a conversation: initialize or server/discover.",
  list: "Lists of tools, resources, templates and prompts, page by page. Variant: the method.",
  "unknown-tool": "A call of a tool that does not exist, twice. Variants: first, second.",
  "prototype-name": "Calls of tools named like members of every object. Variant: the name.",
  "misspelt-tool": "A call of a real tool with its last letter changed.",
  "long-tool-name": "A call of a tool whose name has 4,000 letters.",
  "hostile-tool-name": "A call of a tool whose name has a newline, an escape, a direction mark and an instruction.",
  "wrong-arguments":
    "Wrong arguments to tools that only read. Variants: type, type-again, missing, enum, range, extra-key, bait.",
  "valid-call": "Valid arguments, about things that do not exist, to tools that only read.",
  "malformed-params":
    "Parameters that break the protocol. Variants: no-name, name-5, arguments-text, arguments-list, arguments-null (all of an unknown tool), cursor-12, no-uri, not-a-uri, prompt-argument-5 (of an unknown prompt), and in the older era level, initialize-5.",
  "unknown-resource": "A resource that does not exist. Variants: own-scheme, foreign-scheme, template.",
  "unknown-prompt": "A prompt that does not exist.",
  "prompt-argument": "A known prompt without its argument. Sent with --allow-prompts only. Variant: the prompt.",
  "unknown-completion": "A completion for a prompt that does not exist.",
  "unknown-method": "The method recourse/probe.",
  ping: "A ping. Sent in the older era only.",
  "malformed-message":
    "Messages that are no JSON-RPC. Variants without a readable id: cut, text; with one: utf8 (a call of an unknown tool whose name has the byte 0xff), no-jsonrpc, list-params.",
  "deep-json": "20,000 nested lists in an argument of an unknown tool.",
  "long-message":
    "A line of 11 MiB or a body of 6 MB. Variants: itself, next (a list of tools over the same connection, if the program lived and the answer was read).",
  concurrent: "Calls of unknown tools, 40 at once, 8 elsewhere. Variant: the number of the request.",
  "odd-id": "Ids that are legal and unusual. Variants: string, zero, large.",
  "unknown-version":
    "A protocol version that never existed. Variants: body (initialize, or server/discover with a header that agrees; over stdio the first message of a process), header (older era over HTTP).",
  notification: "Unknown notifications. Variants: unknown, cancelled.",
  "http-edge":
    "Odd HTTP requests. Variants: put, get (for a stream that is closed at once), delete (of a session that does not exist), text-plain, foreign-origin, foreign-host, unknown-session (if the server has sessions), empty-body.",
  credentials:
    "Requests with other credentials. Variants: none, and if that is refused wrong, alg-none, basic, empty, metadata (the document that the challenge names).",
  "close-stdin": "The end of input, after real calls.",
} as const satisfies Record<string, string>;

/** The name of a group. */
export type StimulusName = keyof typeof STIMULI;
