import { objectAt, stringAt } from "@recourse/core/wire";
import type { Change, Incoming, Seed } from "../defect.ts";
import {
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
  resultReply,
  says,
  searches,
  withError,
} from "./replies.ts";

/** The key that the probe was given for this server, as the server sees it. */
function givenKey(incoming: Incoming | undefined): string {
  return incoming?.http?.request.headers.get("x-api-key") ?? incoming?.program?.env["SHOP_API_KEY"] ?? "";
}

/** Servers that give something away. */
const LEAK_SEEDS = {
  "leak-stack/python": {
    finds: "leak-stack",
    on: "both",
    also: { "leak-runtime-text": "The last line is the text of the runtime." },
    change: says(findsNothing, 'Traceback (most recent call last):\n  File "find.py", line 12, in find\nKeyError: 4'),
  },
  "leak-stack/java": {
    finds: "leak-stack",
    on: "both",
    change: says(findsNothing, "There is no such item.\n\tat com.shop.Items.find(Items.java:42)"),
  },
  "leak-stack/go": {
    finds: "leak-stack",
    on: "both",
    change: says(findsNothing, "There is no such item.\n\ngoroutine 1 [running]:\nmain.find(0x1)\n\tmain.go:12 +0x1d"),
  },
  "leak-stack/dotnet": {
    finds: "leak-stack",
    on: "both",
    change: says(findsNothing, "There is no such item.\n   at Shop.Items.Find(String item) in Items.cs:line 12"),
  },
  "leak-stack/rust": {
    finds: "leak-stack",
    on: "both",
    change: says(findsNothing, "thread 'main' panicked at src/items.rs:12:9:\nno such item"),
  },
  "leak-stack/error-data": {
    finds: "leak-stack",
    on: "both",
    change: errorOf(callsUnknown, { data: { stack: "Error: unknown\n    at callTool (server.js:4:11)" } }),
  },
  "leak-credential/in-data": {
    finds: "leak-credential",
    on: "both",
    change: resultOf(findsNothing, (result) => ({
      ...result,
      _meta: { "shop/source": { dsn: "postgres://shop:s3cr3t-Pa55@db.example.com/items" } },
    })),
  },
  "leak-credential/bearer": {
    finds: "leak-credential",
    on: "both",
    change: says(
      findsNothing,
      "The stock service refused Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLW9mLWFkYQ",
    ),
  },
  "leak-credential/given-key": {
    finds: "leak-credential",
    on: "stdio",
    key: true,
    change: says(findsNothing, (said, incoming) => `${said} Looked with ${givenKey(incoming)}.`),
  },
  "leak-credential/given-key-in-result": {
    finds: "leak-credential",
    on: "stdio",
    key: true,
    change: says(searches, (said, incoming) => `${said} (${givenKey(incoming)})`),
  },
  "leak-credential/given-key-on-stderr": {
    finds: "leak-credential",
    on: "stdio",
    key: true,
    starts: ({ env, stderr }) => void stderr.write(`shop uses the key ${env["SHOP_API_KEY"]}\n`),
  },
  "leak-credential/given-key-on-stdout": {
    finds: "leak-credential",
    on: "stdio",
    key: true,
    also: { "stdout-clean": "The line is no message." },
    starts: ({ env, stdout }) => void stdout.write(`shop uses the key ${env["SHOP_API_KEY"]}\n`),
  },
  "leak-credential/given-header": {
    finds: "leak-credential",
    on: "http",
    key: true,
    change: (message, incoming) => {
      const said = stringAt(objectAt(message, "error"), "message") ?? "";
      return callsUnknown(incoming) ? withError(message, { message: `${said} (${givenKey(incoming)})` }) : message;
    },
  },
  "leak-credential/token-in-metadata": {
    finds: "leak-credential",
    on: "http",
    auth: true,
    change: resultOf(findsNothing, (result, incoming) => ({
      ...result,
      _meta: { "shop/request": { token: incoming?.http?.request.headers.get("authorization") } },
    })),
  },
  "leak-environment/in-failure": {
    finds: "leak-environment",
    on: "stdio",
    change: says(findsNothing, (said, incoming) => `${said} ${incoming?.program?.env["RECOURSE_PROBE_CANARY"] ?? ""}`),
  },
  "leak-path/windows": {
    finds: "leak-path",
    on: "both",
    change: says(findsNothing, "There is no such item in C:\\Users\\ada\\shop\\items.json."),
  },
  "leak-path/file-url": {
    finds: "leak-path",
    on: "both",
    change: says(findsNothing, "There is no such item in file:///srv/shop/items.mjs."),
  },
  "leak-network/localhost": {
    finds: "leak-network",
    on: "both",
    change: says(asksWarehouse, "The warehouse at localhost:5433 does not answer."),
  },
  "leak-network/cluster": {
    finds: "leak-network",
    on: "both",
    change: says(asksWarehouse, "The warehouse at stock.shop.svc.cluster.local does not answer."),
  },
  "leak-sql/insert": {
    finds: "leak-sql",
    on: "both",
    change: says(findsNothing, "Nothing was found. INSERT INTO searches (item, at) VALUES ($1, now())"),
  },
  "leak-sql/update": {
    finds: "leak-sql",
    on: "both",
    change: says(findsNothing, "Nothing was found. UPDATE items SET seen = seen + 1 WHERE name = $1"),
  },
  "leak-runtime-text/network": {
    finds: "leak-runtime-text",
    on: "both",
    change: says(asksWarehouse, "connect ECONNREFUSED"),
  },
  "leak-runtime-text/python": {
    finds: "leak-runtime-text",
    on: "both",
    change: says(findsNothing, "'NoneType' object has no attribute 'price'"),
  },
  "leak-runtime-text/go": {
    finds: "leak-runtime-text",
    on: "both",
    change: says(findsNothing, "runtime error: invalid memory address or nil pointer dereference"),
  },
} as const satisfies Record<string, Seed>;

