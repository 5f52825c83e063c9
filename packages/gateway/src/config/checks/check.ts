import type { Path } from "../problem.ts";
import type { RawConfig } from "../raw.ts";

/** Options that contradict each other, or that have no effect. */
export interface Finding {
  readonly level: "problem" | "warning";
  /** The option to look at. */
  readonly path: Path;
  readonly message: string;
  readonly fix: string;
}

/** Tells whether an option stands in the file, whatever is wrong with it. */
export type IsWritten = (...path: readonly (string | number)[]) => boolean;

/** One check. It sees only options that the schema accepts; `isWritten` tells the others from missing ones. */
export type Check = (raw: RawConfig, isWritten: IsWritten) => Iterable<Finding>;

/** A finding that keeps the gateway from starting. */
export const problem = (path: Path, message: string, fix: string): Finding => ({
  level: "problem",
  path,
  message,
  fix,
});

/** A finding that does not. */
export const warning = (path: Path, message: string, fix: string): Finding => ({
  level: "warning",
  path,
  message,
  fix,
});
