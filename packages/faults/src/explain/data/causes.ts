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
    title: "Nothing listens there",
    seen: "Every address of the name refuses the connection (ECONNREFUSED).",
    because: "The server is not running, or it listens on another port.",
    fix: "Start the server, and compare the port with the one that it prints.",
  },
  D22: {
    title: "It listens on the other kind of address",
    seen: "One of 127.0.0.1 and ::1 refuses, the other accepts.",
    because:
      "The server is bound to IPv4 or to IPv6 only, and programs disagree about which of them `localhost` means.",
    fix: "Use the address that answered, or bind the server to both.",
  },
  D23: {
    title: "The name is unknown",
    seen: "The name cannot be resolved (ENOTFOUND, EAI_AGAIN).",
    because: "The name is mistyped, or it exists only inside a network or VPN that you are not in.",
    fix: "Check the name, the network and the VPN.",
  },
  D24: {
    title: "Another service answers on this port",
    seen: "The raw bytes are not HTTP, or the connection is closed before an answer.",
    because: "The port belongs to a database, to a TLS server, or to something else that does not speak HTTP.",
    fix: "Use the port of the MCP server. If the port speaks TLS, begin the URL with https.",
  },
  D25: {
    title: "The connection opens, and nothing comes",
    seen: "The connection was accepted, and no byte came within the limit.",
    because: "The server is overloaded or stuck, the port speaks another protocol, or a firewall swallows the answer.",
    fix: "Look at the log of the server. If it is only slow, raise the limit.",
    code: "recourse doctor --timeout 60 <url>",
  },
  D26: {
    title: "The certificate is not accepted",
    seen: "The TLS handshake ends with a certificate that is self-signed, expired, unknown, or made for another name.",
    because: "Clients refuse a server that cannot prove its name.",
    fix: "Renew the certificate, use the name that it was made for, or make its issuer known to Node.js.",
    code: "NODE_EXTRA_CA_CERTS=/path/to/ca.pem recourse doctor <url>",
  },
  D27: {
    title: "The port does not speak TLS",
    seen: "The TLS handshake is answered with something that is not TLS.",
    because: "The URL begins with https, and the port speaks plain HTTP.",
    fix: "Begin the URL with http, or use the port that speaks TLS.",
  },
  D28: {
    title: "The address has moved",
    seen: "The answer is 301, 302, 303, 307 or 308.",
    because: "The path or the scheme is another one. After 301 and 302 many clients send GET instead of POST.",
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
    because: "HTTP with SSE was replaced in 2025-03-26 by streamable HTTP. The server has not followed.",
    fix: "Choose the transport `sse` in your client, or upgrade the server to streamable HTTP.",
  },
  D31: {
    title: "A web page answers",
    seen: "The answer is 200 with HTML.",
    because:
      "The path belongs to a web site or a sign-in page, or a proxy of the network answers instead of the server.",
    fix: "Use the path of the MCP server, often `/mcp`. On a guest network, sign in to it first.",
  },
  D32: {
    title: "The server asks for credentials",
    seen: "The answer is 401.",
    because: "The token is missing, wrong or expired.",
    fix: "Give a token.",
    code: "recourse doctor --header 'Authorization: Bearer …' <url>",
    weight: "credentials",
  },
  D33: {
    title: "The server refuses this host or origin",
    seen: "The answer is 403 or 421, and it names a host or an origin.",
    because: "The server protects itself against web pages: it accepts only requests for certain names.",
    fix: "Use the name that the server expects, often `localhost`, or add yours to its list of allowed hosts.",
  },
  D34: {
    title: "The server refuses the credentials",
    seen: "The answer is 403.",
    because: "The token lacks a right, or the server answers 403 to a missing or wrong token, where 401 is right.",
    fix: "Give a token that has the rights. The server should answer 401 if the token is not valid.",
    code: "recourse doctor --header 'Authorization: Bearer …' <url>",
    weight: "credentials",
  },
  D35: {
    title: "It speaks only the older era",
    seen: "`initialize` works, and `server/discover` is refused.",
    because: "The server speaks revisions up to 2025-11-25. Clients that speak both eras fall back to it.",
    fix: "Nothing to do. To speak 2026-07-28 too, upgrade the server's SDK.",
    weight: "note",
  },
  D36: {
    title: "It speaks only the newer era",
    seen: "`server/discover` works, and `initialize` is refused.",
    because: "The server speaks 2026-07-28 only. Clients that begin with `initialize` cannot connect.",
    fix: "Upgrade the client, or serve the older era too.",
    weight: "note",
  },
  D37: {
    title: "The `Mcp-…` headers do not arrive",
    seen: "The answer is 400 with code -32020, although the headers were sent.",
    because: "A proxy in front of the server removes or changes them.",
    fix: "Let the proxy pass `Mcp-Method`, `Mcp-Name`, `Mcp-Session-Id` and `MCP-Protocol-Version`.",
  },
  D38: {
    title: "The `Accept` or `Content-Type` header does not arrive",
    seen: "The answer is 406 or 415, although both forms were accepted and the body is JSON.",
    because: "A proxy in front of the server rewrites these headers, or the address is not an MCP server.",
    fix: "Let the proxy pass `Accept: application/json, text/event-stream` and `Content-Type: application/json`.",
  },
  D39: {
    title: "The bodies of errors do not arrive",
    seen: "A refusal (4xx) has no body, where MCP servers send a JSON-RPC error.",
    because: "A proxy replaces the bodies of errors, or the server sends none. Clients then show only a number.",
    fix: "Let the proxy pass error bodies.",
    code: "proxy_intercept_errors off;   # nginx",
  },
  D40: {
    title: "Streams are held back",
    seen: "Plain answers come at once, but a stream does not begin although the server holds it open.",
    because:
      "A proxy collects the answer before it passes it on, or the server does not send the headers of the stream.",
    fix: "Turn off buffering for this path, or let the server send `X-Accel-Buffering: no`.",
    code: "proxy_buffering off;   # nginx",
  },
  D41: {
    title: "A limit was reached, or the server behind a proxy is away",
    seen: "The answer is 429, 502, 503 or 504.",
    because: "A rate limit refuses the request, or a proxy cannot reach the server behind it.",
    fix: "Wait if the answer says how long. Otherwise look whether the server behind the proxy runs.",
  },
  D42: {
    title: "The answer never arrives",
    seen: "A stream opens and ends or stays without an answer, an answer is cut, or a request is answered with 202.",
    because:
      "The server fails while it answers, a proxy ends idle connections, or requests are treated as notifications.",
    fix: "Look at the log of the server at this moment, then at the idle limit of the proxy.",
  },
  D44: {
    title: "The server answers with an error",
    seen: "A step is answered with an error or with something that is not MCP, and no other cause fits.",
    because: "The server was reached and failed, or it is not an MCP server.",
    fix: "Look at the log of the server at this moment.",
  },
  D45: {
    title: "No network route leads to the address",
    seen: "Connecting ends with a timeout, EHOSTUNREACH or ENETUNREACH.",
    because: "A firewall drops the packets, the machine is off, or it is in a network that you are not in.",
    fix: "Check the address, the firewall and the VPN.",
  },
  D56: {
    title: "Client and server have no protocol version in common",
    seen: "The server agrees on a version that clients do not know, or refuses the versions that clients offer and names others.",
    because: "Both sides have to speak one revision of MCP. A client ends the connection if the server names another.",
    fix: "Upgrade the older side. A server answers `initialize` with the version that it was asked for, or with the newest that it knows.",
  },
  D57: {
    title: "A proxy stands in the way",
    seen: "The answer is 407, or the address cannot be reached directly while HTTP_PROXY or HTTPS_PROXY is set.",
    because:
      "Programs decide for themselves whether they use these variables. `doctor` connects directly, and so do most hosts.",
    fix: "Tell the host to use the proxy, give the proxy its credentials, or name the server in NO_PROXY.",
    code: "NODE_USE_ENV_PROXY=1   # Node.js 24 and newer use the variables then",
  },
  D58: {
    title: "Client and server use different HTTP transports",
    seen: "The entry of a host says `sse` and the server speaks streamable HTTP, or the other way round. A text says 405, `Method not allowed`, or that the `endpoint` event never came.",
    because:
      "One side speaks streamable HTTP and the other the old HTTP with SSE. Their requests go to other addresses with other methods.",
    fix: "Choose the other transport in your client: `http` (streamable HTTP) for addresses such as `/mcp`, `sse` for addresses such as `/sse`.",
    code: "recourse doctor <url>",
  },
  D59: {
    title: "Clients cannot sign in by themselves",
    seen: "The answer is 401, and the OAuth metadata is missing or not valid, or clients may not register themselves. A text names the metadata or the registration.",
    because: "A client needs the metadata of the server, then that of its authorization server, and then a client id.",
    fix: "Register a client at the authorization server and give its client id to the host, or give a token.",
    code: "recourse doctor --header 'Authorization: Bearer …' <url>",
    weight: "credentials",
  },
};

