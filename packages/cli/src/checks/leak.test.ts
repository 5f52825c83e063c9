import { describe, expect, it } from "vitest";
import {
  bodyAnswer,
  type CheckCase,
  exchangeOf,
  OVER_HTTP,
  PLANTED,
  rpcError,
  saysOf,
  silence,
  toolFailure,
  toolSuccess,
} from "../../test/support/make-recording.ts";

type Answer = Parameters<typeof exchangeOf>[1];

const call = (answer: Answer, args = {}) =>
  exchangeOf("valid-call", answer, { tool: "find_item", params: { name: "find_item", arguments: args } });
const failed = (about: string, text: string, says: string): CheckCase => ({
  about,
  exchanges: [call(toolFailure(text))],
  says,
});
const EXPRESS_PAGE =
  "<!DOCTYPE html><html><body><pre>SyntaxError: Expected property name<br> &nbsp; &nbsp;at JSON.parse (&lt;anonymous&gt;)<br> &nbsp; &nbsp;at parse (/srv/app/node_modules/body-parser/lib/types/json.js:96:19)</pre></body></html>";

const CASES: Readonly<Record<string, readonly CheckCase[]>> = {
  "leak-stack": [
    {
      about: "a page of Express",
      exchanges: [exchangeOf("malformed-message", bodyAnswer(400, EXPRESS_PAGE), { variant: "cut" })],
      view: { target: OVER_HTTP },
      says: 'The answer to broken JSON shows a stack trace: "at JSON.parse (<anonymous>)".',
    },
    failed("Node", "Error: x\n    at load (file:///srv/app.js:3:12)", "stack trace"),
    failed("Node without a function", "Error: x\n    at file:///srv/app.js:3:12", "stack trace"),
    failed("Python", 'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in load', "stack trace"),
    failed("Java", "at com.acme.Ledger.post(Ledger.java:42)", "stack trace"),
    failed("Go", "panic\n\ngoroutine 1 [running]:\nmain.go:4 +0x1d", "stack trace"),
    failed("Rust", "thread 'main' panicked at src/main.rs:4:5:", "stack trace"),
    failed("C#", "   at Shop.Find() in C:\\shop\\Find.cs:line 12", "stack trace"),
    {
      about: "data of an error",
      exchanges: [
        call(rpcError(-32603, "Internal error", { data: { stack: "Error: x\n    at load (/srv/a.js:3:12)" } })),
      ],
      says: "stack trace",
    },
    failed("a word", "See the stack trace in the log, at most (5) lines.", "pass"),
    failed("times", "Call again at 10:30:00 (local time).", "pass"),
    { about: "a success", exchanges: [call(toolSuccess("    at load (/srv/a.js:3:12)"))], says: "skipped" },
    { about: "nothing", exchanges: [call(silence())], says: "skipped" },
  ],
  "leak-credential": [
    failed(
      "a password in a URL",
      "Request cannot be constructed from http://report:s3cr3t-Pa55@10.0.0.5/sales",
      "holds a password in a URL.",
    ),
    failed("a token of a provider", `bad key gh${"p_a1b2c3d4e5f6g7h8"}`, "holds a token."),
    failed("a key", "-----BEGIN PRIVATE KEY-----", "holds a key."),
    failed("a header", "sent Authorization: Bearer abc12345defg", "credentials of a request"),
    failed("a member", '{"api_key": "a8f5f167f44f4964"}', "a secret with its name"),
    failed("a placeholder", "Set it to mongodb://<user>:<password>@host or postgres://user:password@host/db.", "pass"),
    failed("an address with a user", "git clone ssh://git@github.com/acme/shop", "pass"),
    failed("a sentence", "The token is expired. The password is required. Use the key user_id2.", "pass"),
    failed("a challenge", 'Send Bearer resource_metadata="https://login.example/x1"', "pass"),
    failed("a cursor", "Invalid cursor eyJwYWdlIjoyfQ1", "pass"),
    failed("a variable", "Set npm_config_registry_2 and hf_transfer_v1_x.", "pass"),
    {
      about: "the echo of made-up credentials",
      exchanges: [exchangeOf("credentials", rpcError(-32001, "got Bearer abc12345defg", { status: 401 }))],
      says: "skipped",
    },
    failed("our bait", `Expected number, received ${PLANTED.bait}`, "pass"),
    { about: "nothing", exchanges: [], says: "skipped" },
  ],
  "leak-environment": [
    {
      about: "a tool on purpose",
      exchanges: [exchangeOf("valid-call", toolSuccess(`PATH=/bin\nX=${PLANTED.canary}`), { tool: "get-env" })],
      says: "A valid call of get-env returns variables of the server's environment.",
    },
    failed("a failure", `spawn failed with { X: '${PLANTED.canary}' }`, "shows a variable of the server's environment"),
    failed("its name alone", `${PLANTED.canaryName} is not set`, "pass"),
    { about: "nothing", exchanges: [call(silence())], says: "skipped" },
  ],
  "leak-path": [
    failed(
      "an absolute path",
      "Chrome is not found at /opt/google/chrome/chrome",
      'shows the path "/opt/google/chrome/chrome"',
    ),
    failed("Windows", "no file C:\\Users\\ada\\shop.db", "shows the path"),
    failed("a package", "in node_modules/express/index.js", "node_modules/express"),
    failed("a shell", "spawn /bin/sh failed, see /dev/null", "pass"),
    {
      about: "a path that was sent",
      exchanges: [call(toolFailure("No file /recourse-probe/value and /tmp/x/y"), { path: "/tmp/x/y" })],
      says: "pass",
    },
    {
      about: "its command line",
      exchanges: [call(toolFailure("outside of /home/ada/files"))],
      view: { target: { command: ["node", "/home/ada/files"] } },
      says: "pass",
    },
    {
      about: "a path that it lists",
      exchanges: [call(toolFailure("not in /home/ada/notes/a.md"))],
      view: { resources: [{ uri: "file:///home/ada/notes/a.md", name: "a" }] },
      says: "pass",
    },
    failed("an example", "Give an absolute path, such as /Users/ada/notes or (e.g. '/home/ada/x').", "pass"),
    failed("a pointer and a route", "/items/0/etc is wrong, see /api/v1/home", "pass"),
    { about: "nothing", exchanges: [], says: "skipped" },
  ],
  "leak-network": [
    failed("a private address", "connect ECONNREFUSED 10.0.0.5:5432", 'internal address "10.0.0.5:5432"'),
    failed("localhost", "connect to localhost:3306", "localhost:3306"),
    failed("a cluster", "orders.shop.svc.cluster.local is down", "orders.shop.svc.cluster.local"),
    {
      about: "the probed host",
      exchanges: [call(toolFailure("see http://127.0.0.1:8080/docs"))],
      view: { target: OVER_HTTP },
      says: "pass",
    },
    {
      about: "a listed address",
      exchanges: [call(toolFailure("no browser at localhost:9222"))],
      view: { tools: [{ name: "open", description: "Needs a browser at localhost:9222" }] },
      says: "pass",
    },
    failed("a public name", "api.github.com does not answer; set it in .env.local or settings.local.json", "pass"),
    failed("an example", "Set the address, for example http://localhost:3000.", "pass"),
    failed("a version and a time", "version 10.0.0.5, at 10:30", "pass"),
    { about: "nothing", exchanges: [], says: "skipped" },
  ],
  "leak-sql": [
    failed("a statement", "syntax error in SELECT id, secret FROM customers WHERE id = 5", "SQL statement"),
    failed("lower case", "failed: insert into orders (id) values (1)", "SQL statement"),
    {
      about: "our own query",
      exchanges: [call(toolFailure("bad query: SELECT a FROM nowhere"), { sql: "SELECT a FROM nowhere" })],
      says: "pass",
    },
    failed("a rule", "Only SELECT statements are allowed; GROUP BY name is not.", "pass"),
    {
      about: "an example that it lists",
      exchanges: [call(toolFailure("Try SELECT * FROM orders"))],
      view: { tools: [{ name: "q", description: "For example SELECT * FROM orders" }] },
      says: "pass",
    },
    { about: "nothing", exchanges: [], says: "skipped" },
  ],
  "leak-runtime-text": [
    ...[
      "Cannot read properties of undefined (reading 'x')",
      "connect ECONNREFUSED",
      "TypeError: fetch failed",
      "Command failed: kubectl",
      "getaddrinfo ENOTFOUND shop",
      "tool.execute is not a function",
      'syntax error at or near "x"',
      "Unexpected token 'p', \"plain\" is not valid JSON",
    ].map((text) => failed(text, text, "words of a runtime")),
    {
      about: "V8 about our own text",
      exchanges: [
        exchangeOf("malformed-message", rpcError(-32700, `Unexpected token 'r', "recourse-p"... is not valid JSON`), {
          variant: "text",
          text: "recourse-probe: this is plain text, not JSON",
        }),
      ],
      says: "words of a runtime",
    },
    failed("our sentence", "The message is not valid JSON.", "pass"),
    failed("an author's sentence", "The warehouse refused the call. Try again in 30 seconds.", "pass"),
    { about: "nothing", exchanges: [], says: "skipped" },
  ],
  "leak-echo-secret": [
    {
      about: "a refusal",
      exchanges: [
        exchangeOf("wrong-arguments", toolFailure(`limit: got ${PLANTED.bait}`), {
          variant: "bait",
          tool: "find_item",
        }),
      ],
      says: "find_item repeats the value that it refused",
    },
    {
      about: "a refusal without it",
      exchanges: [
        exchangeOf("wrong-arguments", toolFailure("limit must be a number"), { variant: "bait", tool: "find_item" }),
      ],
      says: "pass",
    },
    {
      about: "another call",
      exchanges: [exchangeOf("unknown-tool", toolFailure(`no tool ${PLANTED.bait}`))],
      says: "skipped",
    },
  ],
};

describe.each(Object.entries(CASES))("%s", (id, cases) => {
  it.each(cases)("says of $about: $says", (one) => {
    expect(saysOf(id, one)).toContain(one.says);
  });
});
