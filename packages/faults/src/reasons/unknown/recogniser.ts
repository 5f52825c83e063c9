import type { Fault } from "../../fault/fault.ts";
import type { Rest } from "../sparing.ts";

/** Builds the fault that a well-known error stands for. */
export type Build = (rest: Rest) => Fault;

/** Looks at one foreign value and tells what it stands for, by class and code, never by its text. */
export type Recogniser = (value: unknown) => Build | undefined;

/** A reason that needs no params, as a build function. */
export function plain(reason: { fault(params?: undefined, rest?: Rest): Fault }): Build {
  return (rest) => reason.fault(undefined, rest);
}
