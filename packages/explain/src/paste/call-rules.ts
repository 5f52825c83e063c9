import { core, protocol, tool, transport } from "@recourse/core/reasons";
// What hosts, model APIs and SDKs write about tools, calls and messages.

import { firstGroup, type PasteRule, type RuleMeaning } from "./rule.ts";

/** Rules about the requests that a host sends to its model. They are read first: such a message quotes others. */
export const MODEL_API_RULES = {
  // The host has the answer, so the tool ran.
  "result-too-long": {
    pattern:
      /\b(?:response|result|output|answer|content)\b[^\n\d]{0,20}\d[\d,.]{0,12}k? ?(?:tokens|characters|chars|bytes)\)?[^\n]{0,20}\b(?:exceed(?:s|ed)?|too (?:long|large|big)|(?:over|above) the (?:limit|maximum))\b|(?:tool|mcp)[^\n]{0,60}(?:result|response|output)[^\n]{0,40}(?:too (?:long|large)|exceeds)/i,
    reason: tool.result_too_large,
    inTool: "same",
    effect: "applied",
    say: () => ({
      because: "The tool ran and answered, and its answer is longer than the host hands on to the model.",
      fix: "Ask the tool for less, with a filter, a limit or page by page, or raise the limit of your host (Claude Code: `MAX_MCP_OUTPUT_TOKENS`).",
    }),
  },
  "tool-names": {
    pattern:
      /\btools\.\d{1,4}\.(?:\w{1,60}\.){0,4}name\b|\btools\[\d{1,4}\](?:\.\w{1,60}){0,4}\.name\b|(?:tool|function)s? names? (?:must|should|cannot|(?:may|can) only|is too long|exceeds)|(?:tool|function)_?name[^\n]{0,80}(?:too long|maximum length|pattern|at most 64|exceeds)|tool name\b[^\n]{0,130}(?:invalid|not valid)|Tool names must be unique|duplicate (?:tool|function)(?: name| declaration)/i,
    cause: "D70",
    say: () => ({ title: "The host or the model API refuses the name of a tool" }),
  },
  "too-many-tools": {
    pattern:
      /too many tools|(?:maximum|max|limit)[^\n]{0,30}(?:number of )?tools\b|\btools\b[^\n]{0,40}(?:exceeds?|over) (?:the )?(?:maximum|limit|total)|Invalid 'tools': array too long|exceeding total tools limit|more than \d{2,4} tools/i,
    cause: "D70",
    say: () => ({ title: "There are too many tools for the host or model" }),
  },
  "tool-schema": {
    pattern:
      /\btools\.\d{1,4}\.(?:\w{1,60}\.){0,4}(?:input_schema|parameters)\b|\binput_schema\b[^\n]{0,160}(?:invalid|must|not supported|does not support|required)|Invalid schema for function '?([\w.-]{0,100})|function_declarations\[\d{1,4}\]|tools\[\d{1,4}\]\.(?:function\.)?parameters|JSON schema is invalid|(?:tool|function) (?:parameters|schema)[^\n]{0,80}(?:invalid|not supported|must be)|tool parameters array type must have items|Invalid (?:tool|input) ?schema|can't resolve reference #\/|schema[^\n]{0,40}does not support (?:oneOf|anyOf|allOf)/i,
    cause: "D63",
    say: (groups) => {
      const tool = firstGroup(groups);
      return tool === undefined ? {} : { title: `The model API refuses the schema of the tool "${tool}"` };
    },
  },
  "context-length": {
    pattern:
      /prompt is too long|context_length_exceeded|maximum context length|context window|input is too long|input length and `?max_tokens`? exceed|too many tokens|exceeds the maximum number of tokens/i,
    cause: "D71",
  },
  "model-api": {
    pattern:
      /overloaded_error|insufficient_quota|credit balance is too low|invalid x-api-key|Incorrect API key provided|model_not_found|not_found_error[^\n]{0,40}model|billing_hard_limit|RESOURCE_EXHAUSTED|API Error: (?:401|402|403|429|500|529)\b/i,
    cause: "D76",
  },
} as const satisfies Record<string, PasteRule>;