/** What `doctor` makes of a cause: it stops there, asks for credentials, or mentions it and goes on. */
export type CauseWeight = "broken" | "credentials" | "note";

/** One reason why a server cannot be started, reached or spoken to. Texts are for people who meet it for the first time. */
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

/** Causes on this machine: the program that should speak over stdin and stdout. */
export const PROGRAM_CAUSES: Readonly<Record<ProgramCauseId, ConnectionCause>> = {
  D1: {
    title: "The command was not found",
    seen: "Starting fails with ENOENT, or a shell inside it ends with 127 and names a command. The folder exists.",
    because:
      "No program of this name is in the folders of PATH. Desktop hosts often have a shorter PATH than your shell.",
    fix: "Install the program, or give its absolute path. In the settings of a host, give the PATH that your shell has.",
    code: "which node   # Windows: where node",
  },
  D2: {
    title: "The working folder does not exist",
    seen: "Starting fails with ENOENT, and the folder of `--cwd` is missing. Node then blames the command.",
    because: "The program was to be started in a folder that does not exist.",
    fix: "Correct the folder: `--cwd` here, `cwd` in the settings of the host. An absolute path works from everywhere.",
  },
  D3: {
    title: "The file may not be executed",
    seen: "Starting fails with EACCES, or a shell inside it ends with 126.",
    because: "The file exists, but it is not marked as executable, or it is a folder.",
    fix: "Mark the file as executable, or start it with its interpreter.",
    code: "chmod +x server.js   # or: recourse doctor node server.js",
  },
  D4: {
    title: "The interpreter of the script was not found",
    seen: "Exit code 127, and stderr says that `env` finds no `node` (or python).",
    because:
      "The first line of the script asks for an interpreter that is not in PATH. Version managers such as nvm set PATH only in shells.",
    fix: "Start the script with the absolute path of its interpreter.",
    code: "recourse doctor /absolute/path/to/node server.js",
  },
  D5: {
    title: "A file or module is missing",
    seen: "It exits, and stderr names a module or file that was not found.",
    because: "The path is wrong, the project is not built, or its dependencies are not installed.",
    fix: "Check the path from the folder in which it starts, then build and install.",
    code: "npm install && npm run build",
  },
  D6: {
    title: "A native part is missing",
    seen: "It exits, and stderr names a bindings file, or a module that was compiled for another Node.js version.",
    because: "The package was installed without its install scripts, or with another version of Node.js.",
    fix: "Install it again with the Node.js that starts the server, with install scripts allowed.",
    code: "npm rebuild",
  },
  D7: {
    title: "The configuration is incomplete",
    seen: "It exits soon, and stderr names a variable, an argument, a script or a folder.",
    because: "The server refuses to start without a setting.",
    fix: "Give what the line asks for: variables with `-e NAME=value`, arguments after the command.",
    code: "recourse doctor -e API_KEY=… node server.js",
  },
  D8: {
    title: "A service that it needs is away",
    seen: "It exits, and stderr has ECONNREFUSED, ETIMEDOUT or ENOTFOUND.",
    because: "The server connects to a database or another service while it starts, and that service does not answer.",
    fix: "Start that service, or correct its address in the server's configuration.",
  },
  D9: {
    title: "It ends before the handshake",
    seen: "Exit code 0 without an answer to `initialize`; often a usage text.",
    because: "Arguments are missing, or the program is not an MCP server on stdio.",
    fix: "Read its usage text for the argument that starts the server, such as `stdio`, `serve` or `start`.",
  },
  D10: {
    title: "The program writes other text to stdout",
    seen: "stdout has lines that are not JSON-RPC, and valid messages after them.",
    because: "stdout belongs to the protocol. A banner, a log line or the runner of a script writes there too.",
    fix: "Start the program itself instead of a script runner, write logs to stderr, or guard stdout in the first line of the code.",
    code: `import { guardStdout } from "@recourse/faults/server";\nguardStdout();`,
  },
  D11: {
    title: "Messages are framed in another way",
    seen: "stdout begins with `Content-Length:`, a byte order mark, JSON over several lines, or JSON without a newline.",
    because: "MCP over stdio is one JSON message per line, in UTF-8 without a byte order mark.",
    fix: "Write each message with `JSON.stringify(message)` and one newline after it, or use the transport of an MCP SDK.",
    code: `process.stdout.write(JSON.stringify(message) + "\\n");`,
  },
  D12: {
    title: "It serves HTTP, not stdio",
    seen: "stdout is silent, and stderr or stdout says that it listens on a URL or a port.",
    because: "The program was started in HTTP mode, so it does not read stdin.",
    fix: "Give the URL instead of the command, or start it with its switch for stdio.",
    code: "recourse doctor http://localhost:3000/mcp",
  },
  D13: {
    title: "It runs and stays silent",
    seen: "The process is alive, and no answer to `initialize` came within the limit.",
    because: "It waits for something, it is not an MCP server, or its output is held back in a buffer.",
    fix: "Look at its stderr with `--verbose`. Python programs need `python -u`. If it only starts slowly, raise the limit.",
    code: "recourse doctor --timeout 60 node server.js",
  },
  D14: {
    title: "It starts slowly",
    seen: "The answer to `initialize` took more than 5 seconds.",
    because: "The first start downloads a package, compiles, or opens connections before the handshake.",
    fix: "Answer `initialize` first and do slow work after it. Install a package instead of downloading it at every start. Or raise the start limit of the host.",
    weight: "note",
  },
  D15: {
    title: "npx asks before it installs",
    seen: "stderr says that npx was canceled due to missing packages and no YES option.",
    because: "npx asks for permission to download, and without a terminal the question cannot be answered.",
    fix: "Add `-y`.",
    code: "npx -y <package>",
  },
  D16: {
    title: "The package does not exist",
    seen: "npm, uvx or pip says that the registry does not have the package.",
    because: "The name or the scope is mistyped, or the package is private and you are not signed in to its registry.",
    fix: "Check the name on the registry. For a private package, sign in first.",
    code: "npm view <package> name",
  },
  D17: {
    title: "It was killed or ran out of memory",
    seen: "It ended by SIGKILL or SIGABRT, with exit code 134 or 137, or stderr says that the heap is out of memory.",
    because: "The system or a container stopped it, or the memory limit of Node.js was reached.",
    fix: "Raise the limit of memory, of the container or of Node.js.",
    code: "node --max-old-space-size=4096 server.js",
  },
  D18: {
    title: "It ends after the handshake",
    seen: "The handshake was answered, and then the process ended although stdin was open.",
    because: "Something in the background failed: a connection, a timer, or an error that is not caught.",
    fix: "Handle the error that the line names, so that the process goes on. `--verbose` shows all of stderr.",
  },
  D19: {
    title: "The port is already in use",
    seen: "It exits, and stderr says EADDRINUSE or that a port is in use.",
    because: "Another copy of the server, or another program, listens on that port.",
    fix: "Stop the other one, or choose another port.",
  },
  D20: {
    title: "Node.js is too old for it",
    seen: "It exits with a SyntaxError about an export or about syntax, or npm says EBADENGINE.",
    because: "The code uses what the Node.js that starts it does not have.",
    fix: "Start it with a newer Node.js. The package names the versions that it supports in `engines`.",
    code: "node --version && npm view <package> engines",
  },
  D43: {
    title: "It fails while it starts",
    seen: "It ended before the handshake with an exit code other than 0, and no other cause fits.",
    because: "An error in the program ended it.",
    fix: "Mend the error that the line names. `--verbose` shows all of stderr.",
  },
  D55: {
    title: "A process is left behind",
    seen: "After the program was stopped, a process that it had started still runs in a group of its own.",
    because: "The program started a daemon and does not end it. Each start of a host may leave another one.",
    fix: "End it when stdin is closed. `doctor` does not end processes that left the group of the program.",
    weight: "note",
  },
  D73: {
    title: "Python or its packages do not fit",
    seen: "pip or uv names a version of Python or a conflict of packages, or an import fails inside an installed package.",
    because: "The server needs another version of Python or of a package than the one that starts it.",
    fix: "Start it with `uvx`, or in a virtual environment with the version of Python that the package asks for.",
    code: "uvx --python 3.12 <package>",
  },
  D77: {
    title: "The server may not use a file or folder",
    seen: "`EACCES`, `EPERM` or `Permission denied` names a file, not a program; or the disk is full.",
    because: "The server runs as a user who may not read or write there, or the folder is protected by the system.",
    fix: "Give the server a folder that its user may write to, or correct the rights of the one that the message names.",
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
    fix: "Connect again, so that the client sends `initialize` and gets a new session id: reload the server in your host, or restart the host.",
  },
  D61: {
    title: "The request does not accept both forms of an answer",
    seen: "406, or a message such as `Not Acceptable: Client must accept text/event-stream`.",
    because: "Streamable HTTP wants an `Accept` header that names JSON and event streams in every POST.",
    fix: "Send `Accept: application/json, text/event-stream` with every POST.",
    code: "curl -H 'Accept: application/json, text/event-stream' -H 'Content-Type: application/json' …",
  },
  D62: {
    title: "A request came before the handshake was finished",
    seen: "A message says that the server is not initialized, or that a request came before initialization was complete.",
    because:
      "The client did not send `initialize` and `notifications/initialized` first, or the server makes a new transport for every request and has forgotten them.",
    fix: "Connect again; if it keeps happening, send `initialize` first and keep one transport for each session on the server.",
  },
  D63: {
    title: "The model API refuses the schema of a tool",
    seen: "400 of a model API names `input_schema`, `function_declarations` or the parameters of a function.",
    because:
      "The host sends the tools of all servers to the model. One tool has a schema that this model does not accept, and then every request fails.",
    fix: "Turn off the server of the tool that the message names; its author has to correct the `inputSchema` of that tool.",
  },
  D64: {
    title: "The tool declares an output schema and returns no structured content",
    seen: "A message says that a tool has an output schema, but no structured content was returned.",
    because:
      "A tool with an `outputSchema` has to return `structuredContent` with every success. This server does not.",
    fix: "Update the server; as its author, return `structuredContent` beside `content`, or remove the `outputSchema`.",
    code: 'return { content: [{ type: "text", text: JSON.stringify(data) }], structuredContent: data };',
  },
  D65: {
    title: "The client sends the arguments as a text",
    seen: "A validator says that `params.arguments` has to be an object and is a string.",
    because: "The client passes on the JSON text that the model wrote, without parsing it.",
    fix: "Update the client or host; as its author, parse the arguments with `JSON.parse` before you call the tool.",
  },
  D66: {
    title: "Python hides the error in a group",
    seen: "A text says `unhandled errors in a TaskGroup`, and the inner error is not part of it.",
    because:
      "Python's SDK runs connections in task groups. The last line names only the group; the real error stands above it.",
    fix: "Look for the last line of the innermost traceback, marked with `|` and `+---`, and paste all of it.",
    code: "recourse explain < traceback.txt",
  },
  D67: {
    title: "The server's process ended, or closed the connection",
    seen: "`Connection closed`, `Server disconnected`, `transport closed`, and nothing says why.",
    because: "The program crashed, was stopped, or never started. The reason is in what it wrote to stderr before.",
    fix: "Start the same command with `recourse doctor` to see why it ends, or look into the log of the host above this line.",
    code: "recourse doctor <command…>",
  },
  D68: {
    title: "The event stream was cut",
    seen: "A stream of server-sent events ended in the middle: `terminated`, `other side closed`, `incomplete chunked read`.",
    because:
      "A proxy or the server ends connections that are idle or old. Clients open the stream again by themselves.",
    fix: "Nothing to do if the client reconnects; otherwise raise the idle limit of the proxy, or let the server send a comment every 15 seconds.",
  },
  D69: {
    title: "The sign-in failed",
    seen: "The sign-in service answers `invalid_grant`, `invalid_client`, `redirect_uri` mismatch, or the callback does not fit.",
    because: "A stored token or client id is no longer valid, or the address of the callback is not registered.",
    fix: "Forget the stored sign-in of this server in your host and sign in again; for a redirect error, register the address that the message names.",
    weight: "credentials",
  },
  D70: {
    title: "The host or model refuses the list of tools",
    seen: "A message names a limit for the number of tools, or for the length or the characters of their names.",
    because:
      "Hosts and model APIs limit how many tools there are and how they are called. The tools of all servers count together.",
    fix: "Turn off servers or tools that you do not need; names have to match `^[a-zA-Z0-9_-]{1,64}$`.",
  },
  D71: {
    title: "The conversation is too long for the model",
    seen: "A model API says that the prompt, the context or the result of a tool has too many tokens.",
    because: "Tool lists, results and messages together are longer than the model can read.",
    fix: "Start a new conversation, turn off tools that you do not need, or ask the tool for less.",
  },
  D72: {
    title: "The host is not connected to the server",
    seen: "`Not connected`, `Client is not connected`, `No active transport`, `No server found`.",
    because:
      "The connection was never made or has ended, or the name is not in the settings of the host. The call was not sent.",
    fix: "Check the name in the settings of the host and reload the server there. The first error in its log says why it is not connected.",
    code: "recourse doctor <url | command…>",
  },
  D74: {
    title: "An answer came for a request that nobody waits for",
    seen: "A message says that a response has an unknown message id, or that a progress token is unknown.",
    because: "The request was given up before, often after a time limit, or the server answers with another id.",
    fix: "If a time limit was reached before, raise it; otherwise the server has to answer with the id of the request.",
  },
  D75: {
    title: "A message is not valid in the protocol",
    seen: "A validator refuses a message as a whole: `invalid_union`, `Unrecognized key`, `validation errors for JSONRPCMessage`.",
    because: "One side sends something that is not a JSON-RPC message of MCP, or the versions of both SDKs differ.",
    fix: "Update the SDKs of both sides; the path in the message names the member that is wrong.",
  },
  D76: {
    title: "The model API refuses the request",
    seen: "An error of the model's API that is not about tools: key, credit, unknown model, overload.",
    because: "The error comes from the model's provider, not from an MCP server.",
    fix: "Check the key, the credit and the name of the model in your host; if the model is overloaded, wait and try again.",
  },
  D78: {
    title: "The browser does not let the page call the server",
    seen: "A browser says that a request was blocked by its CORS policy.",
    because:
      "The client runs in a web page, and the server does not allow the origin of that page or the headers of MCP.",
    fix: "Let the server allow the origin, and expose the header `Mcp-Session-Id`, or connect through a proxy of your client.",
  },
};

