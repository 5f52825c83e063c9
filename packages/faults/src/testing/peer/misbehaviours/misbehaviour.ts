import type { JsonObject } from "../../../json/read.ts";

type Done = Promise<void> | void;

/** A way to misbehave: after the request was carried out, with the correct reply at hand, or before anything was done. */
export type Misbehaviour<Exchange> =
  | {
      /** One sentence that says what the peer does. */
      readonly description: string;
      /** Whether the request is carried out first. */
      readonly commits: true;
      /** Sends something else in place of the correct reply. */
      act(exchange: Exchange, reply: JsonObject): Done;
    }
  | {
      /** One sentence that says what the peer does. */
      readonly description: string;
      /** Whether the request is carried out first. */
      readonly commits: false;
      /** Sends something in place of a reply. */
      act(exchange: Exchange): Done;
    };

/** Builders for the rows of a table of misbehaviours. */
export interface RowBuilders<Exchange> {
  /** A misbehaviour after the request was carried out. */
  readonly afterCommit: (
    description: string,
    act: (exchange: Exchange, reply: JsonObject) => Done,
  ) => Misbehaviour<Exchange>;
  /** A misbehaviour before anything was done. */
  readonly beforeCommit: (description: string, act: (exchange: Exchange) => Done) => Misbehaviour<Exchange>;
}

/** The row builders for one transport. */
export function rowBuilders<Exchange>(): RowBuilders<Exchange> {
  return {
    afterCommit: (description, act) => ({ description, commits: true, act }),
    beforeCommit: (description, act) => ({ description, commits: false, act }),
  };
}
