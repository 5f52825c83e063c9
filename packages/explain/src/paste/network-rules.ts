import { core, transport } from "@recourse/core/reasons";
// How network and TLS failures are written by Node, Python, Go, Rust, Java and browsers.

import { type CauseWords, firstGroup, type Groups, type PasteRule } from "./rule.ts";

function refusedAddress(groups: Groups): CauseWords {
  const address = firstGroup(groups);
  const port = /:(\d{1,5})$/.exec(address ?? "")?.[1];
  if (address === undefined || port === undefined) return {};
  return {
    title: `Nothing listens on ${address}`,
    fix: `Start the server, and compare port ${port} with the one that it prints.`,
    code: `lsof -i :${port}   # Windows: netstat -ano | findstr :${port}`,
  };
}

function unknownName(groups: Groups): CauseWords {
  const name = firstGroup(groups);
  return name === undefined ? {} : { title: `The name "${name}" is unknown` };
}

/** A socket or a named pipe of a service. */
function missingSocket(groups: Groups): CauseWords {
  const path = firstGroup(groups) ?? "";
  const because = "The server connects to a service through this socket, and no service has it open.";
  if (/docker|podman/i.test(path))
    return {
      title: `Docker is not running, or has another socket than ${path}`,
      because,
      fix: "Start Docker (Docker Desktop on macOS and Windows); if it runs, give the server its socket in `DOCKER_HOST`.",
      code: "docker context ls",
    };
  return { title: `A service that the server needs does not answer: ${path}`, because };
}