const ALIKE = "Something went wrong with this call.";
let calls = 0;

const changesCode: Change = (message, incoming) => {
  if (!callsUnknown(incoming)) return message;
  calls += 1;
  return errorOf(callsUnknown, { code: calls % 2 === 0 ? -32602 : -32600 })(message, incoming);
};

/** Servers whose failures say too little, or not what they are. */
const IDENTITY_SEEDS = {
  "code-integer/text": { finds: "code-integer", on: "both", change: errorOf(namesFive, { code: "-32602" }) },
  "code-integer/fraction": {
    finds: "code-integer",
    on: "both",
    also: { "invalid-params-code": "It is another code, too." },
    change: errorOf(namesFive, { code: 1.5 }),
  },
  "code-reserved/server": {
    finds: "code-reserved",
    on: "both",
    shows: ["long-tool-name"],
    change: errorOf(namesAtLength, { code: -32099 }),
  },
  "unknown-tool-code/internal": {
    finds: "unknown-tool-code",
    on: "both",
    also: { "invalid-params-code": "Malformed calls name tools that do not exist." },
    change: errorOf(callsUnknown, { code: -32603 }),
  },
  "unknown-method-code/success": {
    finds: "unknown-method-code",
    on: "both",
    answer: (incoming) => (incoming.method === "recourse/probe" ? resultReply(incoming, {}) : undefined),
  },
  "unknown-method-code/internal": {
    finds: "unknown-method-code",
    on: "both",
    answer: (incoming) =>
      incoming.method === "recourse/probe"
        ? errorReply(incoming, -32603, "This method is not known.", { status: 404 })
        : undefined,
  },
  "invalid-params-code/cursor": {
    finds: "invalid-params-code",
    on: "both",
    answer: (incoming) =>
      incoming.params["cursor"] === 12 ? errorReply(incoming, -32603, "The cursor cannot be read.") : undefined,
  },
  "message-says-something/undefined": {
    finds: "message-says-something",
    on: "both",
    change: says(findsNothing, "undefined"),
  },
  "message-says-something/object": {
    finds: "message-says-something",
    on: "both",
    change: says(findsNothing, "Error: [object Object]"),
  },
  "message-says-something/failed-undefined": {
    finds: "message-says-something",
    on: "both",
    change: says(findsNothing, "Failed: undefined"),
  },
  "message-prefix/tool": {
    finds: "message-prefix",
    on: "both",
    change: says(findsNothing, "MCP error -32000: There is no such item."),
  },
  "failure-machine-readable/warehouse": {
    finds: "failure-machine-readable",
    on: "both",
    also: { "retry-hint": "The hint is in the data." },
    change: resultOf(asksWarehouse, ({ _meta, ...result }) => result),
  },
  "unknown-tool-refused/empty": {
    finds: "unknown-tool-refused",
    on: "both",
    answer: (incoming) =>
      callsUnknown(incoming) ? resultReply(incoming, { content: [], resultType: "complete" }) : undefined,
  },
  "unknown-tool-refused/marked-false": {
    finds: "unknown-tool-refused",
    on: "both",
    answer: (incoming) =>
      callsUnknown(incoming)
        ? resultReply(incoming, {
            content: [{ type: "text", text: "This shop has no such tool." }],
            isError: false,
            resultType: "complete",
          })
        : undefined,
  },
  "failures-differ/wrong-arguments": {
    finds: "failures-differ",
    on: "both",
    shows: ["wrong-arguments"],
    also: {
      "args-name-field": "The sentence is the same for everything.",
      "args-say-expected": "The sentence is the same for everything.",
    },
    change: (message, incoming) => {
      const changed = errorOf(callsUnknown, { message: ALIKE })(message, incoming);
      return changed === undefined ? undefined : says(findsWrongly, ALIKE)(changed, incoming);
    },
  },
  "stable-identity/code": {
    finds: "stable-identity",
    on: "both",
    also: {
      "unknown-tool-code": "One of the codes is another one.",
      "prototype-names": "The code changes from call to call.",
    },
    change: changesCode,
  },
  "echo-control/newline": {
    finds: "echo-control",
    on: "both",
    answer: (incoming) =>
      nameIn(incoming).includes("\u202e")
        ? errorReply(incoming, -32602, `There is no tool "${nameIn(incoming).replaceAll("\u001b", "")}".`)
        : undefined,
  },
  "error-size/list": {
    finds: "error-size",
    on: "both",
    change: says(findsNothing, `There is no such item. The shop has ${"a lamp, a chair and a table, ".repeat(200)}`),
  },
  "error-size/error": {
    finds: "error-size",
    on: "both",
    shows: ["malformed-params"],
    change: errorOf(namesFive, { message: `The name must be a string. ${"Look at the list of tools. ".repeat(200)}` }),
  },
} as const satisfies Record<string, Seed>;

/** Other forms of defects in texts. */
export const TEXT_SEEDS: Readonly<Record<string, Seed>> = { ...LEAK_SEEDS, ...IDENTITY_SEEDS };
