import type { Fault } from "@recourse/faults";

/** What to do about each status; two have the same number and differ by reason. */
const HOW_TO_FIX: Readonly<Record<string, string>> = {
  "rest/workspace_missing": "Pass the id of one of the workspaces as workspace.",
  400: "Read errors and correct the fields that it flags.",
  401: "Check the Authorization header, or make a new key.",
  403: "Use a key that has access to the workspace and may do this.",
  404: "Check the id; where the key spans several workspaces, pass the right one as workspace.",
  422: "Look at its state, and change that first.",
  500: "Try again; if it stays so, contact support with the request id.",
};

/** How many seconds a caller should wait. */
export function waitOf({ retry }: Fault): number | undefined {
  return retry?.afterMs === undefined ? undefined : Math.ceil(retry.afterMs / 1_000);
}

/** What the caller should do about a failure, in a sentence that a model can follow. */
export function howToFix(fault: Fault, status: number): string | undefined {
  const wait = waitOf(fault);
  if (wait !== undefined) return `Send the same request again after ${wait} s.`;
  return HOW_TO_FIX[fault.reason] ?? HOW_TO_FIX[status];
}
