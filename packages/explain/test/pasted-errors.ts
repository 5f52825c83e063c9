// Errors as people pasted them into public issues, with what a right answer says: a cause, a reason, or both. The one that leads
// stands first.

/** The errors that the rules were written with. */
export const KNOWN_ERRORS: readonly (readonly [source: string, answer: string, text: string])[] = [
  ["TRAE#2034", "D67 transport/connection_lost", "Error MCP error -32000: Connection closed"],
  ["xiaohongshu#120", "core/timeout", "MCP error -32001: Request timed out"],
  [
    "exa#50",
    "tool/invalid_arguments",
    'MCP error -32602: Invalid arguments for tool deep_researcher_start: [ { "code": "invalid_type", "expected": "string", "received": "undefined", "path": [ "instructions" ], "message": "Required" } ]',
  ],
  [
    "docker/mcp-servers#6",
    "D1",
    '2025-03-04T10:09:08.886Z [sentry] [error] spawn uvx ENOENT {"context":"connection","stack":"Error: spawn uvx ENOENT\\n    at ChildProcess._handle.onexit (node:internal/child_process:285:19)"}',
  ],
  [
    "mcp-filesystem#6",
    "D67 transport/connection_lost",
    "Server disconnected. For troubleshooting guidance, please visit our debugging documentation",
  ],
  [
    "Claude Desktop",
    "D67 transport/connection_lost",
    "Server transport closed unexpectedly, this is likely due to the process exiting early. If you are developing this MCP server you can add output to stderr",
  ],
  [
    "mcp-remote#106",
    "D60 protocol/session_not_found",
    'Error from remote server: Error: Error POSTing to endpoint (HTTP 404): {"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
  ],
  [
    "mcphub#742",
    "D60 protocol/session_not_found",
    'Streamable HTTP error: Error POSTing to endpoint: {"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}',
  ],
  [
    "omniroute#5957",
    "D60 protocol/session_not_found",
    '{"error":{"code":-32000,"message":"Not Found: Unknown Mcp-Session-Id header"}}',
  ],
  ["gemini-cli#10165", "D32 auth/unauthorized", "MCP ERROR (Notion): Error: SSE error: Non-200 status code (401)"],
  [
    "gemini-cli#10165, second",
    "D68 transport/connection_lost",
    "MCP ERROR (context7): Error: SSE stream disconnected: TypeError: terminated",
  ],
  ["youtube-mcp#18", "D10 protocol/invalid_result", "Unexpected token 'Y', \"YouTube MC\"... is not valid JSON"],
  [
    "sdk#408",
    "D62 protocol/not_initialized",
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":null}',
  ],
  [
    "fastmcp#1664",
    "D61 protocol/bad_request",
    '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Not Acceptable: Client must accept text/event-stream"}}',
  ],
  [
    "MySQL_MCP#5",
    "D65 protocol/malformed_call",
    'McpError: MCP error -32603: [\n  {\n    "code": "invalid_type",\n    "expected": "object",\n    "received": "string",\n    "path": [\n      "params",\n      "arguments"\n    ],\n    "message": "Expected object, received string"\n  }\n]',
  ],
  ["sdk#288", "tool/not_found", "Error MCP error -32602: MCP error -32602: Tool get_weather not found"],
  [
    "remotion#6275",
    "D64 tool/output_invalid",
    "MCP error -32602: Output validation error: Tool remotion-documentation has an output schema but no structured content was provided",
  ],
  [
    "Wireshark_mcp#4",
    "D62 protocol/not_initialized",
    "WARNING  Failed to validate request: Received request before initialization was complete",
  ],
  [
    "mcp-use#26",
    "D66",
    "Failed to connect to MCP implementation via HTTP/SSE: unhandled errors in a TaskGroup (1 sub-exception)",
  ],
  ["python-sdk#1798", "D33", 'INFO: 10.42.227.223:57038 - "POST /mcp HTTP/1.1" 421 Misdirected Request'],
  [
    "claude-code#586",
    "D63",
    'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"tools.31.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12)."}}',
  ],
  [
    "mcp-remote#37",
    "D58 protocol/http_method",
    "Connection error: Error: Error POSTing to endpoint (HTTP 405): Method Not Allowed",
  ],
  [
    "kilocode#2345",
    "D58 protocol/http_method",
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed."},"id":null}',
  ],
  [
    "mcp-remote#53",
    "D59",
    "Connection error: Error: Incompatible auth server: does not support dynamic client registration",
  ],
  ["ts-sdk#2783", "D59", "HTTP 401 trying to load well-known OAuth metadata"],
  [
    "python-sdk#1072",
    "D31",
    "StreamableHTTPError: Streamable HTTP error: Unexpected content type: text/html; charset=utf-8",
  ],
  [
    "mcp-remote#196",
    "D58 protocol/bad_request",
    "Received error: Error POSTing to endpoint (HTTP 404): Missing sessionId parameter",
  ],
  [
    "shadcn#6",
    "core/upstream_failed",
    '{"error":"MCP error -32603: MCP error -32603: Error executing tool: Failed to fetch available components"}',
  ],
  [
    "Node.js",
    "D21 transport/unreachable",
    "TypeError: fetch failed\n  [cause]: Error: connect ECONNREFUSED 127.0.0.1:3000",
  ],
  [
    "java-sdk#105",
    "D60 protocol/session_not_found",
    "ERROR io.modelcontextprotocol.client.transport.HttpClientSseClientTransport - Error sending message: 404",
  ],
  [
    "mysql_mcp#49",
    "D1",
    "error: Failed to spawn: `mysql_mcp_server` Caused by: program not found MCP error -32000: Connection closed",
  ],
  [
    "python-sdk#3556",
    "D60 protocol/session_not_found",
    "mcp.shared.exceptions.McpError: Session terminated (code 32600)",
  ],
  ["TypeScript SDK", "protocol/method_not_found", "McpError: MCP error -32601: Method not found"],
];

