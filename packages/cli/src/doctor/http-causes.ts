import type { Cause } from "./cause.ts";

/** Causes on the way to a server over HTTP, and in its answers. */
export const HTTP_CAUSES = {
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
} as const satisfies Record<string, Cause>;
