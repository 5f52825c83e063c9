import type { Actor } from "@recourse/core";
import type { ConnectionCauseId } from "../data/causes.ts";

/** Who has to act on a failure: an actor of the fault model, the person who set up the connection, or the server's author. */
export type FailureActor = Actor | "setup" | "author";

/** Who has to act on a cause. The others are up to the person who set up the connection. */
const CAUSE_ACTORS: Partial<Readonly<Record<ConnectionCauseId, FailureActor>>> = {
  D10: "author",
  D11: "author",
  D18: "author",
  D32: "person",
  D33: "operator",
  D34: "person",
  D37: "operator",
  D38: "operator",
  D39: "operator",
  D40: "operator",
  D41: "operator",
  D42: "operator",
  D43: "author",
  D44: "operator",
  D60: "host",
  D61: "host",
  D62: "host",
  D63: "author",
  D64: "author",
  D65: "host",
  D68: "operator",
  D69: "person",
  D74: "nobody",
  D75: "author",
  D76: "person",
  D78: "operator",
};

/** Who has to act on a cause. */
export function causeActor(id: ConnectionCauseId): FailureActor {
  return CAUSE_ACTORS[id] ?? "setup";
}
