import { memberAt } from "@recourse/wire";
import type { DialectCodes } from "./dialect.ts";

/** The published codes of a dialect: the reason of each code, as you keep them in a JSON file. */
export type PublishedCodes = Readonly<Record<string, string>>;

/** A published code that no longer means what it meant. */
export interface CodeProblem {
  /** The code, as it was published. */
  readonly code: string;
  /**
   * What happened to it.
   * - `renumbered`: its reason has another code now.
   * - `reused`: it stands for another reason now.
   * - `removed`: it stands for nothing now.
   */
  readonly problem: "renumbered" | "reused" | "removed";
  /** A sentence for the person who reads the failed test. */
  readonly message: string;
}

/** What changed since the codes were published. */
export interface CodeChanges {
  /** Published codes that no longer mean what they meant. Programs that know the old meaning would misread them. */
  readonly problems: readonly CodeProblem[];
  /** Codes that are not published yet. Add them to the file. */
  readonly added: PublishedCodes;
}

/** A dialect whose codes can be checked. */
export interface DialectWithCodes {
  /** Name of the dialect. */
  readonly name: string;
  /** The codes of the system. @default none */
  readonly codes?: Pick<DialectCodes, "published">;
}

/**
 * Compares the codes of a dialect with those that you published, so that a test fails when a code is renumbered, reused or
 * removed. To retire a code for good, name it in `retired` of your extension and take it out of the file.
 *
 * @example
 * import published from "./published-codes.json" with { type: "json" };
 *
 * const { problems, added } = checkPublishedCodes(acme, published);
 * expect(problems).toEqual([]);
 * expect(added).toEqual({}); // new codes: write { ...published, ...added } to the file
 */
export function checkPublishedCodes(dialect: DialectWithCodes, published: PublishedCodes): CodeChanges {
  const now = dialect.codes?.published() ?? {};
  const problems = Object.entries(published)
    .filter(([code, reason]) => memberAt(now, code) !== reason)
    .map(([code, reason]): CodeProblem => {
      const about = `${dialect.name}: code ${code} was published for ${reason}`;
      const meaning = memberAt(now, code);
      if (meaning !== undefined) return { code, problem: "reused", message: `${about} and now means ${meaning}.` };
      const moved = Object.keys(now).find((other) => now[other] === reason && memberAt(published, other) !== reason);
      if (moved !== undefined) return { code, problem: "renumbered", message: `${about}, which is now ${moved}.` };
      return { code, problem: "removed", message: `${about} and is gone.` };
    });
  const added = Object.entries(now).filter(([code]) => !Object.hasOwn(published, code));
  return { problems, added: Object.fromEntries(added) };
}
