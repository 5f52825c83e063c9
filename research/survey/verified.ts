// Every critical and high finding on servers that are not ours: the recorded answer of the clearest exchange was read.

/** `true: …` says what was answered. `false: …` says why the finding is wrong. By server and check. */
export const VERIFIED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "SDK 1, http, bare": {
    "leak-stack": "true: 400 with an HTML page of Express: SyntaxError … at parse (…/body-parser/lib/types/json.js)",
    "http-origin": "true: 200 to Origin https://recourse-probe.invalid",
  },
  "SDK 2, http, bare": { "http-origin": "true: 200 to a foreign Origin" },
  "FastMCP, stdio, bare": { "unknown-tool-code": "true: -32601 Unknown tool" },
  "FastMCP, http, bare": {
    "unknown-tool-code": "true: -32601 Unknown tool",
    "http-origin": "true: 200 to a foreign Origin",
  },
  "FastMCP, stdio, guardTool": { "unknown-tool-code": "true: -32601 Unknown tool; guardTool guards tools only" },
  everything: { "leak-environment": "true: get-env returns the whole environment, on purpose" },
  "everything, guarded": {
    "leak-environment": "true: get-env returns the whole environment, on purpose; no guard changes a success",
  },
  "everything, http": {
    "session-404": "true: 400 to an unknown session",
    "http-origin": "true: 200 to a foreign Origin",
  },
  postgres: { "unknown-tool-code": "true: -32603 Unknown tool" },
  "dbhub, http": { "leak-stack": "true: a page of Express with the stack trace of body-parser" },
  commands: { "unknown-tool-code": "true: -32603 Unknown tool" },
  firecrawl: { "unknown-tool-code": "true: -32601 Unknown tool" },
  playwright: {
    "failures-differ": "true: an unknown tool is answered with the failure of the browser's start",
  },
  notion: {
    "unknown-tool-code": "true: -32603 Method recourse-probe-value not found",
  },
  kubernetes: {
    "unknown-tool-code": "true: -32600 Unknown tool",
    "args-refused": "true: showCurrent, a boolean, was sent as a text, and the contexts were listed",
  },
  "antv-chart": { "unknown-tool-code": "true: -32601 Unknown tool: recourse-probe-value." },
  github: { "unknown-tool-code": "true: -32603 Unknown tool: recourse-probe-value" },
  fetch: { "unknown-tool-code": "true: -32603 Tool not found: recourse-probe-value" },
  tavily: { "unknown-tool-code": "true: -32601 Unknown tool: recourse-probe-value" },
  elasticsearch: { "stdout-clean": 'true: log lines on stdout: {"name":"elastic-otel-node","level":30,…}' },
  time: { "stdout-clean": 'true: "Starting Time MCP server..." on stdout' },
  "figma, http": {
    "http-no-5xx": "true: 500 Internal server error to broken JSON",
    "http-origin": "true: 200 to a foreign Origin",
  },
};