/** Rules about messages of the protocol. */
export const MESSAGE_RULES = {
  "no-structured-content": {
    pattern:
      /has an output schema but|outputSchema defined but no structured output|structured content (?:was|is) (?:required|missing)|no structured (?:content|output)/i,
    cause: "D64",
    reason: tool.output_invalid,
    inTool: "same",
  },
  "output-invalid": {
    pattern:
      /\bOutput validation error\b|\bstructured (?:content|output) does not match (?:the )?(?:tool's )?output schema\b/i,
    cause: "D64",
    reason: tool.output_invalid,
    inTool: "same",
    say: () => ({
      title: "The result of the tool does not fit its output schema",
      because:
        "The tool ran, and the data that it returned does not have the form that its `outputSchema` declares. Your arguments are not the reason.",
      fix: "Update the server; as its author, return `structuredContent` that fits the `outputSchema`, or correct the schema.",
    }),
  },
  "arguments-as-text": {
    pattern:
      /"received": ?"string",\s{0,40}"path": ?\[\s{0,40}"params",\s{0,40}"arguments"\s{0,40}\]|params\.arguments\s{1,10}Input should be a valid dictionary|arguments (?:must|should) be (?:an? )?(?:object|dictionary)[^\n]{0,40}(?:string|str)\b|"path": ?\[\s{0,40}"params",\s{0,40}"arguments"\s{0,40}\],\s{0,40}"message": ?"[^"\n]{0,60}received string/i,
    cause: "D65",
    reason: protocol.malformed_call,
    inTool: "same",
  },
  "unknown-id": {
    pattern:
      /response for an unknown (?:message|request) ?id|unknown (?:message|request) id|Received a progress notification for an unknown token/i,
    cause: "D74",
  },
  "tool-not-found": {
    pattern:
      /\bNo such tool(?: available)?:? [`'"]?([\w./:-]{1,128})|\bUnknown tool:? [`'"]?([\w./:-]{1,128})|\bTool [`'"]?([\w./:-]{1,128})[`'"]? (?:is |was )?(?:not found|not available|not registered|does not exist|disabled|unknown)|\btool not found:? [`'"]?([\w./:-]{1,128})|\bno tool (?:named|called|with name) [`'"]?([\w./:-]{1,128})|tool "([^"\n]{1,128})" (?:is )?not (?:found|available)/i,
    reason: tool.not_found,
    params: (groups) => ({ tool: firstGroup(groups)?.replace(/[:.]$/, "") }),
    inTool: "same",
    say: () => ({
      fix: "Choose a name from the server's tool list; if it should be there, reload the server in your host, since its list may have changed.",
    }),
  },
} as const satisfies Record<string, PasteRule>;

/** No answer came to the handshake. Nothing was called. */
const START_TIMEOUT = {
  pattern:
    /(?:\b(?:mcp|server|client)\b[^\n]{0,60}\bconnect(?:ion|ing)?|initiali[sz]\w{1,8}|handshake|start(?:ing|up)?|launch\w{0,3})\b[^\n]{0,80}\b(?:timed? ?out|timeout)\b|\b(?:timed? ?out|timeout)\b[^\n]{0,60}\b(?:initiali[sz]\w{1,8}|to (?:start|connect)|connecting|handshake|MCP server|startup)|MCP client for [^\n]{1,100}timed out/i,
  unless: /ETIMEDOUT|Connect ?Timeout/,
  cause: "D13",
  say: () => ({
    title: "The server did not answer the handshake in time",
    because:
      "It starts slowly (a first download can take minutes), waits for something, or is not an MCP server on this transport.",
    fix: "Start the command once in a terminal, so that downloads are done, then raise the start limit of your host.",
    code: "recourse doctor --timeout 60 <url | command…>",
  }),
} as const satisfies PasteRule;

/** Rules about calls whose words are general. A status in the same text counts before them. */
export const CALL_RULES = {
  "stdout-json": {
    pattern:
      /Unexpected token [^\n]{1,60}(?:is not valid JSON|in JSON at position \d)|Unexpected non-whitespace character after JSON|invalid character '[^'\n]{1,6}' (?:looking for|after|in)|Failed to parse (?:JSON-?RPC )?message|Invalid JSON: (?:expected|trailing)|JSONDecodeError|Expecting value: line 1 column 1|not valid JSON-?RPC|JsonParseException|Unrecognized token '|Unexpected number in JSON|serde error expected value|No number after minus sign in JSON|Expected (?:property name|',' or)[^\n]{0,60}in JSON/i,
    cause: "D10",
    reason: protocol.invalid_result,
    inTool: "same",
    effect: "possible",
    say: () => ({
      because:
        "A line on stdout is not a JSON-RPC message: stdout belongs to the protocol, and a banner, a log line or a script runner writes there too.",
      fix: "Update the server, or start it without a script runner such as `npm run`; as its author, write logs to stderr.",
    }),
  },
  "message-invalid": {
    pattern:
      /validation errors? for (?:JSONRPC\w{0,30}|ClientRequest|ServerRequest|ServerResult|ServerNotification|ClientNotification|InitializeResult|ListToolsResult|CallToolResult|Tool\b)|"code": ?"(?:invalid_union|unrecognized_keys)"|Unrecognized key\(s\) in object|Unknown message type|Failed to validate (?:notification|request|message|response)|not a valid JSON-?RPC (?:message|request|response)|Invalid (?:JSON-?RPC )?message received/i,
    cause: "D75",
    reason: protocol.invalid_result,
    isGuess: true,
    effect: "possible",
  },
  "wrong-arguments": {
    pattern:
      /Invalid arguments for (?:tool|function) [`'"]?([\w./:-]{1,128})|validation errors? for (?:call\[)?([\w.]{1,100}?)(?:Arguments|\]|\n)|Input validation error|missing \d{1,3} required (?:positional|keyword-only) arguments?|got an unexpected keyword argument|Missing required (?:argument|parameter|property|field)|must have required property|Field required \[type=missing/i,
    reason: tool.invalid_arguments,
    params: (groups) => ({ tool: firstGroup(groups)?.replace(/[:.]$/, "") }),
    inTool: "same",
  },
  // Words alone do not prove that nothing was done before the limit was reached. The status 429 does.
  "rate-limit": {
    pattern: /\brate.?limit|\btoo many requests\b/i,
    reason: core.rate_limited,
    inTool: "same",
    effect: "possible",
    isGuess: true,
  },
  "method-not-found": {
    pattern:
      /-32601|\bMethod not found\b|(?:does not support|not supported)[^\n]{0,40}\b(?:prompts|resources|tools|logging|completions?|sampling|elicitation|roots)\b/i,
    reason: protocol.method_not_found,
    say: () => ({
      because: "The client asked for something that this server does not have, such as prompts or resources.",
      fix: "Nothing to do if your host only asked for prompts or resources and the tools work; otherwise update the older side.",
    }),
  },
  capability: {
    pattern:
      /(?:Server|Client) does not (?:support|provide) (?:[\w/-]{1,40}|\([^)\n]{1,60}\))|capability[^\n]{0,30}not (?:supported|declared)/i,
    reason: protocol.capability_not_supported,
  },
  "start-timeout": START_TIMEOUT,
  timeout: {
    pattern:
      /\btimed[ -]?out\b|\bTimeoutError\b|\b(?:Read|Write|Pool)Timeout\b|context deadline exceeded|deadline (?:has )?(?:elapsed|exceeded)|\b(?:ETIMEDOUT|ESOCKETTIMEDOUT)\b|HEADERS_TIMEOUT|Headers Timeout Error|TimeoutException|\brequest timeout\b|timeout of \d{1,9} ?ms exceeded|Timed out while waiting|\bmaximum total timeout\b/i,
    reason: core.timeout,
    inTool: "same",
    inHandshake: START_TIMEOUT,
    say: () => ({
      because:
        "The client stopped waiting: the server, or a service behind it, was too slow or is stuck. The call may still be carried out.",
      fix: "Check whether the call took effect before you repeat it; then raise the time limit of your client, or ask for less at once.",
    }),
  },
  cancelled: {
    pattern:
      /\bAbortError\b|operation was aborted|\brequest (?:was )?(?:cancell?ed|aborted)\b|CancelledError|context canceled|\b(?:tool call|call|operation) (?:was )?cancell?ed\b|user (?:rejected|cancell?ed|aborted|declined)/i,
    reason: core.cancelled,
    inTool: "same",
  },
} as const satisfies Record<string, PasteRule>;

/** The connection was closed before the handshake was answered. */
const ENDED_EARLY: RuleMeaning = {
  cause: "D67",
  reason: transport.not_connected,
  say: () => ({
    title: "The server ended, or closed the connection, before it answered the handshake",
    because: "The program failed while it started. The reason is in what it wrote to stderr before.",
  }),
};

/** Rules about wrappers: they say that something failed, and not why. They are read last. */
export const WRAPPER_RULES = {
  "not-connected": {
    pattern:
      /\bnot connected\b|\bNo active transport\b|\bNo (?:MCP )?(?:servers?|connections?) (?:found|configured|available)|\bNo (?:MCP )?(?:server|client) (?:info(?:rmation)?|instance|connection|transport) (?:was )?(?:found|available)|\bNo connection found for server|(?:MCP )?server [`'"]?[\w./@-]{1,100}[`'"]? (?:is )?(?:not (?:found|connected|running|configured|available)|does not exist)|Client is closed|Client (?:has been|was) closed|transport (?:is )?not (?:started|connected)/i,
    cause: "D72",
    reason: transport.not_connected,
  },
  "connection-closed": {
    pattern:
      /\bConnection closed\b|\bServer disconnected\b|transport (?:was )?closed|server (?:process )?(?:exited|crashed|stopped|terminated|died)\b|process (?:has )?exited|exiting early|could not attach to (?:MCP )?server|stdio[^\n]{0,30}closed|CONNECTION_CLOSED|Client closed|connection (?:was )?(?:lost|dropped)|failed to start\b|Server (?:failed|could not be) start|stdout closed|channel closed|stream closed unexpectedly|: EOF(?=["'\s}\]]{0,4}$)/im,
    cause: "D67",
    reason: transport.connection_lost,
    effect: "possible",
    inHandshake: ENDED_EARLY,
  },
  "handshake-silent": {
    pattern:
      /\bwait(?:ing|ed)\b[^\n]{0,60}\b(?:respond|response|answer|reply)\b[^\n]{0,30}\binitiali[sz]|\bno (?:response|answer|reply)\b[^\n]{0,20}\binitiali[sz]/i,
    unless: /\bDiscovered \d{1,5} tools/,
    cause: START_TIMEOUT.cause,
    isGuess: true,
    say: START_TIMEOUT.say,
  },
  "connect-failed": {
    pattern: /\b(?:failed|unable|could not|cannot|error) (?:to )?(?:re)?connect(?:ing)?\b/i,
    unless: /TaskGroup|ExceptionGroup/,
    cause: "D72",
    reason: transport.not_connected,
    isGuess: true,
  },
  "task-group": { pattern: /unhandled errors in a TaskGroup|ExceptionGroup|BaseExceptionGroup/, cause: "D66" },
} as const satisfies Record<string, PasteRule>;
