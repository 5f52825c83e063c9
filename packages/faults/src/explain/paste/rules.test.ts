import { expectCost } from "@recourse/test-kit/yardstick";
import { describe, expect, it } from "vitest";
import { matchRule, type PasteRuleId, TEXT_RULES } from "./match.ts";
import { readFailure } from "./read-failure.ts";

/** A form that a program writes, the program, and a sentence that is near to it and means something else. */
interface RuleCase {
  readonly source: string;
  readonly text: string;
  readonly trap: string;
}

const CASES: Readonly<Record<PasteRuleId, RuleCase>> = {
  "tool-names": {
    source: "OpenAI API",
    text: "400 Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64",
    trap: "The tool name is shown in the list",
  },
  "too-many-tools": {
    source: "OpenAI API",
    text: "Invalid 'tools': array too long. Expected an array with maximum length 128",
    trap: "There are 40 tools, which is fine",
  },
  "tool-schema": {
    source: "claude-code#586",
    text: "API Error: 400 tools.31.custom.input_schema: JSON schema is invalid.",
    trap: "Error: the input_schema file was read",
  },
  "result-too-long": {
    source: "Claude Code",
    text: 'MCP tool "browser_snapshot" response (53105 tokens) exceeds maximum allowed tokens (25000).',
    trap: "The response of 5000 bytes took longer than expected",
  },
  "context-length": {
    source: "Anthropic API",
    text: "prompt is too long: 207313 tokens > 200000 maximum",
    trap: "Error: the prompt is empty",
  },
  "model-api": {
    source: "Anthropic API",
    text: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    trap: "Error: the method is overloaded twice",
  },
  "no-structured-content": {
    source: "remotion#6275",
    text: "Tool x has an output schema but no structured content was provided",
    trap: "Error: the tool has an output schema",
  },
  "output-invalid": {
    source: "fastmcp#3528",
    text: "fastmcp.exceptions.ToolError: Output validation error: 'hello' is not of type 'array'",
    trap: "Error: the output of the validation was written to a file",
  },
  "arguments-as-text": {
    source: "MySQL_MCP#5",
    text: '"received": "string", "path": ["params", "arguments"]',
    trap: '"received": "string", "path": ["params", "name"]',
  },
  "unknown-id": {
    source: "TypeScript SDK",
    text: "Error: Received a response for an unknown message ID: 5",
    trap: "Error: unknown user id",
  },
  "tool-not-found": {
    source: "Claude Code",
    text: "Error: No such tool available: mcp__github__create_issue",
    trap: "Error: the page about tools was not found",
  },
  "config-file": {
    source: "Claude Desktop",
    text: "There was an error reading or parsing claude_desktop_config.json: Unexpected token",
    trap: "Error: spawn node ENOENT (from config.json)",
  },
  "registry-unreachable": {
    source: "mcp-go#245",
    text: "npm ERR! code ECONNRESET\nnpm ERR! network This is a problem related to network connectivity.",
    trap: "Error: connect ECONNRESET while the tool fetched https://registry.example",
  },
  "docker-daemon": {
    source: "Docker",
    text: "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
    trap: "Error: docker run failed with code 1",
  },
  "docker-image": {
    source: "Docker",
    text: "docker: Error response from daemon: pull access denied for mcp/none, repository does not exist",
    trap: "Error: access denied for the image gallery",
  },
  "env-interpreter": {
    source: "coreutils",
    text: "env: 'node': No such file or directory",
    trap: "Error: env: staging",
  },
  "spawn-einval": { source: "Node.js on Windows", text: "Error: spawn EINVAL", trap: "Error: setsockopt EINVAL" },
  "spawn-denied": {
    source: "Node.js",
    text: "Error: spawn /usr/local/bin/server EACCES",
    trap: "Error: EACCES: permission denied, open '/etc/x'",
  },
  "working-folder": {
    source: "Node.js",
    text: "Error: ENOENT: process.chdir ENOENT no such file or directory, chdir '/x' -> '/y' chdir ENOENT",
    trap: "Error: the working directory is clean",
  },
  "spawn-not-found": {
    source: "docker/mcp-servers#6",
    text: "Error: spawn uvx ENOENT",
    trap: "Error: spawn of salmon was not seen",
  },
  "uv-spawn": {
    source: "mysql_mcp#49",
    text: "error: Failed to spawn: `mysql_mcp_server`",
    trap: "Error: Failed to spawn a worker",
  },
  "command-not-found": {
    source: "bash, zsh, cmd.exe",
    text: "bash: npx: command not found",
    trap: "Error: session: not found",
  },
  "program-not-found": {
    source: "Python",
    text: "FileNotFoundError: [Errno 2] No such file or directory: 'uvx'",
    trap: "FileNotFoundError: [Errno 2] No such file or directory: 'data.json'",
  },
  "npx-question": {
    source: "npm",
    text: 'npm error npx canceled due to missing packages and no YES option: ["x@1.0.0"]',
    trap: "Error: there is no option for YES men",
  },
  "package-without-program": {
    source: "npm",
    text: "npm error could not determine executable to run",
    trap: "Error: could not determine the weather",
  },
  "package-not-found": { source: "npm", text: "npm ERR! code E404", trap: "Error: HTTP 404 at /mcp" },
  "old-node": {
    source: "Node.js 16",
    text: "ReferenceError: ReadableStream is not defined",
    trap: "ReferenceError: myVariable is not defined",
  },
  "native-part": {
    source: "Node.js",
    text: "Error: The module 'better_sqlite3.node' was compiled against a different Node.js version",
    trap: "Error: the module was compiled",
  },
  "python-version": {
    source: "uv",
    text: "No solution found when resolving tool dependencies",
    trap: "Error: no solution found for the equation",
  },
  "missing-module": {
    source: "Python",
    text: "ModuleNotFoundError: No module named 'mcp'",
    trap: "Error: the module is named mcp",
  },
  "missing-script": {
    source: "npm",
    text: 'npm error Missing script: "start:mcp"',
    trap: "Error: the script of the film is missing",
  },
  "out-of-memory": {
    source: "V8",
    text: "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
    trap: "Error: out of stock",
  },
  "port-in-use": {
    source: "Node.js",
    text: "Error: listen EADDRINUSE: address already in use :::3000",
    trap: "Error: the e-mail address is in use",
  },
  "no-space": {
    source: "Linux",
    text: "OSError: [Errno 28] No space left on device",
    trap: "Error: no space in the name is allowed",
  },
  "file-denied": {
    source: "Node.js",
    text: "Error: EPERM: operation not permitted, mkdir '/data'",
    trap: "Error: permission denied for table users",
  },
  "missing-setting": {
    source: "server-github",
    text: "Error: GITHUB_PERSONAL_ACCESS_TOKEN environment variable is required",
    trap: "Error [ERR_INVALID_ARG_TYPE] must be set",
  },
  "missing-settings": { source: "servers", text: "Error: API key not configured", trap: "Error: the key of the map" },
  "wrong-option": {
    source: "clap",
    text: "error: unexpected argument '--foo' found",
    trap: "Error: unexpected end of file",
  },
  "usage-text": { source: "argparse", text: "usage: server.py [-h] --db DB", trap: "Error: memory usage: 90 %" },
  "exit-127": { source: "shells", text: "Process exited with code 127", trap: "Process exited with code 1270" },
  "exit-126": { source: "shells", text: "Process exited with code 126", trap: "Process exited with code 12" },
  certificate: {
    source: "Node.js",
    text: "Error: self-signed certificate in certificate chain",
    trap: "Error: the birth certificate is missing",
  },
  "not-tls": {
    source: "OpenSSL",
    text: "ssl3_get_record:wrong version number",
    trap: "Error: wrong number of versions",
  },
  "not-http": {
    source: "Go",
    text: "400 Client sent an HTTP request to an HTTPS server.",
    trap: "Error: the client sent a request",
  },
  "proxy-sign-in": {
    source: "HTTP",
    text: "Error: 407 Proxy Authentication Required",
    trap: "Error: line 407 of proxy.ts",
  },
  cors: {
    source: "Chrome",
    text: "Access to fetch at 'http://localhost:3000/mcp' has been blocked by CORS policy",
    trap: "Error: the road is blocked by a policy",
  },
  "service-refused": {
    source: "Node.js",
    text: "Error: connect ECONNREFUSED 127.0.0.1:5432",
    trap: "Error: connect ECONNREFUSED 127.0.0.1:54321",
  },
  "service-socket": {
    source: "Node.js",
    text: "Error: connect ENOENT /var/run/docker.sock",
    trap: "Error: spawn /usr/bin/docker ENOENT",
  },
  refused: {
    source: "Go",
    text: "dial tcp 127.0.0.1:8080: connect: connection refused",
    trap: "Error: the offer was refused",
  },
  "unknown-name": {
    source: "Node.js",
    text: "Error: getaddrinfo ENOTFOUND mcp.example",
    trap: "Error: the name is unknown to me",
  },
  "no-route": {
    source: "Node.js",
    text: "Error: connect EHOSTUNREACH 10.0.0.9:80",
    trap: "Error: no route matches /users",
  },
  "redirect-address": {
    source: "tripsyapp/cli#8",
    text: "Client registration request includes an invalid redirect_uri",
    trap: "Error: the redirect was followed to another uri",
  },
  "client-registration": {
    source: "mcp-remote#53",
    text: "Incompatible auth server: does not support dynamic client registration",
    trap: "Error: the registration of the car failed",
  },
  "sign-in-metadata": {
    source: "ts-sdk#2783",
    text: "HTTP 401 trying to load well-known OAuth metadata",
    trap: "Error: the metadata of the picture is missing",
  },
  "token-refused": {
    source: "RFC 6750",
    text: '{"error":"invalid_token","error_description":"The access token expired"}',
    trap: "Error: Unexpected token in expression",
  },
  "sign-in-waits": {
    source: "mcp-remote",
    text: "[32815] Waiting for authentication from the server on port 3334...",
    trap: "Error: another instance is handling the orders on port 3334",
  },
  "sign-in-state": {
    source: "claude-code#43081",
    text: "Invalid state parameter. Please try again.",
    trap: "Error: invalid state: the order is closed",
  },
  "sign-in-failed": {
    source: "RFC 6749",
    text: '{"error":"invalid_grant"}',
    trap: "Error: the grant of the foundation is invalid",
  },
  "missing-session-parameter": {
    source: "mcp-remote#196",
    text: "Error POSTing to endpoint (HTTP 404): Missing sessionId parameter",
    trap: "Error: missing name parameter",
  },
  "missing-session-header": {
    source: "TypeScript SDK",
    text: "Bad Request: Mcp-Session-Id header is required",
    trap: "Error: a header is required in the table",
  },
  session: {
    source: "mcphub#742",
    text: '{"error":{"code":-32600,"message":"Session not found"}}',
    trap: "Error: login session expired",
  },
  "java-session": {
    source: "java-sdk#105",
    text: "HttpClientSseClientTransport - Error sending message: 404",
    trap: "Error sending message: 404",
  },
  accept: {
    source: "fastmcp#1664",
    text: "Not Acceptable: Client must accept text/event-stream",
    trap: "Error: this is not an acceptable name",
  },
  "content-type-header": {
    source: "TypeScript SDK",
    text: "Unsupported Media Type: Content-Type must be application/json",
    trap: "Error: the media type was unsupported by law",
  },
  "host-header": {
    source: "python-sdk#1798",
    text: '"POST /mcp HTTP/1.1" 421 Misdirected Request',
    trap: "Error: the host was invalid for the party",
  },
  initialization: {
    source: "Wireshark_mcp#4",
    text: "Received request before initialization was complete",
    trap: "Error: variable x is not initialized",
  },
  "handshake-not-understood": {
    source: "rust-mcp-server#83",
    text: 'expect initialized request, but received: Some(Request(JsonRpcRequest { method: "initialize" }))',
    trap: "expect initialized request, but received: tools/list",
  },
  "client-not-ready": {
    source: "genkit#4299",
    text: "failed to list tools: client not initialized",
    trap: "Bad Request: Server not initialized",
  },
  "unknown-event": {
    source: "Java SDK",
    text: "McpError: Received unrecognized SSE event type: null",
    trap: "Error: the event has an unrecognized type",
  },
  "endpoint-event": {
    source: "spring-ai#3287",
    text: "McpError: Failed to wait for the message endpoint",
    trap: "Error: this endpoint has no message",
  },
  "get-refused": {
    source: "TypeScript SDK",
    text: "Failed to open SSE stream: Method Not Allowed",
    trap: "Error: SSE stream opened",
  },
  "post-refused": {
    source: "mcp-remote#37",
    text: "Error POSTing to endpoint (HTTP 405): Method Not Allowed",
    trap: "Error: took 405 ms",
  },
  cloudflare: { source: "Cloudflare", text: "<title>Just a moment...</title>", trap: "Error: wait just a moment" },
  "web-page": {
    source: "python-sdk#1072",
    text: "Streamable HTTP error: Unexpected content type: text/html; charset=utf-8",
    trap: "Error: the html file was saved",
  },
  "other-content": {
    source: "TypeScript SDK",
    text: "Unexpected content type: text/plain",
    trap: "Error: the content is unexpected",
  },
  upstream: {
    source: "Envoy",
    text: "upstream connect error or disconnect/reset before headers",
    trap: "Error: the upstream branch is gone",
  },
  "version-header": {
    source: "TypeScript SDK",
    text: "Server's protocol version is not supported: 2025-06-18",
    trap: "Error: this version of the document is not supported",
  },
  "too-large": { source: "HTTP", text: "HTTP Error 413: Payload Too Large", trap: "Error: the payload of the rocket" },
  "rate-limit": { source: "HTTP", text: "Error: Too Many Requests", trap: "Error: the rate of exchange" },
  "stdout-json": {
    source: "youtube-mcp#18",
    text: "Unexpected token 'Y', \"YouTube MC\"... is not valid JSON",
    trap: "Error: unexpected token in template",
  },
  "message-invalid": {
    source: "Python SDK",
    text: "1 validation error for JSONRPCMessage",
    trap: "Error: 1 validation error in the form",
  },
  "wrong-arguments": {
    source: "exa#50",
    text: "Invalid arguments for tool search: []",
    trap: "Error: the arguments in the debate",
  },
  "method-not-found": {
    source: "JSON-RPC",
    text: "MCP error -32601: Method not found",
    trap: "Error: the method is described in the paper",
  },
  capability: {
    source: "Java SDK",
    text: "McpError: Server does not provide tools capability",
    trap: "Error: it does not support me",
  },
  "start-timeout": {
    source: "Claude Code",
    text: 'MCP server "github" connection timed out after 30000ms',
    trap: "Database connection timed out",
  },
  timeout: {
    source: "Python SDK",
    text: "McpError: Timed out while waiting for response to ClientRequest. Waited 5.0 seconds.",
    trap: "Error: set the timeout option first",
  },
  "command-not-found-words": {
    source: "cmd.exe",
    text: "'npx' 不是内部或外部命令，也不是可运行的程序或批处理文件。",
    trap: "Der Befehl npx wurde gefunden",
  },
  "refused-words": {
    source: "Linux",
    text: "curl: (7) Échec: Connexion refusée",
    trap: "Die Verbindung ist gut, das Angebot wurde abgelehnt",
  },
  "file-denied-words": {
    source: "Linux",
    text: "bash: /opt/server/run.sh: Keine Berechtigung",
    trap: "Sie brauchen keine Berechtigung dafür",
  },
  "rate-limit-words": {
    source: "GLM-5#151",
    text: '{"error":{"code":"1302","message":"您的账户已达到速率限制，请您控制请求频率"}}',
    trap: "请求已成功，速率为 5 MB/s",
  },
  "timeout-words": { source: "services", text: "Error: 请求超时", trap: "请在配置中修改超时时间" },
  "denied-words": { source: "services", text: "Fehler: Zugriff verweigert", trap: "Der Zugriff ist erlaubt" },
  "not-found-words": {
    source: "services",
    text: "Fehler: Datensatz nicht gefunden",
    trap: "Der Datensatz wurde gefunden",
  },
  cancelled: {
    source: "DOM",
    text: "AbortError: This operation was aborted",
    trap: "Error: the flight is cancelled for fog",
  },
  "stream-cut": {
    source: "gemini-cli#10165",
    text: "Error: SSE stream disconnected: TypeError: terminated",
    trap: "Error: the contract was terminated",
  },
  "broken-pipe": { source: "Node.js", text: "Error: write EPIPE", trap: "Error: the pipe in the kitchen" },
  reset: { source: "Node.js", text: "Error: socket hang up", trap: "Error: reset the password" },
  "fetch-failed": { source: "Node.js", text: "TypeError: fetch failed", trap: "Error: git fetch origin" },
  "uncaught-error": {
    source: "Node.js",
    text: "TypeError: Cannot read properties of undefined (reading 'map')",
    trap: "Error: a type error in the form",
  },
  panic: {
    source: "Go",
    text: "panic: runtime error: invalid memory address or nil pointer dereference",
    trap: "Error: do not panic: it is fine",
  },
  "bare-enoent": {
    source: "Node.js",
    text: "Error: MCP server failed to start: ENOENT",
    trap: "Error: MCP server failed to start",
  },
  "exit-zero": { source: "hosts", text: "Process exited with code 0", trap: "Process exited with code 10" },
  "exit-code": {
    source: "VS Code",
    text: "Connection state: Error Process exited with code 1",
    trap: "Error: the exit is on the left",
  },
  "not-connected": { source: "TypeScript SDK", text: "Error: Not connected", trap: "Error: these facts are connected" },
  "connection-closed": {
    source: "TRAE#2034",
    text: "Error MCP error -32000: Connection closed",
    trap: "Error: the shop is closed",
  },
  "handshake-silent": {
    source: "VS Code",
    text: "[info] Waiting for server to respond to `initialize` request...",
    trap: "[info] Waiting for the user to initialize the project",
  },
  "connect-failed": {
    source: "hosts",
    text: "Failed to reconnect to github.",
    trap: "Error: the dots cannot be connected here",
  },
  "task-group": {
    source: "mcp-use#26",
    text: "unhandled errors in a TaskGroup (1 sub-exception)",
    trap: "Error: the task group meets at noon",
  },
};

