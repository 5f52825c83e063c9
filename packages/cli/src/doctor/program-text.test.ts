import { expect, test } from "vitest";
import { findErrorLine, lastLines, readStdout } from "./program-text.ts";

const NODE = `node:internal/modules/cjs/loader:1433
  throw err;
  ^

Error: Cannot find module '/srv/dist/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1430:15)
    at node:internal/main/run_main_module:36:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.21.0
`;
const HEAP = `
<--- Last few GCs --->

[42:0x2b7c0d000]      803 ms: Mark-Compact 19.4 (22.7) -> 19.3 (23.0) MB
<--- JS stacktrace --->

FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
----- Native stack trace -----

 1: 0xe13fde node::OOMErrorHandler(char const*, v8::OOMDetails const&) [node]
`;
const PYTHON = `Traceback (most recent call last):
  File "/srv/server.py", line 3, in <module>
    import mcp
ModuleNotFoundError: No module named 'mcp'
`;
const NPM = `npm error code E404
npm error 404 Not Found - GET https://registry.example.com/nope - Not found
npm error A complete log of this run can be found in: /home/a/.npm/_logs/x-debug-0.log
`;
const WARNINGS = `(node:12) ExperimentalWarning: SQLite is an experimental feature
(Use \`node --trace-warnings ...\` to show where the warning was created)
Shop is up
`;

test.for([
  ["Node", NODE, "Error: Cannot find module '/srv/dist/server.js'"],
  ["a full heap", HEAP, "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"],
  ["Python", PYTHON, "ModuleNotFoundError: No module named 'mcp'"],
  ["npm", NPM, "npm error 404 Not Found - GET https://registry.example.com/nope - Not found"],
  ["warnings", WARNINGS, "Shop is up"],
  [
    "an error with a code",
    "TypeError [ERR_INVALID_ARG_TYPE]: The argument\n    at f (x.js:1:2)",
    "TypeError [ERR_INVALID_ARG_TYPE]: The argument",
  ],
  ["Windows line ends", "first\r\nfatal: second\r\nthird\r\n", "fatal: second"],
] as const)("the line that says why is found in the text of %s", ([, stderr, line]) => {
  expect(findErrorLine(stderr)).toBe(line);
});

test("nothing is found where nothing was said", () => {
  expect(findErrorLine("")).toBeUndefined();
  expect(findErrorLine("Node.js v24.21.0\n")).toBeUndefined();
  expect(lastLines(WARNINGS)).toEqual(["Shop is up"]);
});

const MESSAGE = '{"jsonrpc":"2.0","id":1,"result":{}}';

test.for([
  ["clean lines", `${MESSAGE}\n\r\n${MESSAGE}\r\n`, 2, [], undefined],
  ["a banner", `hello\n${MESSAGE}\n`, 1, ["hello"], undefined],
  ["a log line in JSON", `{"level":30,"msg":"up"}\n${MESSAGE}\n`, 1, ['{"level":30,"msg":"up"}'], undefined],
  ["an unfinished line after a message", `${MESSAGE}\n{"jsonrpc"`, 1, [], undefined],
  ["no newline", MESSAGE, 0, [], "no-newline"],
  ["a byte order mark", `\ufeff${MESSAGE}\n`, 0, [`\ufeff${MESSAGE}`], "byte-order-mark"],
  ["headers", `Content-Length: 36\r\n\r\n${MESSAGE}`, 0, ["Content-Length: 36\r"], "content-length"],
  ["nothing", "", 0, [], undefined],
] as const)("%s", ([, text, messages, strayLines, framing]) => {
  const read = readStdout(text);
  expect(read.messages).toHaveLength(messages);
  expect(read.strayLines).toEqual(strayLines);
  expect(read.framing).toBe(framing);
});

test("one message over several lines", () => {
  expect(readStdout(`${JSON.stringify(JSON.parse(MESSAGE), undefined, 2)}\n`).framing).toBe("several-lines");
});
