import type { Effect } from "@recourse/core";
import type { TableReason } from "@recourse/core/dialects";
import type { ConnectionCause, ConnectionCauseId, FailureActor } from "../data/causes.ts";

/** What a rule knows better than the page of the cause, because the text names it. */
export type CauseWords = Partial<Pick<ConnectionCause, "title" | "because" | "fix" | "code">>;

/** What a form means. */
export interface RuleMeaning {
  /** The cause, for failures of set-up and connection. @default none */
  readonly cause?: ConnectionCauseId;
  /** The reason, for failures of a call. @default none */
  readonly reason?: TableReason;
  /** Values for the slots of the reason. @default none */
  readonly params?: (groups: Groups) => Readonly<Record<string, unknown>>;
  /** Whether the call took effect. @default the effect of the reason, or none for a cause */
  readonly effect?: Effect;
  /** Who has to act. @default the actor of the cause */
  readonly actor?: FailureActor;
  /** Words made from the groups of the pattern. @default the words of the cause */
  readonly say?: (groups: Groups) => CauseWords;
  /** Whether the form is so general that it may mean something else. @default false */
  readonly isGuess?: boolean;
}

/** One form in which a failure is written in texts of programs. */
export interface PasteRule extends RuleMeaning {
  /** Searched anywhere in the text. It must be linear. */
  readonly pattern: RegExp;
  /** A text that has this as well means something else. @default none */
  readonly unless?: RegExp;
  /**
   * The reason if a tool wrote the text: then the connection to the server works, and what failed is behind the tool.
   * @default the rule does not count in the text of a tool
   */
  readonly inTool?: TableReason | "same";
  /**
   * What it means if the text says that the handshake failed, so that no call was sent.
   * @default the same, with the effect `none`
   */
  readonly inHandshake?: RuleMeaning;
}

/** The groups of a pattern, cleaned and without secrets. A group that did not take part is undefined. */
export type Groups = readonly (string | undefined)[];

/** The first group that took part. */
export function firstGroup(groups: Groups): string | undefined {
  return groups.find((group) => group !== undefined && group !== "");
}
