/** The ids of HTTP_CAUSES. */
type HttpCauseId =
  | "D21"
  | "D22"
  | "D23"
  | "D24"
  | "D25"
  | "D26"
  | "D27"
  | "D28"
  | "D29"
  | "D30"
  | "D31"
  | "D32"
  | "D33"
  | "D34"
  | "D35"
  | "D36"
  | "D37"
  | "D38"
  | "D39"
  | "D40"
  | "D41"
  | "D42"
  | "D44"
  | "D45"
  | "D56"
  | "D57"
  | "D58"
  | "D59";

/** Causes on the way to a server over HTTP, and in its answers. */
export const HTTP_CAUSES: Readonly<Record<HttpCauseId, ConnectionCause>> = {
  D21: {
    title: "Nothing listens on this port",
    seen: "Every address of the name refuses the connection (ECONNREFUSED).",
    because: "The server is not running, or it listens on another port.",
    fix: "Start the server, and compare the port with the one that the server prints.",
  },
  D22: {
    title: "It listens on only one of IPv4 and IPv6",
    seen: "One of 127.0.0.1 and ::1 refuses the connection, the other accepts it.",
    because: "The server is bound to IPv4 or IPv6 only, and programs disagree about which of them `localhost` means.",
    fix: "Use the address that answered, or bind the server to both.",
  },
  D23: {
    title: "The host name does not resolve",
    seen: "The name cannot be resolved (ENOTFOUND, EAI_AGAIN).",
    because: "The name is mistyped, or it exists only in a network or VPN that you are not connected to.",
    fix: "Check the name, the network and the VPN.",
  },
  D24: {
    title: "Another service answers on this port",
    seen: "The raw bytes are not HTTP, or the connection closes before an answer.",
    because: "The port belongs to a database, a TLS server or another service that does not speak HTTP.",
    fix: "Use the port of the MCP server. If the port speaks TLS, begin the URL with https.",
  },
  D25: {
    title: "The connection opens, but no answer arrives",
    seen: "The server accepted the connection, but sent nothing within the time limit.",
    because: "The server is overloaded or stuck, the port speaks another protocol, or a firewall drops the answer.",
    fix: "Check the server's log. If the server is only slow, raise the time limit.",
    code: "recourse doctor --timeout 60 <url>",
  },
  D26: {
    title: "The certificate is not accepted",
    seen: "The TLS handshake fails because the certificate is self-signed, expired, not trusted or issued for another name.",
    because: "Clients refuse a server that cannot prove its name.",
    fix: "Renew the certificate, use the name that it was issued for, or make Node.js trust its issuer.",
    code: "NODE_EXTRA_CA_CERTS=/path/to/ca.pem recourse doctor <url>",
  },
  D27: {
    title: "The port does not speak TLS",
    seen: "The answer to the TLS handshake is not TLS.",
    because: "The URL begins with https, and the port speaks plain HTTP.",
    fix: "Begin the URL with http, or use the port that speaks TLS.",
  },
  D28: {
    title: "The address has moved",
    seen: "The answer is 301, 302, 303, 307 or 308.",
    because: "The server is at another path or scheme. After 301 and 302, many clients send GET instead of POST.",
    fix: "Use the new address in your client.",
  },
  D29: {
    title: "The path is wrong",
    seen: "The answer is 404, or 405 to a POST, and it does not come from an MCP server.",
    because: "A web server answers, but the MCP server is at another path.",
    fix: "Use the path that the server prints or documents, often `/mcp`.",
  },
  D30: {
    title: "The server speaks only the old SSE transport",
    seen: "POST is refused, but GET opens a stream whose first event is `endpoint`.",
    because: "Revision 2025-03-26 replaced HTTP with SSE by streamable HTTP. The server does not support it yet.",
    fix: "Choose the transport `sse` in your client, or upgrade the server to streamable HTTP.",
  },
  D31: {
    title: "A web page answers",
    seen: "The answer is 200 with HTML.",
    because: "The path belongs to a web site or a sign-in page, or a network proxy answers instead of the server.",
    fix: "Use the path of the MCP server, often `/mcp`. On a guest network, sign in to the network first.",
  },
  D32: {
    title: "The server asks for credentials",
    seen: "The answer is 401.",
    because: "The token is missing, wrong or expired.",
    fix: "Send a token.",
    code: "recourse doctor --header 'Authorization: Bearer …' <url>",
    weight: "credentials",
  },
  D33: {
    title: "The server refuses this host or origin",
    seen: "The answer is 403 or 421, and it names a host or an origin.",
    because: "To protect itself against malicious web pages, the server accepts only requests for certain names.",
    fix: "Use the name that the server expects, often `localhost`, or add your name to its list of allowed hosts.",
  },
  D34: {
    title: "The server refuses the credentials",
    seen: "The answer is 403.",
    because: "The token lacks a permission, or the server answers a missing or wrong token with 403 instead of 401.",
    fix: "Send a token that has the permission. If the token is not valid, the server should answer 401.",
    code: "recourse doctor --header 'Authorization: Bearer …' <url>",
    weight: "credentials",
  },
  D35: {
    title: "It supports only older protocol revisions",
    seen: "`initialize` works, but `server/discover` is refused.",
    because: "The server supports revisions up to 2025-11-25. Clients that support both eras fall back to them.",
    fix: "You do not have to do anything. To support 2026-07-28 too, upgrade the server's SDK.",
    weight: "note",
  },
  D36: {
    title: "It supports only the newest protocol revision",
    seen: "`server/discover` works, but `initialize` is refused.",
    because: "The server supports 2026-07-28 only. Clients that begin with `initialize` cannot connect.",
    fix: "Upgrade the client, or make the server support older revisions too.",
    weight: "note",
  },
  D37: {
    title: "The `Mcp-…` headers do not arrive",
    seen: "The answer is 400 with code -32020, although the headers were sent.",
    because: "A proxy in front of the server removes or changes them.",
    fix: "Configure the proxy to pass `Mcp-Method`, `Mcp-Name`, `Mcp-Session-Id` and `MCP-Protocol-Version`.",
  },
  D38: {
    title: "The `Accept` or `Content-Type` header does not arrive",
    seen: "The answer is 406 or 415, although the request accepts JSON and event streams and its body is JSON.",
    because: "A proxy in front of the server rewrites these headers, or the address is not an MCP server.",
    fix: "Configure the proxy to pass `Accept: application/json, text/event-stream` and `Content-Type: application/json`.",
  },
  D39: {
    title: "Error bodies do not arrive",
    seen: "A 4xx answer has no body. MCP servers send a JSON-RPC error there.",
    because: "A proxy removes error bodies, or the server sends none. Clients then show only the status.",
    fix: "Configure the proxy to pass error bodies.",
    code: "proxy_intercept_errors off;   # nginx",
  },
  D40: {
    title: "A proxy buffers event streams",
    seen: "Plain answers arrive at once, but a stream does not begin, although the server keeps it open.",
    because:
      "A proxy buffers the answer before it passes it on, or the server does not send the headers of the stream.",
    fix: "Turn off buffering for this path, or make the server send `X-Accel-Buffering: no`.",
    code: "proxy_buffering off;   # nginx",
  },
  D41: {
    title: "A rate limit was reached, or the server behind a proxy is down",
    seen: "The answer is 429, 502, 503 or 504.",
    because: "A rate limit refuses the request, or a proxy cannot reach the server behind it.",
    fix: "Wait if the answer says how long. Otherwise check whether the server behind the proxy is running.",
  },
  D42: {
    title: "The answer never arrives",
    seen: "A stream opens but never carries an answer, an answer is cut off, or a request is answered with 202.",
    because:
      "The server fails while it answers, a proxy closes idle connections, or the server treats requests as notifications.",
    fix: "Check the server's log at this time, then the proxy's idle timeout.",
  },
  D44: {
    title: "The server answers with an error",
    seen: "The answer to a step is an error or is not MCP, and no other cause fits.",
    because: "The server is reachable but failed, or it is not an MCP server.",
    fix: "Check the server's log at this time.",
  },
  D45: {
    title: "No network route leads to the address",
    seen: "Connecting fails with a timeout, EHOSTUNREACH or ENETUNREACH.",
    because: "A firewall drops the packets, the machine is off, or it is in a network that you are not connected to.",
    fix: "Check the address, the firewall and the VPN.",
  },
  D56: {
    title: "Client and server have no protocol version in common",
    seen: "The server answers with a version that clients do not know, or refuses the versions that clients offer and names others.",
    because:
      "Both sides have to use the same MCP revision. A client closes the connection if the server names one that it does not support.",
    fix: "Upgrade the older side. A server should answer `initialize` with the requested version, or with the newest that it supports.",
  },
  D57: {
    title: "A proxy is in the way",
    seen: "The answer is 407, or the address cannot be reached directly while HTTP_PROXY or HTTPS_PROXY is set.",
    because: "Each program decides whether to use these variables. `doctor` connects directly, and so do most hosts.",
    fix: "Configure the host to use the proxy, send the proxy's credentials, or list the server in NO_PROXY.",
    code: "NODE_USE_ENV_PROXY=1   # makes Node.js 24 and newer use the variables",
  },
  D58: {
    title: "Client and server use different HTTP transports",
    seen: "The host's entry says `sse` and the server speaks streamable HTTP, or vice versa. A text says 405, `Method not allowed`, or that the `endpoint` event never arrived.",
    because:
      "One side speaks streamable HTTP, the other the old HTTP with SSE. The two use different URLs and methods.",
    fix: "Choose the other transport in your client: `http` (streamable HTTP) for URLs such as `/mcp`, `sse` for URLs such as `/sse`.",
    code: "recourse doctor <url>",
  },
  D59: {
    title: "Clients cannot sign in automatically",
    seen: "The answer is 401, and the OAuth metadata is missing or not valid, or clients cannot register themselves. A text mentions the metadata or the registration.",
    because:
      "A client needs the server's metadata, then the metadata of its authorization server, and then a client id.",
    fix: "Register a client with the authorization server and enter its client id in the host, or send a token.",
    code: "recourse doctor --header 'Authorization: Bearer …' <url>",
    weight: "credentials",
  },
};

