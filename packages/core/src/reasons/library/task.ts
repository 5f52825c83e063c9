import { milliseconds, name, reason } from "./define.ts";

/** No task of that id. */
export const not_found = reason("task/not_found", "not_found", "No such task[: {taskId}].", { taskId: name });
/** The task ended in a failure. */
export const failed = reason("task/failed", "internal", "The task[ {taskId}] failed[: {reason}].", { taskId: name, reason: name });
/** The task was cancelled. */
export const cancelled = reason("task/cancelled", "cancelled", "The task[ {taskId}] was cancelled.", { taskId: name });
/** The task did not end in time. */
export const timeout = reason("task/timeout", "timeout", "The task[ {taskId}] did not end in time[ (limit: {timeoutMs})].", { taskId: name, timeoutMs: milliseconds });
