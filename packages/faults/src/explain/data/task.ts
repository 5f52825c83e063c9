import type * as task from "../../reasons/library/task.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `task`. */
export const taskDocs = {
  not_found: {
    title: "Task not found",
    causes: [
      "The id is mistyped or belongs to another server or user.",
      "The task ended and was cleared away after its lifetime.",
      "The server was restarted and forgot its tasks.",
    ],
    remedies: [
      "Choose the id of a task that exists: list the tasks first.",
      "Look at the effect of the task itself before starting a new one.",
      "Fetch results within the lifetime that the server states.",
    ],
    severity: "info",
    codes: [
      { system: "erlmcp", code: "-32081" },
      { system: "erlmcp", code: "1095", note: "The same under a positive number, from its experimental features." },
    ],
  },
  failed: {
    title: "Task failed",
    causes: [
      "Something that the task depends on failed.",
      "The code of the task threw.",
      "The server was stopped while the task ran.",
    ],
    remedies: [
      "The operator finds the cause under the incident id.",
      "Look at what the task has already done before starting it again.",
      "Tell the user; the task does not go on by itself.",
    ],
    severity: "error",
    codes: [{ system: "erlmcp", code: "-32083" }],
  },
  cancelled: {
    title: "Task cancelled",
    causes: ["The user or the host cancelled the task.", "The server ended it when it was shut down."],
    remedies: [
      "Nobody has to act: it was ended on purpose.",
      "Look at the state: a part of the work may have been done.",
      "Start a new task only if the user asks for it.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32084" }],
  },
  timeout: {
    title: "Task did not end in time",
    causes: [
      "The work takes longer than the limit of the task.",
      "The task waits for something that does not come.",
      "The server is under load.",
    ],
    remedies: [
      "The engine starts it again only where that does no harm; otherwise look at what was done.",
      "Split the work into smaller tasks, or raise the limit.",
      "The operator checks what the task was waiting for.",
    ],
    severity: "error",
    codes: [{ system: "erlmcp", code: "-32085" }],
  },
} as const satisfies Record<keyof typeof task, ReasonDoc>;
