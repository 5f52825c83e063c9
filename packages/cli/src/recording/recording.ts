import type { JsonObject } from "@recourse/faults/internal-do-not-use";
import type { Revision } from "./revisions.ts";
import type { StimulusName } from "./stimuli.ts";

/** The format of recordings that this version writes and reads. */
export const FORMAT = "recourse-recording/1";

/** Everything that a probe sent and received. Judging needs nothing else. */
export interface Recording {
  readonly format: typeof FORMAT;
  /** The version of the program that wrote it. */
  readonly version: string;
  /** When the probe began, ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly target: Target;
  /** One for each era that the server speaks. */
  readonly eras: readonly EraRecord[];
  /** Eras that the server does not speak, with the reason in one sentence. */
  readonly unspoken: readonly { readonly revision: Revision; readonly because: string }[];
  /** Set if the user ended the probe: what is here is only a part. */
  readonly interrupted?: true;
}

/** The probed server. Nothing here holds a secret: the values of headers and variables are not kept. */
export interface Target {
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
  readonly planted: Planted;
}

/** Values that exist nowhere but in this probe. */
export interface Planted {
  /** The value of the variable that was added to the environment of a stdio server. */
  readonly canary: string;
  /** The name of that variable. */
  readonly canaryName: string;
  /** A value that looks like a secret, sent in place of a number. */
  readonly bait: string;
}

/** One conversation in one era. */
export interface EraRecord {
  readonly revision: Revision;
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
  readonly spared: readonly { readonly tool: string; readonly because: string }[];
  readonly exchanges: readonly Exchange[];
  /** Lines on stdout that are no JSON-RPC messages. */
  readonly strayLines: readonly string[];
  /** The first lines of stderr. */
  readonly stderr: string;
  /** Groups of stimuli that were not sent, or not all of them, with the reason in one sentence. */
  readonly leftOut?: readonly { readonly stimulus: StimulusName; readonly because: string }[];
}

/** One thing sent, and what came back. */
export interface Exchange {
  /** Stable between runs: revision, stimulus, variant, tool and a number. */
  readonly id: string;
  readonly stimulus: StimulusName;
  readonly variant?: string;
  /** The tool that is meant, if a real one is. */
  readonly tool?: string;
  readonly sent: Sent;
  readonly answer: Answer;
}

/** What the probe sent. */
export interface Sent {
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
export type Answer =
  /** A JSON-RPC response to this request. */
  | (Arrived & { readonly kind: "message"; readonly message: JsonObject })
  /** An HTTP answer without such a response: a page, other JSON, or nothing. */
  | (Arrived & { readonly kind: "body" })
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
export interface Arrived {
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