/** What `doctor` does about a cause: it stops, asks for credentials, or mentions the cause and continues. */
export type CauseWeight = "broken" | "credentials" | "note";

/** One reason why a server cannot be started or reached. Texts are for people who see the problem for the first time. */
export interface ConnectionCause {
  /** What is wrong, in a few words, without a full stop. */
  readonly title: string;
  /** What `doctor` sees: the rule behind the verdict. */
  readonly seen: string;
  /** Why it happens, in one sentence. */
  readonly because: string;
  /** What to do, in one or two sentences. */
  readonly fix: string;
  /** A command or code that can be copied. */
  readonly code?: string;
  /** @default "broken" */
  readonly weight?: CauseWeight;
}

/** The ids of PROGRAM_CAUSES. */
type ProgramCauseId =
  | "D1"
  | "D2"
  | "D3"
  | "D4"
  | "D5"
  | "D6"
  | "D7"
  | "D8"
  | "D9"
  | "D10"
  | "D11"
  | "D12"
  | "D13"
  | "D14"
  | "D15"
  | "D16"
  | "D17"
  | "D18"
  | "D19"
  | "D20"
  | "D43"
  | "D55"
  | "D73"
  | "D77";

/** Causes on this machine, in the program that should communicate over stdin and stdout. */
export const PROGRAM_CAUSES: Readonly<Record<ProgramCauseId, ConnectionCause>> = {
  D1: {
    title: "The command was not found",
    seen: "Starting fails with ENOENT, or a shell in the command exits with 127 and names a command. The folder exists.",
    because:
      "No folder in PATH contains a program with this name. Desktop hosts often have a shorter PATH than your shell.",
    fix: "Install the program, or use its absolute path. In the settings of a host, set PATH to the value that your shell has.",
    code: "which node   # Windows: where node",
  },
  D2: {
    title: "The working directory does not exist",
    seen: "Starting fails with ENOENT, and the directory in `--cwd` does not exist. Node.js then blames the command.",
    because: "The program is set to start in a directory that does not exist.",
    fix: "Correct the directory: `--cwd` here, `cwd` in the settings of the host. An absolute path works everywhere.",
  },
  D3: {
    title: "The file is not executable",
    seen: "Starting fails with EACCES, or a shell in the command exits with 126.",
    because: "The file exists, but it is not marked as executable or it is a directory.",
    fix: "Mark the file as executable, or start it with its interpreter.",
    code: "chmod +x server.js   # or: recourse doctor node server.js",
  },
  D4: {
    title: "The interpreter of the script was not found",
    seen: "The exit code is 127, and stderr says that `env` cannot find `node` (or python).",
    because:
      "The first line of the script names an interpreter that is not in PATH. Version managers such as nvm set PATH only in shells.",
    fix: "Start the script with the absolute path of its interpreter.",
    code: "recourse doctor /absolute/path/to/node server.js",
  },
  D5: {
    title: "A file or module is missing",
    seen: "The program exits, and stderr names a module or file that was not found.",
    because: "The path is wrong, the project is not built, or its dependencies are not installed.",
    fix: "Check the path, relative to the directory where the program starts. Then install the dependencies and build.",
    code: "npm install && npm run build",
  },
  D6: {
    title: "A native module is missing",
    seen: "The program exits, and stderr names a bindings file, or a module that was compiled for another Node.js version.",
    because: "The package was installed without its install scripts, or with another version of Node.js.",
    fix: "Reinstall it with the Node.js version that starts the server, with install scripts allowed.",
    code: "npm rebuild",
  },
  D7: {
    title: "The configuration is incomplete",
    seen: "The program exits soon, and stderr names a variable, an argument, a script or a folder.",
    because: "The server refuses to start without a setting.",
    fix: "Provide what the line asks for: variables with `-e NAME=value`, arguments after the command.",
    code: "recourse doctor -e API_KEY=… node server.js",
  },
  D8: {
    title: "A service that it needs is down",
    seen: "The program exits, and stderr contains ECONNREFUSED, ETIMEDOUT or ENOTFOUND.",
    because: "The server connects to a database or another service while it starts, and that service does not answer.",
    fix: "Start that service, or correct its address in the server's configuration.",
  },
  D9: {
    title: "It exits before the handshake",
    seen: "The exit code is 0 and `initialize` was not answered. Often there is a usage text.",
    because: "Arguments are missing, or the program is not an MCP server on stdio.",
    fix: "Read its usage text for the argument that starts the server, such as `stdio`, `serve` or `start`.",
  },
  D10: {
    title: "The program writes other text to stdout",
    seen: "stdout has lines that are not JSON-RPC, followed by valid messages.",
    because: "stdout is reserved for the protocol. A banner, a log line or a script runner writes there too.",
    fix: "Start the program itself instead of a script runner, write logs to stderr, or guard stdout in the first line of the code.",
    code: `import { guardStdout } from "@recourse/faults/server";\nguardStdout();`,
  },
  D11: {
    title: "Messages have the wrong framing",
    seen: "stdout begins with `Content-Length:`, a byte order mark, JSON on several lines, or JSON without a newline.",
    because: "MCP over stdio is one JSON message per line, in UTF-8 without a byte order mark.",
    fix: "Write each message with `JSON.stringify(message)` and one newline after it, or use the transport of an MCP SDK.",
    code: `process.stdout.write(JSON.stringify(message) + "\\n");`,
  },
  D12: {
    title: "It serves HTTP, not stdio",
    seen: "stdout has no messages, and stderr or stdout says that the program listens on a URL or a port.",
    because: "The program was started in HTTP mode, so it does not read stdin.",
    fix: "Use the URL instead of the command, or start the program with its option for stdio.",
    code: "recourse doctor http://localhost:3000/mcp",
  },
  D13: {
    title: "It runs but does not answer",
    seen: "The process is running, but did not answer `initialize` within the time limit.",
    because: "It waits for something, it is not an MCP server, or its output stays in a buffer.",
    fix: "Read its stderr with `--verbose`. Python programs need `python -u`. If it only starts slowly, raise the time limit.",
    code: "recourse doctor --timeout 60 node server.js",
  },
  D14: {
    title: "It starts slowly",
    seen: "The answer to `initialize` took more than 5 seconds.",
    because: "The first start downloads a package, compiles, or opens connections before the handshake.",
    fix: "Answer `initialize` first and do slow work afterwards. Install the package instead of downloading it at every start. Or raise the host's startup timeout.",
    weight: "note",
  },
  D15: {
    title: "npx asks before it installs",
    seen: "stderr says that npx was canceled due to missing packages and no YES option.",
    because: "npx asks for permission to download, and without a terminal nothing can answer.",
    fix: "Add `-y`.",
    code: "npx -y <package>",
  },
  D16: {
    title: "The package does not exist",
    seen: "npm, uvx or pip says that the package is not in the registry.",
    because: "The name or the scope is mistyped, or the package is private and you are not signed in to its registry.",
    fix: "Check the name in the registry. For a private package, sign in first.",
    code: "npm view <package> name",
  },
  D17: {
    title: "It was killed or ran out of memory",
    seen: "The program ended with SIGKILL or SIGABRT or with exit code 134 or 137, or stderr says that the heap is out of memory.",
    because: "The system or the container runtime stopped it, or it reached the memory limit of Node.js.",
    fix: "Raise the memory limit of the container or of Node.js.",
    code: "node --max-old-space-size=4096 server.js",
  },
  D18: {
    title: "It exits after the handshake",
    seen: "The program answered the handshake, then exited although stdin was open.",
    because: "Something in the background failed: a connection, a timer, or an uncaught error.",
    fix: "Handle the error that the line names, so that the process keeps running. `--verbose` shows all of stderr.",
  },
  D19: {
    title: "The port is already in use",
    seen: "The program exits, and stderr says EADDRINUSE or that a port is in use.",
    because: "Another instance of the server, or another program, listens on that port.",
    fix: "Stop the other program, or choose another port.",
  },
  D20: {
    title: "Node.js is too old for it",
    seen: "The program exits with a SyntaxError about an export or about syntax, or npm says EBADENGINE.",
    because: "The code uses features that this version of Node.js does not have.",
    fix: "Start it with a newer Node.js. The package names the versions that it supports in `engines`.",
    code: "node --version && npm view <package> engines",
  },
  D43: {
    title: "It fails during startup",
    seen: "The program exited before the handshake with a code other than 0, and no other cause fits.",
    because: "An error in the program ended it.",
    fix: "Fix the error that the line names. `--verbose` shows all of stderr.",
  },
  D55: {
    title: "A process is left behind",
    seen: "After the program was stopped, a process that it started is still running in its own process group.",
    because: "The program started a daemon and does not stop it. Each start of the host may leave another one.",
    fix: "Stop the daemon when stdin closes. `doctor` does not stop processes that left the program's process group.",
    weight: "note",
  },
  D73: {
    title: "The version of Python or of a package does not fit",
    seen: "pip or uv reports a Python version or a package conflict, or an import fails inside an installed package.",
    because: "The server needs a different version of Python or of a package from the one that it is started with.",
    fix: "Start it with `uvx`, or in a virtual environment with the Python version that the package requires.",
    code: "uvx --python 3.12 <package>",
  },
  D77: {
    title: "The server has no access to a file or folder",
    seen: "`EACCES`, `EPERM` or `Permission denied` is about a file, not a program, or the disk is full.",
    because: "The server runs as a user who may not read or write there, or the system protects the folder.",
    fix: "Use a folder that the server's user may write to, or correct the permissions of the one that the message names.",
  },
};

