// Finds every failure in several lines, grouped as `recourse decode` groups them.
import { CONNECTION_CAUSES, explainBriefly, groupFailures, type LoggedGroup } from "@recourse/explain";

/** Failures with the same cause in a text. */
export interface FailureInLog {
  readonly title: string;
  readonly count: number;
  /** The reason or the cause. Undefined for an answer that says success. */
  readonly id?: string;
  /** The number of the line in which the first one begins. */
  readonly line: number;
  readonly firstAt?: string;
  readonly lastAt?: string;
  /** The lines of the first one, which say more than the group. */
  readonly text: string;
}

/** The failures in a text, the most frequent first. */
export async function findFailures(text: string): Promise<readonly FailureInLog[]> {
  const lines = text.split(/\r?\n/);
  const { groups } = await groupFailures(text);
  return groups.map((group) => describe(group, lines.slice(group.line - 1, group.lastLine).join("\n")));
}

function describe({ failure, count, line, firstAt, lastAt }: LoggedGroup, text: string): FailureInLog {
  const { fault, cause, named = fault } = failure;
  const id = cause ?? named?.reason;
  const title =
    cause !== undefined
      ? CONNECTION_CAUSES[cause].title
      : named === undefined
        ? "A failure, sent as a success"
        : (explainBriefly(named)?.title ?? named.reason);
  return {
    title,
    count,
    line,
    text,
    ...(id !== undefined && { id }),
    ...(firstAt !== undefined && { firstAt }),
    ...(lastAt !== undefined && { lastAt }),
  };
}
