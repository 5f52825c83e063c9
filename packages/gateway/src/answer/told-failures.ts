import { hash } from "node:crypto";

/** What was told about a failed task. */
interface ToldFailure {
  /** The id of the incident; undefined where it was none. */
  readonly incident: string | undefined;
  /** ISO time. */
  readonly at: string | undefined;
}

/** So many failures are remembered; the oldest are forgotten. */
export const MAX_TOLD = 10_000;

/** The failures of tasks that callers were told of: who asks again is told the same, and it is no new incident. */
export class ToldFailures {
  readonly #told = new Map<string, ToldFailure>();

  /** What was told about a task, by the id that its caller knows. */
  find(taskId: string): ToldFailure | undefined {
    return this.#told.get(hash("sha256", taskId, "base64"));
  }

  /** Remembers what was told about a task. */
  add(taskId: string, told: ToldFailure): void {
    this.#told.set(hash("sha256", taskId, "base64"), told);
    const [oldest] = this.#told.size > MAX_TOLD ? this.#told.keys() : [];
    if (oldest !== undefined) this.#told.delete(oldest);
  }
}