/** An error that was collected before the rules were written, and kept from their author. */
export interface CollectedError {
  readonly source: string;
  readonly text: string;
  readonly answer: string;
  /** How the rules judged it when they saw it for the first time. */
  readonly firstSeen: "right" | "half" | "wrong";
}

/** The errors that measure how well the rules do with texts that their author did not know. */
export const COLLECTED_ERRORS: readonly CollectedError[] = [
  {
    source: "benborla/mcp-server-mysql#28",
    answer: "D67 transport/not_connected",
    firstSeen: "right",
    text: "2025-04-10 10:12:09.310 [error] ySQL: Failed to reload client: MCP error -32000: Connection closed",
  },
  {
    source: "stuzero/pg-mcp-server#15",
    answer: "core/timeout",
    firstSeen: "wrong",
    text: '2025-04-15T22:09:57.907Z [info] [pg-mcp-server] Message from client: {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0,"reason":"Error: MCP error -32001: Request timed out"}}',
  },
  {
    source: "docker/labs-ai-tools-for-devs#263",
    answer: "D8",
    firstSeen: "wrong",
    text: 'docker: error during connect: Head "http://%2F%2F.%2Fpipe%2FdockerDesktopLinuxEngine/_ping": open //./pipe/dockerDesktopLinuxEngine: The system cannot find the file specified.',
  },
  {
    source: "phact/mcp-google-docs#4",
    answer: "D5",
    firstSeen: "right",
    text: "/usr/bin/python3: Error while finding module specification for 'mcp_server.mcp_server' (ModuleNotFoundError: No module named 'mcp_server')",
  },
  {
    source: "blazickjp/web-browser-mcp-server#5",
    answer: "D73",
    firstSeen: "right",
    text: "ImportError: cannot import name 'InitializationOptions' from 'mcp.server' (C:\\Users\\User\\AppData\\Roaming\\uv\\tools\\x\\Lib\\site-packages\\mcp\\server\\__init__.py)",
  },
  {
    source: "alejandro-ao/mcp-server-example#8",
    answer: "D5",
    firstSeen: "right",
    text: "Traceback (most recent call last):\n  File \"C:\\Users\\u\\weather\\weather.py\", line 103, in <module>\n    from bs4 import BeautifulSoup\nModuleNotFoundError: No module named 'bs4'\n2025-06-04T10:37:33.472Z [weather] [info] Server transport closed\n2025-06-04T10:37:33.473Z [weather] [error] Server disconnected. For troubleshooting guidance, please visit our debugging documentation",
  },
  {
    source: "openclaw/mcporter#67",
    answer: "D69 auth/unauthorized",
    firstSeen: "right",
    text: "https://mcp-auth.example.com/oauth2/error?error=invalid_redirect_uri",
  },
  {
    source: "tripsyapp/cli#8",
    answer: "D69 auth/unauthorized",
    firstSeen: "wrong",
    text: "Client registration request includes an invalid redirect_uri",
  },
  {
    source: "danny-avila/LibreChat#12254",
    answer: "D32 auth/unauthorized",
    firstSeen: "right",
    text: '{"code":401,"level":"error","message":"[MCP][User: 673][speedy-mcp] Failed to establish connection Streamable HTTP error: Error POSTing to endpoint: {\\"error\\": \\"invalid_token\\", \\"error_description\\": \\"Authentication failed. The provided bearer token is invalid, expired, or no longer recognized by the server.\\"}","stack":"Error: Streamable HTTP error: Error POSTing to endpoint\\n    at StreamableHTTPClientTransport.send (/app/node_modules/@modelcontextprotocol/sdk/dist/cjs/client/streamableHttp.js:368:23)"}',
  },
  {
    source: "skindhu/AI-TASK-MANAGER#4",
    answer: "D72 transport/not_connected",
    firstSeen: "wrong",
    text: "2025-04-24 16:16:54.062 [error] etch: No server info found",
  },
  {
    source: "Automattic/mcp-wordpress-remote#17",
    answer: "D67 transport/exited",
    firstSeen: "right",
    text: "2025-05-25 20:50:28.283 [info] Connection state: Error Process exited with code 1\n2025-05-25 20:50:28.283 [error] Server exited before responding to `initialize` request.",
  },
  {
    source: "microsoft/vscode#246753",
    answer: "D58 protocol/http_method",
    firstSeen: "wrong",
    text: "2025-04-16 14:13:05.469 [info] 405 status sending message to http://localhost:19193/sse, will attempt to fall back to legacy SSE\n2025-04-16 14:13:10.437 [info] Waiting for server to respond to `initialize` request...",
  },
  {
    source: "webfansplz/vite-plugin-vue-mcp#29",
    answer: "D13",
    firstSeen: "wrong",
    text: "2025-05-13 14:26:30.037 [info] Waiting for server to respond to `initialize` request...",
  },
  {
    source: "Vaiz/rust-mcp-server#83",
    answer: "D75 protocol/negotiation_failed",
    firstSeen: "half",
    text: '[server stderr] Error: Failed to start server\n[server stderr] Caused by:\n[server stderr]     expect initialized request, but received: Some(Request(JsonRpcRequest { jsonrpc: JsonRpcVersion2_0, id: Number(1), request: CustomRequest(CustomRequest { method: "initialize" ...',
  },
  {
    source: "langchain-ai/mcpdoc#20",
    answer: "D26",
    firstSeen: "right",
    text: "Encountered an HTTP error: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate in certificate chain (_ssl.c:1010)",
  },
  {
    source: "modelcontextprotocol/inspector#584",
    answer: "D26",
    firstSeen: "right",
    text: "Error from MCP server: TypeError: fetch failed\n    at node:internal/deps/undici/undici:13510:13 {\n  [cause]: Error: self-signed certificate in certificate chain\n      at TLSSocket.onConnectSecure (node:_tls_wrap:1679:34) {\n    code: 'SELF_SIGNED_CERT_IN_CHAIN'",
  },
  {
    source: "aartiq/servicenow-mcp#7",
    answer: "D26",
    firstSeen: "right",
    text: "Instance unreachable: Network error: UNABLE_TO_GET_ISSUER_CERT_LOCALLY — unable to get local issuer certificate",
  },
  {
    source: "zai-org/GLM-5#151",
    answer: "core/rate_limited",
    firstSeen: "wrong",
    text: '{"error":{"code":"1302","message":"您的账户已达到速率限制，请您控制请求频率"}}',
  },
  {
    source: "Swiggy/manifest#27",
    answer: "core/rate_limited",
    firstSeen: "right",
    text: "MCP server rate limit exceeded",
  },
  {
    source: "jamubc/gemini-mcp-tool#6",
    answer: "tool/result_too_large",
    firstSeen: "wrong",
    text: 'Error: MCP tool "ask-gemini" response (45735 tokens) exceeds maximum allowed tokens (25000). Please use pagination, filtering, or limit parameters to reduce the response size.',
  },
  {
    source: "IlyaGulya/gradle-mcp-server#2",
    answer: "D70",
    firstSeen: "right",
    text: 'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"tools.17.custom.name: String should match pattern \'^[a-zA-Z0-9_-]{1,128}$\'"}}',
  },
  {
    source: "API-200/api200#14",
    answer: "D70",
    firstSeen: "wrong",
    text: "tools.2.FrontendRemoteMcpToolDefinition.name: String should have at most 64 characters",
  },
  {
    source: "charmbracelet/crush#1038",
    answer: "D13",
    firstSeen: "half",
    text: '{"time":"2025-09-02T23:46:53.7+00:30","level":"ERROR","source":{"function":"crush/internal/llm/agent.createAndInitializeClient","line":342},"msg":"error initializing mcp client","error":"transport error: context deadline exceeded","name":"fetch"}',
  },
  {
    source: "mark3labs/mcp-go#245",
    answer: "D8",
    firstSeen: "half",
    text: "npm ERR! code ECONNRESET\nnpm ERR! network Client network socket disconnected before secure TLS connection was established\nnpm ERR! network This is a problem related to network connectivity.",
  },
  {
    source: "genkit-ai/genkit#4299",
    answer: "D72 transport/not_connected",
    firstSeen: "half",
    text: '"error": "failed to list tools: client not initialized"',
  },
  {
    source: "spring-projects/spring-ai#4083",
    answer: "core/timeout",
    firstSeen: "right",
    text: "java.util.concurrent.TimeoutException: Did not observe any item or terminal signal within 20000ms in 'Mono.deferContextual ⇢ at io.modelcontextprotocol.spec.McpClientSession.sendRequest(McpClientSession.java:233)' (and no fallback has been configured)",
  },
  {
    source: "spring-projects/spring-ai#3287",
    answer: "D58",
    firstSeen: "wrong",
    text: "io.modelcontextprotocol.spec.McpError: Failed to wait for the message endpoint",
  },
  {
    source: "mem0ai/mem0-mcp#10",
    answer: "D16",
    firstSeen: "right",
    text: "npm error code E404\nnpm error 404 Not Found - GET https://registry.example/@mem0%2fmcp - Not found\nnpm error 404  '@mem0/mcp@*' is not in this registry.",
  },
  {
    source: "upstash/context7#215",
    answer: "D77",
    firstSeen: "right",
    text: "Error: failed to initialize server: <truncated 3 bytes> error code EEXIST npm error syscall rename npm error path /Users/u/.npm/_cacache/tmp/9ea4a422 npm error errno -13 npm error EACCES: permission denied, rename",
  },
  {
    source: "hkr04/cpp-mcp#10",
    answer: "D56",
    firstSeen: "right",
    text: "MCP server could not be started: MCP error -32602: Unsupported protocol version",
  },
  {
    source: "punkpeye/mcp-remote#66",
    answer: "D56",
    firstSeen: "right",
    text: "Server's protocol version is not supported: 2025-03-26",
  },
  {
    source: "mark3labs/mcp-go#146",
    answer: "D68 transport/connection_lost",
    firstSeen: "right",
    text: "2025-04-14 16:50:26.896 [error] test: Client error for command SSE error: TypeError: terminated: Body Timeout Error",
  },
  {
    source: "smart-mcp-proxy/mcpproxy-go#38",
    answer: "D21 transport/unreachable",
    firstSeen: "right",
    text: "2025-08-04 10:40:14.697 [error] Client error for command SSE error: TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:8080, connect ECONNREFUSED ::1:8080",
  },
  {
    source: "github/github-mcp-server#232",
    answer: "D8",
    firstSeen: "right",
    text: "[server stderr] docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?.",
  },
  {
    source: "PrefectHQ/fastmcp#1323",
    answer: "tool/invalid_arguments",
    firstSeen: "right",
    text: '{"meta": null, "content": [{"type": "text", "text": "Input validation error: None is not of type \'string\'", "annotations": null}], "structuredContent": null, "isError": true}',
  },
  {
    source: "docker/desktop-linux#299",
    answer: "D67 transport/not_connected",
    firstSeen: "half",
    text: 'Can\'t start fetch: failed to connect: calling "initialize": EOF',
  },
];

