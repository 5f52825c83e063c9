import { hash } from "node:crypto";
import { NewestMap } from "@recourse/core/wire";

/** What a caller learned about a failed task. */
interface ToldFailure {
  /** The id of the incident; undefined if it was not an incident. */
  readonly incident: string | undefined;
  /** ISO time. */
  readonly at: string | undefined;
}

/** So many failures are remembered; the oldest are forgotten. */
export const MAX_TOLD = 10_000;

/**
 * The failures of tasks that were reported to callers. A caller that asks again gets the same answer, and it is not a
 * new incident.
 */
export class ToldFailures {
  readonly #told = new NewestMap<string, ToldFailure>(MAX_TOLD);

  /** What its caller learned about a task, by the id that the caller knows. */
  find(taskId: string): ToldFailure | undefined {
    return this.#told.get(hash("sha256", taskId, "base64"));
  }

  /** Remembers what was reported about a task. */
  add(taskId: string, told: ToldFailure): void {
    this.#told.set(hash("sha256", taskId, "base64"), told);
  }
}
