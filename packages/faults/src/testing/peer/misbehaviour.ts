import type { Json } from "../../dialects/wire.ts";

type Act = Promise<void> | void;

/** A way to misbehave: after the request was carried out, with the honest reply at hand, or before anything was done. */
export type Misbehaviour<Turn> =
  | { readonly about: string; readonly commits: true; act(turn: Turn, reply: Json): Act }
  | { readonly about: string; readonly commits: false; act(turn: Turn): Act };

/** The two forms of a row, for what a misbehaviour has in hand on one kind of transport. */
export interface Rows<Turn> {
  /** A misbehaviour whose effect has happened. */
  readonly after: (about: string, act: (turn: Turn, reply: Json) => Act) => Misbehaviour<Turn>;
  /** A misbehaviour before anything has happened. */
  readonly before: (about: string, act: (turn: Turn) => Act) => Misbehaviour<Turn>;
}

/** Makes rows for one kind of transport. */
export function rowsFor<Turn>(): Rows<Turn> {
  return {
    after: (about, act) => ({ about, commits: true, act }),
    before: (about, act) => ({ about, commits: false, act }),
  };
}
