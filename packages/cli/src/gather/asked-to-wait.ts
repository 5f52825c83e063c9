import { memberAt, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Answer } from "../recording/recording.ts";

/** A probe does not wait longer than this for a rate. */
const MAX_WAIT_MS = 5_000;

/** How long a server asks to wait, where it refuses a request because of its rate; undefined where it does not, or asks too much. */
export function askedToWaitMs(answer: Answer): number | undefined {
  if (answer.kind !== "message" && answer.kind !== "body") return undefined;
  const waitMs = headerMs(answer) ?? (answer.kind === "message" ? faultMs(answer.message) : undefined);
  return waitMs === undefined || waitMs > MAX_WAIT_MS ? undefined : waitMs;
}

function headerMs({ http }: Extract<Answer, { readonly kind: "message" | "body" }>): number | undefined {
  const seconds = http?.status === 429 ? http.headers["retry-after"] : undefined;
  return seconds !== undefined && /^\d{1,3}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}

const FAULT = "recourse/fault";

function faultMs(message: unknown): number | undefined {
  const data = objectAt(objectAt(message, "error"), "data");
  const meta = objectAt(objectAt(message, "result"), "_meta");
  const fault = memberAt(data, FAULT) ?? memberAt(meta, FAULT);
  const waitMs = stringAt(fault, "kind") === "rate_limited" ? memberAt(objectAt(fault, "retry"), "afterMs") : undefined;
  return typeof waitMs === "number" ? waitMs : undefined;
}