/** A second set of such errors. The answer `unmarked_failure` means a failure that was sent as a success. */
export const LATER_ERRORS: readonly CollectedError[] = [
  {
    source: "modelcontextprotocol/servers#1836",
    answer: "D5",
    firstSeen: "right",
    text: "Failed to run server: No module named 'fitz'",
  },
  {
    source: "QuantGeekDev/docker-mcp#21",
    answer: "D8",
    firstSeen: "wrong",
    text: "Error: connect ENOENT /var/run/docker.sock",
  },
  {
    source: "SecretiveShell/MCP-Bridge#80",
    answer: "core/timeout",
    firstSeen: "right",
    text: "McpError: MCP error -32001: Request timed out\n    at Timeout.timeoutHandler (file:///Users/d/.npm/_npx/2341/node_modules/@modelcontextprotocol/sdk/dist/esm/shared/protocol.js:292:49)\n    at listOnTimeout (node:internal/timers:608:17) {\n  code: -32001,\n  data: { timeout: 60000 }\n}\n\nNode.js v23.11.0",
  },
  {
    source: "anthropics/claude-code#20643",
    answer: "D70",
    firstSeen: "right",
    text: 'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"messages.14.content.0.tool_result.content.3.tool_reference.tool_name: String should have at most 64 characters"},"request_id":"req_1"}',
  },
  {
    source: "OneUptime/oneuptime#3695",
    answer: "D56",
    firstSeen: "right",
    text: "MCP transport error: Bad Request: Unsupported protocol version: 2026-07-28 (supported versions: 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, 2024-10-07)",
  },
  {
    source: "xpzouying/xiaohongshu-mcp#697",
    answer: "D56",
    firstSeen: "right",
    text: "400 Bad Request\nBad Request: Unsupported protocol version \n(supported versions: 2025-06-18, 2025-03-26, 2024-11-05)",
  },
  {
    source: "github/github-mcp-server#1952",
    answer: "unmarked_failure",
    firstSeen: "wrong",
    text: '{"meta": null, "content": [{"type": "text", "text": "missing required parameter: owner", "annotations": null, "meta": null}], "structured_content": null, "is_error": false}',
  },
  {
    source: "MCPJam/inspector#1014",
    answer: "D26",
    firstSeen: "right",
    text: 'Connection failed for server bt: Failed to connect to MCP server "bt" using HTTP transports. Streamable HTTP error: fetch failed. SSE error: SSE error: TypeError: fetch failed: self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca.',
  },
  {
    source: "PrefectHQ/fastmcp#3528",
    answer: "D64 tool/output_invalid",
    firstSeen: "wrong",
    text: "fastmcp.exceptions.ToolError: Output validation error: 'hello' is not of type 'array'",
  },
  {
    source: "langchain4j/langchain4j#3322",
    answer: "D13",
    firstSeen: "half",
    text: "java.lang.RuntimeException: java.util.concurrent.TimeoutException\n\tat dev.langchain4j.mcp.client.DefaultMcpClient.initialize(DefaultMcpClient.java:123)",
  },
  {
    source: "spring-projects/spring-ai-examples#29",
    answer: "D58",
    firstSeen: "wrong",
    text: "io.modelcontextprotocol.spec.McpError: Received unrecognized SSE event type: null",
  },
  {
    source: "microsoft/azure-devops-mcp#348",
    answer: "D77",
    firstSeen: "right",
    text: "[server stderr] npm warn cleanup     [Error: EPERM: operation not permitted, rmdir 'C:\\Users\\t\\AppData\\Local\\npm-cache\\_npx\\38bc\\node_modules\\is-inside-container'] {\n[server stderr] npm warn cleanup       errno: -4048,\n[server stderr] npm warn cleanup       code: 'EPERM',",
  },
  {
    source: "cloudflare/mcp-server-cloudflare#145",
    answer: "D69 auth/unauthorized",
    firstSeen: "wrong",
    text: "[32815] Another instance is handling authentication on port 3334\n[32815] Waiting for authentication from the server on port 3334...",
  },
  {
    source: "anthropics/claude-code#43081",
    answer: "D69 auth/unauthorized",
    firstSeen: "wrong",
    text: "Invalid state parameter. Please try again.",
  },
  {
    source: "sxhxliang/mcp-access-point#10",
    answer: "D70",
    firstSeen: "wrong",
    text: '[warning] Tool "GET:/patterns/names" is invalid. Tools names may only contain [a-z0-9_-]',
  },
  {
    source: "just-every/code#461",
    answer: "D43",
    firstSeen: "right",
    text: "thread 'main' panicked at mcp-server/src/message_processor.rs:101:\nInitialize should be handled in MessageProcessor\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\nMcpError: MCP error -32000: Connection closed",
  },
  {
    source: "microsoft/azure-devops-mcp#59",
    answer: "D67 transport/exited",
    firstSeen: "right",
    text: "2025-06-13 16:51:00.111 [info] Connection state: Error Process exited with code 243",
  },
  {
    source: "modelcontextprotocol/servers#2729",
    answer: "D67 transport/connection_lost",
    firstSeen: "right",
    text: "Could not attach to MCP server pg-mcp-server",
  },
];