/** The ids of CONVERSATION_CAUSES. */
type ConversationCauseId =
  | "D60"
  | "D61"
  | "D62"
  | "D63"
  | "D64"
  | "D65"
  | "D66"
  | "D67"
  | "D68"
  | "D69"
  | "D70"
  | "D71"
  | "D72"
  | "D74"
  | "D75"
  | "D76"
  | "D78";

/** Causes between host, client and server that their error texts name. `readFailure` recognises them in a text. */
export const CONVERSATION_CAUSES: Readonly<Record<ConversationCauseId, ConnectionCause>> = {
  D60: {
    title: "The server no longer knows the session",
    seen: "404 or a JSON-RPC error says that the session is unknown, invalid, terminated or expired.",
    because:
      "The server was restarted, a load balancer chose another instance, or the session expired. The client still sends the old session id.",
    fix: "Reconnect, so that the client sends `initialize` and gets a new session id: reload the server in your host, or restart the host.",
  },
  D61: {
    title: "The request does not accept both forms of an answer",
    seen: "406, or a message such as `Not Acceptable: Client must accept text/event-stream`.",
    because: "Streamable HTTP requires an `Accept` header that names JSON and event streams in every POST.",
    fix: "Send `Accept: application/json, text/event-stream` with every POST.",
    code: "curl -H 'Accept: application/json, text/event-stream' -H 'Content-Type: application/json' …",
  },
  D62: {
    title: "A request arrived before the handshake was finished",
    seen: "A message says that the server is not initialized, or that a request arrived before initialization was complete.",
    because:
      "The client did not send `initialize` and `notifications/initialized` first, or the server creates a new transport for every request and loses them.",
    fix: "Reconnect. If it keeps happening, send `initialize` first, and keep one transport per session on the server.",
  },
  D63: {
    title: "The model API rejects the schema of a tool",
    seen: "A 400 from a model API names `input_schema`, `function_declarations` or the parameters of a function.",
    because:
      "The host sends the tools of all servers to the model. If the model rejects the schema of one tool, every request fails.",
    fix: "Turn off the server of the tool that the message names. Its author has to correct the tool's `inputSchema`.",
  },
  D64: {
    title: "The tool declares an output schema but returns no structured content",
    seen: "A message says that a tool has an output schema, but no structured content was returned.",
    because:
      "A tool with an `outputSchema` has to return `structuredContent` with every success, and this tool does not.",
    fix: "Update the server. If you are its author, return `structuredContent` with `content`, or remove the `outputSchema`.",
    code: 'return { content: [{ type: "text", text: JSON.stringify(data) }], structuredContent: data };',
  },
  D65: {
    title: "The client sends the arguments as a string",
    seen: "A validator says that `params.arguments` has to be an object but is a string.",
    because: "The client passes on the JSON text that the model wrote, without parsing it.",
    fix: "Update the client or host. If you are its author, parse the arguments with `JSON.parse` before you call the tool.",
  },
  D66: {
    title: "Python hides the error in an exception group",
    seen: "A text says `unhandled errors in a TaskGroup` without the inner error.",
    because:
      "The Python SDK runs connections in task groups. The last line names only the group; the real error is above it.",
    fix: "Find the innermost traceback, marked with `|` and `+---`: its last line is the error. Paste the whole text.",
    code: "recourse explain < traceback.txt",
  },
  D67: {
    title: "The server process exited or closed the connection",
    seen: "A text says `Connection closed`, `Server disconnected` or `transport closed`, and nothing says why.",
    because: "The program crashed, was stopped, or never started. What it wrote to stderr before that says why.",
    fix: "Start the same command with `recourse doctor` to see why it exits, or read the host's log above this line.",
    code: "recourse doctor <command…>",
  },
  D68: {
    title: "The event stream was cut off",
    seen: "A stream of server-sent events ended in the middle: `terminated`, `other side closed`, `incomplete chunked read`.",
    because:
      "A proxy or the server closes connections that are idle or old. Clients usually reopen the stream by themselves.",
    fix: "If the client reconnects, you do not have to do anything. Otherwise raise the proxy's idle timeout, or make the server send a comment every 15 seconds.",
  },
  D69: {
    title: "The sign-in failed",
    seen: "The sign-in service answers `invalid_grant`, `invalid_client` or a `redirect_uri` mismatch, or the callback does not match.",
    because: "A stored token or client id is no longer valid, or the callback URL is not registered.",
    fix: "Delete this server's stored sign-in in your host and sign in again. For a redirect error, register the URL that the message names.",
    weight: "credentials",
  },
  D70: {
    title: "The host or model rejects the list of tools",
    seen: "A message names a limit for the number of tools, or for the length or the characters of their names.",
    because: "Hosts and model APIs limit the number of tools and their names. The tools of all servers count together.",
    fix: "Turn off servers or tools that you do not need. Names have to match `^[a-zA-Z0-9_-]{1,64}$`.",
  },
  D71: {
    title: "The conversation is too long for the model",
    seen: "A model API says that the prompt, the context or the result of a tool has too many tokens.",
    because: "Together, tool lists, results and messages exceed the model's context window.",
    fix: "Start a new conversation, turn off tools that you do not need, or ask the tool for less.",
  },
  D72: {
    title: "The host is not connected to the server",
    seen: "A text says `Not connected`, `Client is not connected`, `No active transport` or `No server found`.",
    because:
      "The connection was never opened or has closed, or the name is not in the settings of the host. The call was not sent.",
    fix: "Check the name in the settings of the host and reload the server there. The first error in its log says why it is not connected.",
    code: "recourse doctor <url | command…>",
  },
  D74: {
    title: "An answer arrived for a request that is no longer open",
    seen: "A message says that a response has an unknown message id, or that a progress token is unknown.",
    because: "The client gave up on the request earlier, often after a timeout, or the server answers with another id.",
    fix: "If there was a timeout before, raise the limit. Otherwise the server has to answer with the id of the request.",
  },
  D75: {
    title: "A message does not conform to the protocol",
    seen: "A validator rejects a whole message: `invalid_union`, `Unrecognized key`, `validation errors for JSONRPCMessage`.",
    because: "One side sends something that is not an MCP message, or the SDK versions of the two sides differ.",
    fix: "Update the SDKs on both sides. The path in the message names the wrong member.",
  },
  D76: {
    title: "The model API rejects the request",
    seen: "The model API returns an error that is not about tools: key, credit, unknown model, overload.",
    because: "The error comes from the model's provider, not from an MCP server.",
    fix: "Check the key, the credit and the model name in your host. If the model is overloaded, wait and try again.",
  },
  D78: {
    title: "The browser blocks requests from the page to the server",
    seen: "A browser says that a request was blocked by its CORS policy.",
    because: "The client runs in a web page, and the server does not allow the page's origin or the MCP headers.",
    fix: "Make the server allow the origin and expose the header `Mcp-Session-Id`, or connect through a proxy of your client.",
  },
};

