import {
  CAUSES,
  type Cause,
  MISBEHAVE_HEADER,
  MISBEHAVE_KEY,
  MISBEHAVIOURS,
  misbehave,
  provoke,
  type RawClientOptions,
  STDIO_MISBEHAVIOURS,
} from "@recourse/testing/peer";
import { isObject } from "@recourse/wire";

/** One way to misbehave, and how to ask for it. */
export interface MisbehaviourEntry {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** Whether the call is carried out before the peer misbehaves. */
  readonly carriedOut: boolean;
}

/** One error code, and what a client does to get it. */
export interface CauseEntry {
  readonly code: number;
  readonly reason: string;
  /** One sentence. */
  readonly about: string;
  /** The command that starts a peer on which it works. */
  readonly start: string;
  /** What the client does, in order. */
  readonly steps: readonly CauseStep[];
}

/** Everything that a peer can do wrong. */
export interface PeerCatalogue {
  readonly ask: readonly { readonly when: string; readonly how: string; readonly about: string }[];
  readonly http: readonly MisbehaviourEntry[];
  readonly stdio: readonly MisbehaviourEntry[];
  readonly causes: readonly CauseEntry[];
}

const EXAMPLE_NAME = "lost-silence";

/** The ways to ask for a misbehaviour. Each works with every name of the list. */
const WAYS_TO_ASK = [
  {
    when: "at the start",
    how: `recourse peer --next ${EXAMPLE_NAME} --next ok`,
    about: "The first tool call gets it, the second none. Both transports.",
  },
  {
    when: "",
    how: `recourse peer --tool charge=${EXAMPLE_NAME}`,
    about: "Every call of that tool gets it. Both transports.",
  },
  {
    when: "in a request",
    how: `"params": { "_meta": { "${MISBEHAVE_KEY}": "${EXAMPLE_NAME}" } }`,
    about: "That request gets it, whatever its method. Both transports.",
  },
  { when: "", how: `${MISBEHAVE_HEADER}: ${EXAMPLE_NAME}`, about: "The same as a header. HTTP." },
  {
    when: "while it runs",
    how: `curl -d '{"next":["${EXAMPLE_NAME}"]}' http://127.0.0.1:PORT/control`,
    about: 'The next tool calls get it; with "on":"tools/list" the next requests of that method. HTTP.',
  },
  {
    when: "",
    how: "curl http://127.0.0.1:PORT/control",
    about: "What arrived, and how often charge really ran. HTTP.",
  },
] as const;

/** Makes the list from the tables of the peer. Every cause is really provoked, to show what was sent. */
export async function buildCatalogue(): Promise<PeerCatalogue> {
  const causes = await Promise.all(
    CAUSES.map(async (cause) => ({
      code: cause.code,
      reason: cause.reason,
      about: cause.description,
      start: `recourse peer --cause ${cause.code}`,
      steps: await recordSteps(cause),
    })),
  );
  return {
    ask: WAYS_TO_ASK,
    http: listMisbehaviours(MISBEHAVIOURS),
    stdio: listMisbehaviours(STDIO_MISBEHAVIOURS),
    causes,
  };
}

type Table = Readonly<Record<string, { readonly description: string; readonly commits: boolean }>>;

function listMisbehaviours(table: Table): MisbehaviourEntry[] {
  return Object.entries(table).map(([name, { description, commits }]) => ({
    name,
    about: description,
    carriedOut: commits,
  }));
}

/** One thing that a client does to provoke an error. */
export type CauseStep =
  /** The start of every session. */
  | { readonly initialize: "as usual" }
  | { readonly post: string; readonly headers?: Readonly<Record<string, string>> }
  /** An order at the control address. */
  | { readonly control: string };

/** What a client does to provoke an error, recorded while it is provoked. */
async function recordSteps(cause: Cause): Promise<readonly CauseStep[]> {
  const peer = await misbehave({ dialect: "erlmcp", limits: cause.limits ?? {} });
  const steps: CauseStep[] = [];
  const watched = {
    url: peer.url,
    advanceClock(ms: number) {
      steps.push({ control: JSON.stringify({ advanceClockMs: ms }) });
      peer.advanceClock(ms);
    },
  };
  const recorder: RawClientOptions = {
    onSend(body, headers) {
      if (cause.initialize === undefined && isStart(body)) {
        if (steps.length === 0) steps.push({ initialize: "as usual" });
        return;
      }
      const post = bodyLine(body);
      steps.push(Object.keys(headers).length === 0 ? { post } : { post, headers });
    },
  };
  try {
    await provoke(cause, watched, recorder);
  } finally {
    await peer.close();
  }
  return steps;
}

const HANDSHAKE_METHOD = /^(?:notifications\/)?initialized?$/;

function isStart(body: unknown): boolean {
  return isObject(body) && HANDSHAKE_METHOD.test(String(body["method"]));
}

/** A body as one line. Long runs of one letter are counted, and bytes that are not text are shown as numbers. */
function bodyLine(body: unknown): string {
  if (body instanceof Uint8Array) return `bytes ${[...body].map((byte) => byte.toString(16)).join(" ")}`;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return text.replaceAll(/(\w)\1{99,}/g, (run, letter: string) => `${letter}${letter}${letter}… (${run.length} times)`);
}