describe("rules for pasted texts", () => {
  it.each(Object.entries(CASES))("%s recognises its form", (id, { text }) => {
    expect(readFailure(text)).toMatchObject({ found: true, rule: id });
  });

  it.each(Object.entries(CASES))("%s does not recognise its trap", (id, { trap }) => {
    const { pattern, unless } = TEXT_RULES[id as PasteRuleId];
    expect(pattern.test(trap) && unless?.test(trap) !== true, trap).toBe(false);
  });

  it("has no rule without a cause and a reason", () => {
    const useless = Object.entries(TEXT_RULES).filter(
      ([, { cause, reason }]) => cause === undefined && reason === undefined,
    );
    expect(useless).toEqual([]);
  });

  // The text of a rule, over and over, leads its own pattern as far as it goes before it fails.
  it.each(Object.entries(CASES))("has no pattern that is slow on a long text: %s", async (id, { text }) => {
    const { pattern } = TEXT_RULES[id as PasteRuleId];
    const attacks = [text.slice(0, -3), text.split(" ")[0] ?? "", text.replaceAll(/[^ ]/g, "a")].map((part) =>
      `${part} `.repeat(65_536 / (part.length + 1)),
    );
    await expectCost({
      work: () => attacks.map((attack) => pattern.test(attack)),
      yardstick: () => attacks.map((attack) => Array.from(attack)),
      atMost: 30,
    });
  });

  it("looks at the general rules only after the telling ones", () => {
    expect(matchRule("Error: spawn uvx ENOENT", { isTool: false, stage: "general" })?.id).toBe("bare-enoent");
    expect(matchRule("Error: spawn uvx ENOENT", { isTool: false, stage: "telling" })?.id).toBe("spawn-not-found");
    expect(matchRule("Error: spawn uvx ENOENT", { isTool: true, stage: "telling" })).toBeUndefined();
  });
});