/** The ids of CONFIG_CAUSES. */
type ConfigCauseId = "D46" | "D47" | "D48" | "D49" | "D50" | "D51" | "D52" | "D53" | "D54";

/** Causes in the configuration file of a host. */
const CONFIG_CAUSES: Readonly<Record<ConfigCauseId, ConnectionCause>> = {
  D46: {
    title: "The configuration file is not valid JSON",
    seen: "The host cannot read the file: a comma, a quotation mark or a bracket is missing, or there is a comment although the host does not allow comments.",
    because: "If a host cannot read its file, it starts none of the servers in it.",
    fix: "Correct the file at the given line and column.",
    code: "recourse doctor --fix <file>",
  },
  D47: {
    title: "The servers are under another key",
    seen: "The file has servers, but not under the key that this host reads.",
    because:
      "Hosts use different keys: `mcpServers` (Claude, Cursor, Windsurf, Gemini), `servers` (VS Code), `context_servers` (Zed).",
    fix: "Rename the key.",
    code: "recourse doctor --fix <file>",
  },
  D48: {
    title: "The command contains the whole command line",
    seen: "`command` has spaces, and no program with this name exists.",
    because: "Hosts start programs without a shell, so they take the whole text as the name of one program.",
    fix: 'Put the program into "command" and each argument into "args".',
    code: '"command": "npx", "args": ["-y", "package"]',
  },
  D49: {
    title: "The entry does not have the form that the host expects",
    seen: "A member of the entry is missing or has a different name or form from what the host expects, or a name is used twice.",
    because: "Hosts ignore members that they do not know, or skip the whole server.",
    fix: "Correct the member that the message names.",
    code: "recourse doctor --fix <file>",
  },
  D50: {
    title: "A value is still a placeholder",
    seen: "A value such as `YOUR_API_KEY`, `<token>` or `/path/to/…` was copied from an example.",
    because: "An example value has to be replaced with your own.",
    fix: "Enter your own value.",
  },
  D51: {
    title: "The host resolves a path differently",
    seen: "A path begins with `~` or `$HOME`, or it is relative.",
    because: "No shell expands the path, and the host starts programs in its own working directory.",
    fix: "Use the absolute path.",
  },
  D52: {
    title: "A variable in the file has no value",
    seen: "The entry uses a variable that is not set, that the host does not expand, or that only the host can prompt for.",
    because: "The host fills in variables before it starts the server.",
    fix: "Pass the value with `-e NAME=value`, or set the variable in the host's environment.",
    code: "recourse doctor -e NAME=… <file>",
  },
  D53: {
    title: "The host may not find the program",
    seen: "The program is in your shell's PATH, but not in the PATH that desktop programs get.",
    because: "nvm, Homebrew and similar tools add their folders to PATH in shells only.",
    fix: "Use the absolute path of the program, and set PATH in the entry's `env`.",
    weight: "note",
  },
  D54: {
    title: "Windows cannot start this command directly",
    seen: "On Windows, the command is a script such as `npx`, and the entry does not start it with `cmd /c`.",
    because: "`npx`, `npm`, `pnpm`, `yarn` and `uvx` shims may be .cmd files, which only cmd.exe can run.",
    fix: "Start it with `cmd /c`.",
    code: '"command": "cmd", "args": ["/c", "npx", "-y", "package"]',
    weight: "note",
  },
};

/** Every cause by its id. Ids never change: `recourse explain D10`, the docs and the output of `--json` use them. */
export const CONNECTION_CAUSES: Readonly<Record<ConnectionCauseId, ConnectionCause>> = {
  ...PROGRAM_CAUSES,
  ...HTTP_CAUSES,
  ...CONFIG_CAUSES,
  ...CONVERSATION_CAUSES,
};

/** The id of a cause, such as `D10`. */
export type ConnectionCauseId = ProgramCauseId | HttpCauseId | ConfigCauseId | ConversationCauseId;

/** Every id in the order of its number. */
export const CONNECTION_CAUSE_IDS: readonly ConnectionCauseId[] = (
  Object.keys(CONNECTION_CAUSES) as ConnectionCauseId[]
).sort((one, other) => Number(one.slice(1)) - Number(other.slice(1)));

/** Finds the cause with this id, in upper or lower case. Returns undefined if no cause has it. */
export function findConnectionCause(id: string): (ConnectionCause & { readonly id: ConnectionCauseId }) | undefined {
  const found = CONNECTION_CAUSE_IDS.find((one) => one === id.toUpperCase());
  return found === undefined ? undefined : { id: found, ...CONNECTION_CAUSES[found] };
}
