// What a defect can do to the good server: hooks on the way in and on the way out.

import { isObject, type JsonObject, parseJson, stringAt } from "@recourse/core/wire";
import type { EraRevision, StimulusName } from "../../src/recording/recording.ts";
import type { ProbeWaits } from "../../src/wire/limits.ts";
import type { ProgramHost } from "../support/inner-program.ts";

/** What arrived, over either transport. */
export interface Incoming {
  readonly transport: "stdio" | "http";
  readonly bytes: Uint8Array;
  /** The beginning of it as text, 4,000 characters. */
  readonly text: string;
  /** The JSON-RPC message, if it is one. */
  readonly message: JsonObject | undefined;
  /** The method of the message. */
  readonly method: string | undefined;
  /** The parameters of the message. */
  readonly params: JsonObject;
  readonly id: unknown;
  readonly revision: EraRevision;
  /** The request, over HTTP. */
  readonly http?: { readonly request: Request; readonly socket: object };
  /** The program that got it, over stdio. */
  readonly program?: ProgramHost;
  /** How many came before. */
  readonly number: number;
}

/** An answer in place of that of the server. */
export type Reply =
  /** A message, or several. */
  | { readonly messages: readonly JsonObject[]; readonly status?: number }
  /** Text as it is: a line on stdout, or a body. */
  | { readonly text: string; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  /** Nothing, ever. */
  | { readonly never: true }
  /** That of the server, but late. */
  | { readonly afterMs: number }
  /** The process ends, or the connection breaks. */
  | { readonly exit: number };

/** What becomes of a message on its way out. */
export type Change = (message: JsonObject, incoming: Incoming | undefined) => JsonObject | undefined;

/** One defect of an otherwise good server. */
export interface Defect {
  /** Where it can be seen. */
  readonly on: "http" | "stdio" | "both";
  /** The only era in which it shows. @default any */
  readonly era?: EraRevision;
  /** Set if only a process of its own can have it. */
  readonly ownProcess?: true;
  /** How long the probe waits for what a process never does. @default longer than any machine takes */
  readonly waits?: Partial<ProbeWaits>;
  /** The server wants a bearer token: `TOKEN`. */
  readonly auth?: boolean;
  /** The probe is given a key for the server: `GIVEN_KEY`, as the variable SHOP_API_KEY or the header x-api-key. */
  readonly key?: boolean;
  /** Ids of other findings that must come with it, and why. */
  readonly also?: Readonly<Record<string, string>>;
  /** Answers instead of the server. */
  readonly answer?: (incoming: Incoming) => Reply | undefined | Promise<Reply | undefined>;
  /** Changes a message that the server sends, or returns none. */
  readonly change?: Change;
  /** Changes a whole answer over HTTP. */
  readonly respond?: (response: Response, incoming: Incoming) => Response | Promise<Response>;
  /** What the program does besides, over stdio. It runs before the server starts. */
  readonly starts?: (program: ProgramHost) => void;
}

/** Another form of a defect, beside the one that each check has. */
export interface Seed extends Defect {
  /** The check that has to find it. */
  readonly finds: string;
  /** Where it shows, beside the groups in which the defect of that check does. @default nowhere */
  readonly shows?: readonly StimulusName[];
}

/** The key that a server with `key` is given. */
export const GIVEN_KEY = "shop-key-4Zq8Wm2Xv7Lt";

/** The token that a server with `auth` wants. */
export const TOKEN = "shop-token-of-ada";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
let count = 0;

/** Reads what arrived. */
export function incomingOf(bytes: Uint8Array, rest: Pick<Incoming, "transport" | "http" | "program">): Incoming {
  const text = new TextDecoder().decode(bytes.subarray(0, 4_000));
  const value = bytes.length > 1_000_000 ? undefined : parseJson(new TextDecoder().decode(bytes));
  const message = isObject(value) ? value : undefined;
  const params = isObject(message?.["params"]) ? message["params"] : {};
  const meta = isObject(params["_meta"]) ? params["_meta"] : {};
  const isNew =
    meta[VERSION_KEY] !== undefined || rest.http?.request.headers.get("mcp-protocol-version") === "2026-07-28";
  count += 1;
  return {
    ...rest,
    bytes,
    text,
    message,
    params,
    method: message === undefined ? undefined : stringAt(message, "method"),
    id: message?.["id"],
    revision: isNew ? "2026-07-28" : "2025-11-25",
    number: count,
  };
}

// Where defects show, so that the short check need not send everything to each of them.
/** Groups of stimuli that every defect gets: most show there, and the others must not. */
const ALWAYS: readonly StimulusName[] = ["unknown-tool", "valid-call"];

/** Other groups, and the defects that show in one of them only. */
const OTHERS: Partial<Readonly<Record<StimulusName, readonly string[]>>> = {
  "unknown-method": ["unknown-method-code", "no-hang"],
  "wrong-arguments": [
    "leak-echo-secret",
    "stable-identity",
    "args-checked-first",
    "args-name-field",
    "args-refused",
    "args-name-all",
    "args-say-expected",
    "unknown-key-refused",
    "args-limits",
    "args-channel",
  ],
  ping: ["ping-answered"],
  "prototype-name": ["prototype-names"],
  "misspelt-tool": ["unknown-tool-suggests"],
  "long-tool-name": ["code-process", "message-says-something", "echo-bounded"],
  "hostile-tool-name": ["echo-control"],
  "unknown-resource": ["resource-not-found-code", "resource-failure-channel"],
  "unknown-prompt": ["no-crash", "prompt-not-found-code"],
  "unknown-completion": ["retry-after", "completion-ref-code"],
  "odd-id": ["id-kept"],
  notification: ["notification-silent"],
  "malformed-params": [
    "code-integer",
    "code-reserved",
    "code-legacy-range",
    "invalid-params-code",
    "message-sentence",
    "message-prefix",
  ],
  "prompt-argument": ["prompt-argument-code"],
  concurrent: ["concurrent-answers"],
  "unknown-version": ["version-negotiated", "version-detail"],
  "http-edge": ["http-error-json", "http-no-5xx", "http-status", "session-404", "http-origin", "http-host"],
  credentials: ["auth-challenge", "auth-invalid-401", "auth-opaque", "auth-metadata"],
  "malformed-message": ["invalid-request-answered", "parse-error-answered", "utf8-refused"],
  "deep-json": ["deep-json"],
  "long-message": ["http-after-refusal", "line-limit", "body-limit"],
  "close-stdin": ["exit-on-close", "children-end"],
};

/** The groups that are enough to find a defect, with those where another form of it shows. */
export function groupsFor(defect: string, shows: readonly StimulusName[] = []): readonly StimulusName[] {
  const others = Object.entries(OTHERS).filter(([, defects]) => defects.includes(defect));
  return [...ALWAYS, ...others.map(([name]) => name as StimulusName), ...shows];
}
