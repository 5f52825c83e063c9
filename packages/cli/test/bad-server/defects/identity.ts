import type { Defect } from "../defect.ts";
import { callsUnknown, errorOf, findsNothing, namesAtLength, namesFive, resultOf } from "./calls.ts";
import { errorReply, nameIn } from "./replies.ts";

/** Servers whose failures cannot be told apart by a program. */
export const IDENTITY = {
  "code-integer": { on: "both", change: errorOf(namesFive, { code: "wrong_name" }) },
  "code-reserved": { on: "both", change: errorOf(namesFive, { code: -32050 }) },
  "code-legacy-range": { on: "both", change: errorOf(namesFive, { code: -32005 }) },
  "code-process": {
    on: "both",
    also: { "leak-runtime-text": "the number alone could be a code of the author" },
    change: errorOf(namesAtLength, { code: 127, message: "Command failed: find-tool" }),
  },
  "unknown-tool-code": { on: "both", change: errorOf(callsUnknown, { code: -32601 }) },
  "unknown-method-code": {
    on: "both",
    answer: (incoming) =>
      incoming.method === "recourse/probe"
        ? errorReply(incoming, -32600, "This method is not known.", { status: 404 })
        : undefined,
  },
  "invalid-params-code": { on: "both", change: errorOf(namesFive, { code: -32603 }) },
  "failure-machine-readable": { on: "both", change: resultOf(findsNothing, ({ _meta, ...result }) => result) },
  "message-says-something": { on: "both", change: errorOf(namesAtLength, { message: "Error in callTool:" }) },
  "message-sentence": {
    on: "both",
    change: errorOf(namesFive, { message: 'Wrong parameters: [{"code":"invalid_type","path":["name"]}]' }),
  },
  "message-prefix": {
    on: "both",
    change: errorOf(namesFive, { message: "MCP error -32602: The name of the tool must be a string." }),
  },
  "unknown-tool-suggests": {
    on: "both",
    change: (message, incoming) => {
      const isMisspelt = callsUnknown(incoming) && nameIn(incoming).startsWith("find_ite");
      const error = { code: -32602, message: "This tool is not known." };
      return isMisspelt && message["error"] !== undefined ? { ...message, error } : message;
    },
  },
} as const satisfies Record<string, Defect>;
