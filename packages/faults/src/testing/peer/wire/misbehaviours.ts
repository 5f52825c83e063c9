import { GARBAGE } from "./garbage.ts";
import { LOST } from "./lost.ts";
import { REPEATED } from "./repeated.ts";
import { REPLAYS } from "./replays.ts";
import { SLOW } from "./slow.ts";
import { STATUSES } from "./statuses.ts";
import type { HttpMisbehaviour } from "./turn.ts";

/** Everything that the peer can do wrong over HTTP, by name. */
export const MISBEHAVIOURS = {
  ...LOST,
  ...SLOW,
  ...GARBAGE,
  ...REPEATED,
  ...STATUSES,
  ...REPLAYS,
} as const satisfies Record<string, HttpMisbehaviour>;

/** The name of one way to misbehave. */
export type MisbehaviourName = keyof typeof MISBEHAVIOURS;

/** Tells a name of the table from any other string. */
export function isMisbehaviour(name: unknown): name is MisbehaviourName {
  return typeof name === "string" && Object.hasOwn(MISBEHAVIOURS, name);
}
