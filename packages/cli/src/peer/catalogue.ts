import { MISBEHAVE_HEADER, MISBEHAVE_KEY, MISBEHAVIOURS, STDIO_MISBEHAVIOURS } from "@recourse/testing/peer";

/** One way to misbehave, and how to ask for it. */
export interface MisbehaviourEntry {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** Whether the call is carried out before the peer misbehaves. */
  readonly carriedOut: boolean;
}

/** Everything that a peer can do wrong. */
export interface PeerCatalogue {
  readonly ask: readonly { readonly when: string; readonly how: string; readonly about: string }[];
  readonly http: readonly MisbehaviourEntry[];
  readonly stdio: readonly MisbehaviourEntry[];
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

/** Makes the list from the tables of the peer. */
export function buildCatalogue(): PeerCatalogue {
  return {
    ask: WAYS_TO_ASK,
    http: listMisbehaviours(MISBEHAVIOURS),
    stdio: listMisbehaviours(STDIO_MISBEHAVIOURS),
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
