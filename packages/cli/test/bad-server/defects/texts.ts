import { objectAt, stringAt } from "@recourse/core/wire";
import type { Change, Defect, Incoming } from "../defect.ts";
import {
  argumentsIn,
  asksWarehouse,
  callsUnknown,
  errorOf,
  errorReply,
  findsNothing,
  findsWrongly,
  nameIn,
  namesAtLength,
  namesFive,
  resultOf,
  says,
  searches,
  withError,
  withResult,
} from "./replies.ts";

/** Servers that give something away. */
export const LEAK = {
  "leak-stack": {
    on: "both",
    change: says(findsNothing, "There is no such item.\n    at findItem (find-item.js:12:9)"),
  },
  "leak-credential": {
    on: "both",
    change: says(findsNothing, "mongodb://shop:s3cr3t-Pa55@db.example.com/items has no such item."),
  },
  // Only a process that the probe starts has the planted variable.
  "leak-environment": {
    on: "stdio",
    change: says(searches, (said, incoming) => `${said} ${incoming?.program?.env["RECOURSE_PROBE_CANARY"] ?? ""}`),
  },
  "leak-path": { on: "both", change: says(findsNothing, "There is no such item in /home/ada/shop/items.json.") },
  "leak-network": { on: "both", change: says(asksWarehouse, "The warehouse at 10.0.0.5:5432 does not answer.") },
  "leak-sql": { on: "both", change: says(findsNothing, "No row for SELECT id, price FROM items.") },
  "leak-runtime-text": {
    on: "both",
    change: says(findsNothing, "Cannot read properties of undefined (reading 'price')"),
  },
  "leak-echo-secret": {
    on: "both",
    change: says(searches, (said, incoming) => {
      const { limit } = argumentsIn(incoming);
      return typeof limit === "string" && limit.startsWith("sk-") ? `${said} You sent ${limit}.` : said;
    }),
  },
} as const satisfies Record<string, Defect>;

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

const ONE_FOR_ALL = "The call did not succeed.";

/** Both changes, one after the other. */
function both(first: Change, second: Change): Change {
  return (message, incoming) => {
    const changed = first(message, incoming);
    return changed === undefined ? undefined : second(changed, incoming);
  };
}

let calls = 0;

/** Servers that answer the same in other words, or other things in the same. */
export const CONSISTENCY = {
  "failures-differ": {
    on: "both",
    change: both(errorOf(callsUnknown, { message: ONE_FOR_ALL }), says(asksWarehouse, ONE_FOR_ALL)),
  },
  // Wrong types are sent twice, one after the other.
  "stable-identity": {
    on: "both",
    change: says(findsWrongly, (said) => {
      calls += 1;
      return calls % 2 === 0 ? `${said} Look at the tool's description.` : said;
    }),
  },
  "prototype-names": {
    on: "both",
    change: errorOf((incoming) => callsUnknown(incoming) && nameIn(incoming) === "constructor", {
      message: "This tool is disabled.",
    }),
  },
} as const satisfies Record<string, Defect>;

/** Repeats the name of a tool in the refusal. */
function repeatsName(isMeant: (name: string) => boolean): Change {
  return (message, incoming) => {
    const name = nameIn(incoming);
    const said = stringAt(objectAt(message, "error"), "message");
    return said !== undefined && isMeant(name)
      ? withError(message, { message: `${said} You asked for ${name}.` })
      : message;
  };
}

function isUtf8({ bytes }: Incoming): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Servers with long answers, or odd characters in them. */
export const SIZE = {
  "echo-bounded": { on: "both", change: repeatsName((name) => name.length > 2_000) },
  "echo-control": { on: "both", change: repeatsName((name) => name.includes("\u001b")) },
  "error-size": {
    on: "both",
    change: (message, incoming) =>
      findsNothing(incoming)
        ? withResult(message, (result) => ({
            ...result,
            content: [{ type: "text", text: `There is no such item. ${"Look at the other shelves. ".repeat(200)}` }],
          }))
        : message,
  },
  "body-limit": {
    on: "http",
    answer: ({ bytes }) =>
      bytes.length > 5_000_000
        ? { text: "The body is too long.", status: 413, headers: { "content-type": "text/plain" } }
        : undefined,
  },
  "utf8-refused": {
    on: "both",
    answer: (incoming) =>
      isUtf8(incoming) ? undefined : errorReply(incoming, -32602, 'There is no tool "recourse-probe-\ufffd".'),
  },
} as const satisfies Record<string, Defect>;
