import {
  CAUSES,
  MISBEHAVE_HEADER,
  MISBEHAVE_KEY,
  MISBEHAVIOURS,
  STDIO_MISBEHAVIOURS,
} from "@recourse/faults/testing/peer";
import { type CauseStep, stepsOf } from "./cause-steps.ts";

/** One way to misbehave, and how to ask for it. */
export interface ListedMisbehaviour {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** Whether the call is carried out before the peer misbehaves. */
  readonly carriedOut: boolean;
}

/** One error code, and what a client does to get it. */
export interface ListedCause {
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
export interface Catalogue {
  readonly ask: readonly { readonly when: string; readonly how: string; readonly about: string }[];
  readonly http: readonly ListedMisbehaviour[];
  readonly stdio: readonly ListedMisbehaviour[];
  readonly causes: readonly ListedCause[];
}

const EXAMPLE = "lost-silence";

/** The ways to ask for a misbehaviour. Each works with every name of the list. */
const ASK = [
  {
    when: "at the start",
    how: `recourse peer --next ${EXAMPLE} --next ok`,
    about: "The first tool call gets it, the second none. Both transports.",
  },
  {
    when: "",
    how: `recourse peer --tool charge=${EXAMPLE}`,
    about: "Every call of that tool gets it. Both transports.",
  },
  {
    when: "in a request",
    how: `"params": { "_meta": { "${MISBEHAVE_KEY}": "${EXAMPLE}" } }`,
    about: "That request gets it, whatever its method. Both transports.",
  },
  { when: "", how: `${MISBEHAVE_HEADER}: ${EXAMPLE}`, about: "The same as a header. HTTP." },
  {
    when: "while it runs",
    how: `curl -d '{"next":["${EXAMPLE}"]}' http://127.0.0.1:PORT/control`,
    about: 'The next tool calls get it; with "on":"tools/list" the next requests of that method. HTTP.',
  },
  {
    when: "",
    how: "curl http://127.0.0.1:PORT/control",
    about: "What arrived, and how often charge really ran. HTTP.",
  },
] as const;

/** Makes the list from the tables of the peer. Every cause is really provoked, to show what was sent. */
export async function catalogueOf(): Promise<Catalogue> {
  const causes = await Promise.all(
    CAUSES.map(async (cause) => ({
      code: cause.code,
      reason: cause.reason,
      about: cause.description,
      start: `recourse peer --cause ${cause.code}`,
      steps: await stepsOf(cause),
    })),
  );
  return { ask: ASK, http: listed(MISBEHAVIOURS), stdio: listed(STDIO_MISBEHAVIOURS), causes };
}

type Table = Readonly<Record<string, { readonly description: string; readonly commits: boolean }>>;

function listed(table: Table): ListedMisbehaviour[] {
  return Object.entries(table).map(([name, { description, commits }]) => ({
    name,
    about: description,
    carriedOut: commits,
  }));
}
