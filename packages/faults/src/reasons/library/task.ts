import { defineLibraryReason, milliseconds, name } from "./define.ts";

/** No task of that id. */
export const not_found = defineLibraryReason("task/not_found", {
  kind: "not_found",
  text: "No such task[: {taskId}].",
  slots: { taskId: name },
});

/** The task ended in a failure. */
export const failed = defineLibraryReason("task/failed", {
  kind: "internal",
  text: "The task[ {taskId}] failed[: {reason}].",
  slots: { taskId: name, reason: name },
});

/** The task was cancelled. */
export const cancelled = defineLibraryReason("task/cancelled", {
  kind: "cancelled",
  text: "The task[ {taskId}] was cancelled.",
  slots: { taskId: name },
});

/** The task did not end in time. */
export const timeout = defineLibraryReason("task/timeout", {
  kind: "timeout",
  text: "The task[ {taskId}] did not end in time[ (limit: {timeoutMs})].",
  slots: { taskId: name, timeoutMs: milliseconds },
});
