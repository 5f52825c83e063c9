import type { Actor } from "@recourse/core";
import causes from "./causes.json" with { type: "json" };

/** What `doctor` does about a cause: it stops, asks for credentials, or mentions the cause and continues. */
export type CauseWeight = "broken" | "credentials" | "note";

/** Who has to act on a failure: an actor of the fault model, the person who set up the connection, or the server's author. */
export type FailureActor = Actor | "setup" | "author";

/** One reason why a server cannot be started or reached. Texts are for people who see the problem for the first time. */
export interface ConnectionCause {
  /** What is wrong, in a few words, without a full stop. */
  readonly title: string;
  /** What `doctor` sees: the rule behind the verdict. */
  readonly seen: string;
  /** Why it happens, in one sentence. */
  readonly because: string;
  /** What to do, in one or two sentences. */
  readonly fix: string;
  /** A command or code that can be copied. */
  readonly code?: string;
  /** @default "broken" */
  readonly weight?: CauseWeight;
  /** Who has to act. @default "setup" */
  readonly actor?: FailureActor;
}

/** A cause as the compiler reads it from JSON, which has no literal types. */
interface JsonCause extends Omit<ConnectionCause, "weight" | "actor"> {
  readonly weight?: string;
  readonly actor?: string;
}

const readCauses = <Id extends string>(group: Readonly<Record<Id, JsonCause>>) =>
  group as Readonly<Record<Id, ConnectionCause>>;

/** Causes on this machine, in the program that should communicate over stdin and stdout. */
export const PROGRAM_CAUSES = readCauses(causes.program);
/** Causes on the way to a server over HTTP, and in its answers. */
export const HTTP_CAUSES = readCauses(causes.http);
/** Causes in the configuration file of a host. */
const CONFIG_CAUSES = readCauses(causes.config);
/** Causes between host, client and server that their error texts name. `readFailure` recognises them in a text. */
export const CONVERSATION_CAUSES = readCauses(causes.conversation);

/** The id of a cause, such as `D10`. */
export type ConnectionCauseId =
  | keyof typeof PROGRAM_CAUSES
  | keyof typeof HTTP_CAUSES
  | keyof typeof CONFIG_CAUSES
  | keyof typeof CONVERSATION_CAUSES;

/** Every cause by its id. Ids never change: `recourse explain D10`, the docs and the output of `--json` use them. */
export const CONNECTION_CAUSES: Readonly<Record<ConnectionCauseId, ConnectionCause>> = {
  ...PROGRAM_CAUSES,
  ...HTTP_CAUSES,
  ...CONFIG_CAUSES,
  ...CONVERSATION_CAUSES,
};

/** Every id in the order of its number. */
export const CONNECTION_CAUSE_IDS: readonly ConnectionCauseId[] = (
  Object.keys(CONNECTION_CAUSES) as ConnectionCauseId[]
).sort((one, other) => Number(one.slice(1)) - Number(other.slice(1)));

/** Finds the cause with this id, in upper or lower case. Returns undefined if no cause has it. */
export function findConnectionCause(id: string): (ConnectionCause & { readonly id: ConnectionCauseId }) | undefined {
  const found = CONNECTION_CAUSE_IDS.find((one) => one === id.toUpperCase());
  return found === undefined ? undefined : { id: found, ...CONNECTION_CAUSES[found] };
}