/** The ids of CONFIG_CAUSES. */
type ConfigCauseId = "D46" | "D47" | "D48" | "D49" | "D50" | "D51" | "D52" | "D53" | "D54";

/** Causes in the configuration file of a host. */
const CONFIG_CAUSES: Readonly<Record<ConfigCauseId, ConnectionCause>> = {
  D46: {
    title: "The configuration file is not valid JSON",
    seen: "The host cannot read the file: a comma, a quotation mark or a bracket is missing, or a comment stands where the host allows none.",
    because: "A host that cannot read its file starts none of the servers in it.",
    fix: "Correct the file at the line and column that is named.",
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
    title: "The command holds the whole command line",
    seen: "`command` has spaces, and no program of this name exists.",
    because: "Hosts start the program without a shell, so the whole text is taken for the name of one program.",
    fix: 'Write the program into "command" and each argument into "args".',
    code: '"command": "npx", "args": ["-y", "package"]',
  },
  D49: {
    title: "The entry is not written as the host reads it",
    seen: "A member of the entry has another name or another form than the host expects, or is missing, or a name is used twice.",
    because: "Hosts ignore what they do not know, or leave out the whole server.",
    fix: "Correct the member that is named.",
    code: "recourse doctor --fix <file>",
  },
  D50: {
    title: "A value is still a placeholder",
    seen: "A value such as `YOUR_API_KEY`, `<token>` or `/path/to/…` was copied from an example.",
    because: "The example has to be filled in with your own value.",
    fix: "Put your own value there.",
  },
  D51: {
    title: "A path means something else to the host",
    seen: "A path begins with `~` or `$HOME`, or it is relative.",
    because: "No shell expands it, and the host starts programs in a folder of its own.",
    fix: "Write the absolute path.",
  },
  D52: {
    title: "A variable in the file has no value",
    seen: "The entry uses a variable that is not set, that the host does not expand, or that only the host can ask for.",
    because: "The host fills in variables before it starts the server.",
    fix: "Give the value with `-e NAME=value`, or set the variable where the host sees it.",
    code: "recourse doctor -e NAME=… <file>",
  },
  D53: {
    title: "The host may not find the program",
    seen: "The program is in the PATH of your shell, and not in the PATH that desktop programs get.",
    because: "nvm, Homebrew and similar tools add their folders to PATH in shells only.",
    fix: "Write the absolute path of the program, and give PATH in `env` of the entry.",
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

/** Every cause by its id. Ids are for ever: `recourse explain D10`, the docs and the answers of `--json` name them. */
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

/** The cause with this id, in any case of letters. Undefined if there is none. */
export function findConnectionCause(id: string): (ConnectionCause & { readonly id: ConnectionCauseId }) | undefined {
  const found = CONNECTION_CAUSE_IDS.find((one) => one === id.toUpperCase());
  return found === undefined ? undefined : { id: found, ...CONNECTION_CAUSES[found] };
}