/** Rules about networks and TLS, the most telling first. */
export const NETWORK_RULES = {
  certificate: {
    pattern:
      /CERT_HAS_EXPIRED|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|ERR_TLS_CERT_ALTNAME_INVALID|ERR_CERT_[A-Z_]{3,40}|CERTIFICATE_VERIFY_FAILED|self[- ]signed certificate|certificate (?:has expired|verify failed|signed by unknown authority|is not trusted)|unable to (?:verify the first|get local issuer) certificate|x509: |PKIX path building failed|invalid peer certificate|does not match certificate's altnames|UntrustedRoot/i,
    cause: "D26",
    inTool: core.misconfigured,
  },
  "not-tls": {
    pattern:
      /wrong version number|WRONG_VERSION_NUMBER|server gave HTTP response to HTTPS client|first record does not look like a TLS handshake|ERR_SSL_PROTOCOL_ERROR|ERR_SSL_PACKET_LENGTH|packet length too long|Unrecognized SSL message, plaintext/i,
    cause: "D27",
    inTool: core.misconfigured,
  },
  "not-http": {
    pattern:
      /Client sent an HTTP request to an HTTPS server|plain HTTP request was sent to HTTPS port|\bHPE_INVALID_[A-Z_]{3,40}|Parse Error: Expected HTTP|malformed HTTP response|illegal status line/i,
    cause: "D24",
    inTool: core.upstream_failed,
  },
  "proxy-sign-in": {
    pattern:
      /Proxy Authentication Required|\b(?:HTTP|status|code|error)\W{1,4}407\b|\b407 Proxy\b|ERR_(?:PROXY|TUNNEL)_[A-Z_]{3,40}|Tunnel connection failed|ProxyError/i,
    cause: "D57",
    inTool: core.misconfigured,
  },
  cors: {
    pattern:
      /blocked by CORS policy|CORS (?:request|error|header)|Access-Control-Allow-(?:Origin|Headers)|Cross-Origin Request Blocked/i,
    cause: "D78",
  },
  "service-refused": {
    pattern:
      /(?:ECONNREFUSED |dial tcp )((?:\[[0-9a-f:]{2,45}\]|[0-9a-f:]{2,45}|[\w.-]{1,100}):(?:5432|3306|6379|27017|9200|5672|1433|11434|6333|7687))\b/i,
    cause: "D8",
    // The server itself runs, so a tool may have done a part of its work before.
    effect: "possible",
    inTool: core.unavailable,
    say: (groups) => ({
      title: `A service that the server needs does not answer: ${firstGroup(groups) ?? ""}`,
      because: "The port belongs to a database or a similar service, and nothing listens there.",
    }),
  },
  "service-socket": {
    pattern:
      /\bconnect (?:ENOENT|ECONNREFUSED) ([\\/][^\s"']{1,200})|\bdial unix ([^\s:"']{1,200}): connect: (?:no such file|connection refused)/i,
    cause: "D8",
    effect: "possible",
    inTool: core.unavailable,
    say: missingSocket,
  },
  refused: {
    pattern:
      /ECONNREFUSED ((?:\[[0-9a-f:]{2,45}\]|[0-9a-f:]{2,45}|[\w.-]{1,100}):\d{1,5})\b|dial tcp ((?:\[[0-9a-f:]{2,45}\]|[\w.-]{1,100}):\d{1,5}): connect(?:ex)?: connection refused|Failed to connect to ([\w.-]{1,100}(?: port |:)\d{1,5})\b[^\n]{0,80}refused|\bECONNREFUSED\b|\bConnectionRefused(?:Error)?\b|ERR_CONNECTION_REFUSED|\bconnection refused\b|actively refused|\bAll connection attempts failed\b|\[Errno (?:111|61)\]|WinError 1225|WinError 10061/i,
    cause: "D21",
    reason: transport.unreachable,
    inTool: core.unavailable,
    say: (groups) => refusedAddress(groups.map((group) => group?.replace(" port ", ":"))),
  },
  "unknown-name": {
    pattern:
      /\b(?:ENOTFOUND|EAI_AGAIN|EAI_NONAME) ([\w.-]{1,200})|lookup ([\w.-]{1,200})[^\n]{0,60}: no such host|Could not resolve host:? ([\w.-]{1,200})|UnknownHostException: ([\w.-]{1,200})|\bENOTFOUND\b|\bEAI_AGAIN\b|getaddrinfo failed|Name or service not known|nodename nor servname|Temporary failure in name resolution|no such host|ERR_NAME_NOT_RESOLVED|failed to lookup address|No address associated with hostname/i,
    cause: "D23",
    reason: transport.unreachable,
    inTool: core.unavailable,
    say: unknownName,
  },
  "no-route": {
    pattern:
      /\bEHOSTUNREACH\b|\bENETUNREACH\b|\bEHOSTDOWN\b|No route to host|Network is unreachable|connect ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|Connect Timeout Error|\bConnectTimeout\b|dial tcp [^\n]{1,200}i\/o timeout|ERR_CONNECTION_TIMED_OUT|ERR_INTERNET_DISCONNECTED|ERR_ADDRESS_UNREACHABLE|HttpConnectTimeoutException|\[Errno 110\]|connect: connection timed out|\bcurl: \(28\)/i,
    cause: "D45",
    reason: transport.unreachable,
    inTool: core.unavailable,
  },
} as const satisfies Record<string, PasteRule>;

/** Rules about connections that ended. What else the text says counts before them. */
export const LOST_RULES = {
  "stream-cut": {
    pattern:
      /SSE stream disconnected|TypeError: terminated|incomplete chunked read|peer closed connection without sending complete|stream (?:was )?(?:closed|ended|aborted|reset|interrupted)|Premature close|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP2_PROTOCOL_ERROR|Body Timeout Error|UND_ERR_BODY_TIMEOUT|ERR_INCOMPLETE_CHUNKED|unexpected EOF/i,
    cause: "D68",
    reason: transport.connection_lost,
    inTool: core.upstream_failed,
    effect: "possible",
  },
  "broken-pipe": {
    pattern:
      /\bEPIPE\b|broken ?pipe(?:error)?|BrokenResourceError|ClosedResourceError|write after end|ERR_STREAM_DESTROYED|ERR_STREAM_WRITE_AFTER_END|stdin is not (?:writable|available)/i,
    cause: "D67",
    reason: transport.connection_lost,
    effect: "possible",
  },
  reset: {
    pattern:
      /\bECONNRESET\b|socket hang up|connection reset|other side closed|UND_ERR_SOCKET|Server disconnected without sending|RemoteProtocolError|ConnectionAbortedError|ERR_CONNECTION_(?:RESET|CLOSED)|ERR_EMPTY_RESPONSE|Network connection lost|Empty reply from server|forcibly closed/i,
    cause: "D42",
    reason: transport.connection_lost,
    inTool: core.upstream_failed,
    effect: "possible",
    say: () => ({
      title: "The connection broke before the answer came",
      because: "The server crashed while it answered, or a proxy or firewall closed the connection.",
      fix: "Look at the log of the server at this moment, then at the time limits of the proxy.",
    }),
  },
  "fetch-failed": {
    pattern:
      /\bfetch failed\b|\bFailed to fetch\b|NetworkError when attempting|\bLoad failed\b|\bnetwork error\b|\berror sending request\b/i,
    reason: transport.failed,
    inTool: core.upstream_failed,
    say: () => ({
      because: "A request over the network failed, and the text does not say why; an inner error (cause) would.",
      fix: "Check that this machine reaches the address, and look for the inner error in the log: it names the reason.",
    }),
  },
} as const satisfies Record<string, PasteRule>;
