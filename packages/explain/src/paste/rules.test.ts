import { describe, expect, it } from "vitest";
import { matchRule, type PasteRuleId, TEXT_RULES } from "./match.ts";
import { readFailure } from "./read-failure.ts";

/** For each rule a form that a program writes, and a sentence near to it that means something else. */
const CASES: Readonly<Record<PasteRuleId, readonly [form: string, trap: string]>> = {
  "tool-names": [
    "400 Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64",
    "The tool name is shown in the list",
  ],
  "too-many-tools": [
    "Invalid 'tools': array too long. Expected an array with maximum length 128",
    "There are 40 tools, which is fine",
  ],
  "tool-schema": [
    "API Error: 400 tools.31.custom.input_schema: JSON schema is invalid.",
    "Error: the input_schema file was read",
  ],
  "result-too-long": [
    'MCP tool "browser_snapshot" response (53105 tokens) exceeds maximum allowed tokens (25000).',
    "The response of 5000 bytes took longer than expected",
  ],
  "context-length": ["prompt is too long: 207313 tokens > 200000 maximum", "Error: the prompt is empty"],
  "model-api": [
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    "Error: the method is overloaded twice",
  ],
  "no-structured-content": [
    "Tool x has an output schema but no structured content was provided",
    "Error: the tool has an output schema",
  ],
  "output-invalid": [
    "fastmcp.exceptions.ToolError: Output validation error: 'hello' is not of type 'array'",
    "Error: the output of the validation was written to a file",
  ],
  "arguments-as-text": [
    '"received": "string", "path": ["params", "arguments"]',
    '"received": "string", "path": ["params", "name"]',
  ],
  "unknown-id": ["Error: Received a response for an unknown message ID: 5", "Error: unknown user id"],
  "tool-not-found": [
    "Error: No such tool available: mcp__github__create_issue",
    "Error: the page about tools was not found",
  ],
  "config-file": [
    "There was an error reading or parsing claude_desktop_config.json: Unexpected token",
    "Error: spawn node ENOENT (from config.json)",
  ],
  "registry-unreachable": [
    "npm ERR! code ECONNRESET\nnpm ERR! network This is a problem related to network connectivity.",
    "Error: connect ECONNRESET while the tool fetched https://registry.example",
  ],
  "docker-daemon": [
    "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
    "Error: docker run failed with code 1",
  ],
  "docker-image": [
    "docker: Error response from daemon: pull access denied for mcp/none, repository does not exist",
    "Error: access denied for the image gallery",
  ],
  "env-interpreter": ["env: 'node': No such file or directory", "Error: env: staging"],
  "spawn-einval": ["Error: spawn EINVAL", "Error: setsockopt EINVAL"],
  "spawn-denied": ["Error: spawn /usr/local/bin/server EACCES", "Error: EACCES: permission denied, open '/etc/x'"],
  "working-folder": [
    "Error: ENOENT: process.chdir ENOENT no such file or directory, chdir '/x' -> '/y' chdir ENOENT",
    "Error: the working directory is clean",
  ],
  "spawn-not-found": ["Error: spawn uvx ENOENT", "Error: spawn of salmon was not seen"],
  "uv-spawn": ["error: Failed to spawn: `mysql_mcp_server`", "Error: Failed to spawn a worker"],
  "command-not-found": ["bash: npx: command not found", "Error: session: not found"],
  "program-not-found": [
    "FileNotFoundError: [Errno 2] No such file or directory: 'uvx'",
    "FileNotFoundError: [Errno 2] No such file or directory: 'data.json'",
  ],
  "npx-question": [
    'npm error npx canceled due to missing packages and no YES option: ["x@1.0.0"]',
    "Error: there is no option for YES men",
  ],
  "package-without-program": [
    "npm error could not determine executable to run",
    "Error: could not determine the weather",
  ],
  "package-not-found": ["npm ERR! code E404", "Error: HTTP 404 at /mcp"],
  "old-node": ["ReferenceError: ReadableStream is not defined", "ReferenceError: myVariable is not defined"],
  "native-part": [
    "Error: The module 'better_sqlite3.node' was compiled against a different Node.js version",
    "Error: the module was compiled",
  ],
  "python-version": ["No solution found when resolving tool dependencies", "Error: no solution found for the equation"],
  "missing-module": ["ModuleNotFoundError: No module named 'mcp'", "Error: the module is named mcp"],
  "missing-script": ['npm error Missing script: "start:mcp"', "Error: the script of the film is missing"],
  "out-of-memory": [
    "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
    "Error: out of stock",
  ],
  "port-in-use": ["Error: listen EADDRINUSE: address already in use :::3000", "Error: the e-mail address is in use"],
  "no-space": ["OSError: [Errno 28] No space left on device", "Error: no space in the name is allowed"],
  "file-denied": ["Error: EPERM: operation not permitted, mkdir '/data'", "Error: permission denied for table users"],
  "missing-setting": [
    "Error: GITHUB_PERSONAL_ACCESS_TOKEN environment variable is required",
    "Error [ERR_INVALID_ARG_TYPE] must be set",
  ],
  "missing-settings": ["Error: API key not configured", "Error: the key of the map"],
  "wrong-option": ["error: unexpected argument '--foo' found", "Error: unexpected end of file"],
  "usage-text": ["usage: server.py [-h] --db DB", "Error: memory usage: 90 %"],
  "exit-127": ["Process exited with code 127", "Process exited with code 1270"],
  "exit-126": ["Process exited with code 126", "Process exited with code 12"],
  certificate: ["Error: self-signed certificate in certificate chain", "Error: the birth certificate is missing"],
  "not-tls": ["ssl3_get_record:wrong version number", "Error: wrong number of versions"],
  "not-http": ["400 Client sent an HTTP request to an HTTPS server.", "Error: the client sent a request"],
  "proxy-sign-in": ["Error: 407 Proxy Authentication Required", "Error: line 407 of proxy.ts"],
  cors: [
    "Access to fetch at 'http://localhost:3000/mcp' has been blocked by CORS policy",
    "Error: the road is blocked by a policy",
  ],
  "service-refused": ["Error: connect ECONNREFUSED 127.0.0.1:5432", "Error: connect ECONNREFUSED 127.0.0.1:54321"],
  "service-socket": ["Error: connect ENOENT /var/run/docker.sock", "Error: spawn /usr/bin/docker ENOENT"],
  refused: ["dial tcp 127.0.0.1:8080: connect: connection refused", "Error: the offer was refused"],
  "unknown-name": ["Error: getaddrinfo ENOTFOUND mcp.example", "Error: the name is unknown to me"],
  "no-route": ["Error: connect EHOSTUNREACH 10.0.0.9:80", "Error: no route matches /users"],
  "redirect-address": [
    "Client registration request includes an invalid redirect_uri",
    "Error: the redirect was followed to another uri",
  ],
  "client-registration": [
    "Incompatible auth server: does not support dynamic client registration",
    "Error: the registration of the car failed",
  ],
  "sign-in-metadata": [
    "HTTP 401 trying to load well-known OAuth metadata",
    "Error: the metadata of the picture is missing",
  ],
  "token-refused": [
    '{"error":"invalid_token","error_description":"The access token expired"}',
    "Error: Unexpected token in expression",
  ],
  "sign-in-waits": [
    "[32815] Waiting for authentication from the server on port 3334...",
    "Error: another instance is handling the orders on port 3334",
  ],
  "sign-in-state": ["Invalid state parameter. Please try again.", "Error: invalid state: the order is closed"],
  "sign-in-failed": ['{"error":"invalid_grant"}', "Error: the grant of the foundation is invalid"],
  "missing-session-parameter": [
    "Error POSTing to endpoint (HTTP 404): Missing sessionId parameter",
    "Error: missing name parameter",
  ],
  "missing-session-header": [
    "Bad Request: Mcp-Session-Id header is required",
    "Error: a header is required in the table",
  ],
  session: ['{"error":{"code":-32600,"message":"Session not found"}}', "Error: login session expired"],
  "java-session": ["HttpClientSseClientTransport - Error sending message: 404", "Error sending message: 404"],
  accept: ["Not Acceptable: Client must accept text/event-stream", "Error: this is not an acceptable name"],
  "content-type-header": [
    "Unsupported Media Type: Content-Type must be application/json",
    "Error: the media type was unsupported by law",
  ],
  "host-header": ['"POST /mcp HTTP/1.1" 421 Misdirected Request', "Error: the host was invalid for the party"],
  initialization: ["Received request before initialization was complete", "Error: variable x is not initialized"],
  "handshake-not-understood": [
    'expect initialized request, but received: Some(Request(JsonRpcRequest { method: "initialize" }))',
    "expect initialized request, but received: tools/list",
  ],
  "client-not-ready": ["failed to list tools: client not initialized", "Bad Request: Server not initialized"],
  "unknown-event": [
    "McpError: Received unrecognized SSE event type: null",
    "Error: the event has an unrecognized type",
  ],
  "endpoint-event": ["McpError: Failed to wait for the message endpoint", "Error: this endpoint has no message"],
  "get-refused": ["Failed to open SSE stream: Method Not Allowed", "Error: SSE stream opened"],
  "post-refused": ["Error POSTing to endpoint (HTTP 405): Method Not Allowed", "Error: took 405 ms"],
  cloudflare: ["<title>Just a moment...</title>", "Error: wait just a moment"],
  "web-page": [
    "Streamable HTTP error: Unexpected content type: text/html; charset=utf-8",
    "Error: the html file was saved",
  ],
  "other-content": ["Unexpected content type: text/plain", "Error: the content is unexpected"],
  upstream: ["upstream connect error or disconnect/reset before headers", "Error: the upstream branch is gone"],
  "version-header": [
    "Server's protocol version is not supported: 2025-06-18",
    "Error: this version of the document is not supported",
  ],
  "too-large": ["HTTP Error 413: Payload Too Large", "Error: the payload of the rocket"],
  "rate-limit": ["Error: Too Many Requests", "Error: the rate of exchange"],
  "stdout-json": ["Unexpected token 'Y', \"YouTube MC\"... is not valid JSON", "Error: unexpected token in template"],
  "message-invalid": ["1 validation error for JSONRPCMessage", "Error: 1 validation error in the form"],
  "wrong-arguments": ["Invalid arguments for tool search: []", "Error: the arguments in the debate"],
  "method-not-found": ["MCP error -32601: Method not found", "Error: the method is described in the paper"],
  capability: ["McpError: Server does not provide tools capability", "Error: it does not support me"],
  "start-timeout": ['MCP server "github" connection timed out after 30000ms', "Database connection timed out"],
  timeout: [
    "McpError: Timed out while waiting for response to ClientRequest. Waited 5.0 seconds.",
    "Error: set the timeout option first",
  ],
  "command-not-found-words": [
    "'npx' 不是内部或外部命令，也不是可运行的程序或批处理文件。",
    "Der Befehl npx wurde gefunden",
  ],
  "refused-words": ["curl: (7) Échec: Connexion refusée", "Die Verbindung ist gut, das Angebot wurde abgelehnt"],
  "file-denied-words": ["bash: /opt/server/run.sh: Keine Berechtigung", "Sie brauchen keine Berechtigung dafür"],
  "rate-limit-words": [
    '{"error":{"code":"1302","message":"您的账户已达到速率限制，请您控制请求频率"}}',
    "请求已成功，速率为 5 MB/s",
  ],
  "timeout-words": ["Error: 请求超时", "请在配置中修改超时时间"],
  "denied-words": ["Fehler: Zugriff verweigert", "Der Zugriff ist erlaubt"],
  "not-found-words": ["Fehler: Datensatz nicht gefunden", "Der Datensatz wurde gefunden"],
  cancelled: ["AbortError: This operation was aborted", "Error: the flight is cancelled for fog"],
  "stream-cut": ["Error: SSE stream disconnected: TypeError: terminated", "Error: the contract was terminated"],
  "broken-pipe": ["Error: write EPIPE", "Error: the pipe in the kitchen"],
  reset: ["Error: socket hang up", "Error: reset the password"],
  "fetch-failed": ["TypeError: fetch failed", "Error: git fetch origin"],
  "uncaught-error": [
    "TypeError: Cannot read properties of undefined (reading 'map')",
    "Error: a type error in the form",
  ],
  panic: ["panic: runtime error: invalid memory address or nil pointer dereference", "Error: do not panic: it is fine"],
  "bare-enoent": ["Error: MCP server failed to start: ENOENT", "Error: MCP server failed to start"],
  "exit-zero": ["Process exited with code 0", "Process exited with code 10"],
  "exit-code": ["Connection state: Error Process exited with code 1", "Error: the exit is on the left"],
  "not-connected": ["Error: Not connected", "Error: these facts are connected"],
  "connection-closed": ["Error MCP error -32000: Connection closed", "Error: the shop is closed"],
  "handshake-silent": [
    "[info] Waiting for server to respond to `initialize` request...",
    "[info] Waiting for the user to initialize the project",
  ],
  "connect-failed": ["Failed to reconnect to github.", "Error: the dots cannot be connected here"],
  "task-group": ["unhandled errors in a TaskGroup (1 sub-exception)", "Error: the task group meets at noon"],
};

describe("rules for pasted texts", () => {
  it.each(Object.entries(CASES))("%s recognises its form", (id, [text]) => {
    expect(readFailure(text)).toMatchObject({ found: true, rule: id });
  });

  it.each(Object.entries(CASES))("%s does not recognise its trap", (id, [, trap]) => {
    const { pattern, unless } = TEXT_RULES[id as PasteRuleId];
    expect(pattern.test(trap) && unless?.test(trap) !== true, trap).toBe(false);
  });

  it("has no rule without a cause and a reason", () => {
    const useless = Object.entries(TEXT_RULES).filter(
      ([, { cause, reason }]) => cause === undefined && reason === undefined,
    );
    expect(useless).toEqual([]);
  });

  it("looks at the general rules only after the telling ones", () => {
    expect(matchRule("Error: spawn uvx ENOENT", { isTool: false, stage: "general" })?.id).toBe("bare-enoent");
    expect(matchRule("Error: spawn uvx ENOENT", { isTool: false, stage: "telling" })?.id).toBe("spawn-not-found");
    expect(matchRule("Error: spawn uvx ENOENT", { isTool: true, stage: "telling" })).toBeUndefined();
  });
});
