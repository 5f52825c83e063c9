import { stringAt } from "@recourse/faults/internal-do-not-use";
import type { Defect, Incoming } from "../defect.ts";
import { argumentsIn, errorReply, nameIn, resultReply, withError } from "./replies.ts";

const readsUnknown = (incoming: Incoming | undefined): boolean =>
  incoming?.method === "resources/read" && (stringAt(incoming.params, "uri") ?? "").includes("recourse-probe-missing");

/** Servers with wrong answers about resources, prompts and completions that do not exist. */
export const RESOURCES = {
  "resource-not-found-code": {
    on: "both",
    change: (message, incoming) => (readsUnknown(incoming) ? withError(message, { code: -32603 }) : message),
  },
  "resource-failure-channel": {
    on: "both",
    answer: (incoming) => (readsUnknown(incoming) ? resultReply(incoming, { contents: [] }) : undefined),
  },
  "prompt-not-found-code": {
    on: "both",
    answer: (incoming) =>
      nameIn(incoming) === "recourse-probe-missing" &&
      incoming.method === "prompts/get" &&
      incoming.params["arguments"] === undefined
        ? errorReply(incoming, -32603, "The prompt cannot be shown.")
        : undefined,
  },
  "prompt-argument-code": {
    on: "both",
    answer: (incoming) =>
      nameIn(incoming) === "describe_item" && argumentsIn(incoming)["item"] === undefined
        ? errorReply(incoming, -32603, "The prompt cannot be shown.")
        : undefined,
  },
  "completion-ref-code": {
    on: "both",
    answer: (incoming) =>
      incoming.method === "completion/complete" ? errorReply(incoming, -32603, "Nothing can be completed.") : undefined,
  },
} as const satisfies Record<string, Defect>;
