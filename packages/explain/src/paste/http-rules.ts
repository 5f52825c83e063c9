import { content, core, protocol, transport } from "@recourse/core/reasons";
// What MCP servers, and what stands in front of them, answer over HTTP.

import type { PasteRule } from "./rule.ts";
import { BEHIND_PROXY } from "./status.ts";

const WEB_PAGE_FIX =
  "Correct the URL: use the path of the MCP server, often `/mcp`, and sign in first if a network asks for it.";
const CHOOSE_HTTP = "Choose the transport `http` (streamable HTTP) in your client instead of `sse`.";

/** Rules about what an MCP server answers over HTTP. A status alone is read after them. */
export const SERVER_REPLY_RULES = {
  "missing-session-parameter": {
    pattern:
      /missing session_?id parameter|session_?id (?:parameter |query parameter )?is required|(?:no|missing) session_?id\b[^\n]{0,30}(?:query|param)/i,
    cause: "D58",
    reason: protocol.bad_request,
    say: () => ({
      because:
        "The address belongs to the old HTTP with SSE, which wants a `sessionId` in the URL; your client speaks streamable HTTP.",
      fix: "Choose the transport `sse` in your client with the `/sse` address of the server, or use the server's `/mcp` address if it has one.",
    }),
  },
  "missing-session-header": {
    pattern:
      /(?:Mcp-Session-Id|session id)\b(?: header)?(?: is)? (?:required|missing)|Missing (?:Mcp-Session-Id|session id)|No (?:valid )?session id provided|requires? (?:a )?session/i,
    cause: "D62",
    reason: protocol.not_initialized,
    say: () => ({
      title: "The request has no session id",
      because:
        "The server gave a session id with the answer to `initialize`, and the client does not send it, or it never sent `initialize`.",
      fix: "Send `initialize` first, and then `Mcp-Session-Id` from its answer with every request.",
    }),
  },
  session: {
    pattern:
      /(?<!\b(?:login|user|browser|chat|training|auth) )\bsession\b(?: id)?(?: [`'"]?[0-9a-f-]{8,64}[`'"]?)?(?: was| is| has| has been)? (?:not found|not exist|does not exist|terminated|expired|closed|unknown|invalid|no longer valid)|unknown (?:mcp-)?session|invalid (?:or (?:missing|expired) )?(?:mcp-)?session|no (?:transport|session) (?:found )?for session|could not find session|no such session|(?:mcp-session-id|session id)[^\n]{0,30}(?:unknown|invalid|not found|expired)|SessionNotFound/i,
    cause: "D60",
    reason: protocol.session_not_found,
  },
  "java-session": {
    pattern:
      /HttpClient(?:Sse|Streamable)\w{0,40}Transport\b[^\n]{0,80}(?:Error sending message|status code)[^\n]{0,10}\b404\b/,
    cause: "D60",
    reason: protocol.session_not_found,
  },
  accept: {
    pattern:
      /\bNot Acceptable\b|must accept (?:both )?(?:application\/json|text\/event-stream)|\baccept header\b|Accept must (?:contain|include)/i,
    cause: "D61",
    reason: protocol.bad_request,
  },
  "content-type-header": {
    pattern: /Unsupported Media Type|Content-Type must be application\/json|Invalid Content-Type header/i,
    cause: "D38",
    reason: protocol.bad_request,
    inTool: core.upstream_failed,
  },
  "host-header": {
    pattern:
      /Misdirected Request|Invalid (?:Host|Origin)(?: header)?\b|(?:host|origin)(?: header)? [^\n]{0,60}(?:not allowed|rejected|is not in the allowlist)|DNS rebinding|Blocked request\. This host/i,
    cause: "D33",
  },
  "handshake-not-understood": {
    pattern:
      /\bexpect\w{0,3} (?:an? |the )?[`'"]?initiali[sz]\w{0,4}\b[^\n]{0,30}\b(?:received|got|found)\b[^\n]{0,240}\binitialize\b|\b(?:invalid|malformed|failed to (?:parse|decode|deserialize|validate))\b[^\n]{0,20}\binitialize\b/i,
    cause: "D75",
    reason: protocol.negotiation_failed,
    say: () => ({
      title: "The server does not understand the handshake",
      because:
        "The client sent `initialize`, and the SDK of the server cannot read it: its protocol version, or a member of the request, is newer than the SDK.",
      fix: "Update the server; as its author, update its MCP SDK.",
    }),
  },
  "client-not-ready": {
    pattern:
      /\bclient\b(?: is| was| has)?(?: not|n't)(?: been)?(?: yet)? (?:initiali[sz]ed|started|ready)\b|\buninitiali[sz]ed (?:mcp )?client\b/i,
    cause: "D72",
    reason: transport.not_connected,
    say: () => ({
      because: "The client was used without a connection: connecting failed before, or was never done.",
      fix: "Look for the first error above this line, which says why the connection failed; in your own code, wait for `connect` before you use the client.",
    }),
  },
  initialization: {
    pattern:
      /\bexpect\w{0,3} (?:an? |the )?[`'"]?initiali[sz]\w{0,4}\b[^\n]{0,30}\b(?:received|got|found)\b|(?:server|session|connection|transport|protocol)\b(?: is| was| has)?(?: not|n't)(?: been| yet){0,2} initiali[sz]ed|before initiali[sz]ation|initiali[sz]ation (?:was|is|has) not (?:been )?complete|(?:must|should) (?:be )?initiali[sz]ed? first|Already initiali[sz]ed|Only one initialization request/i,
    cause: "D62",
    reason: protocol.not_initialized,
  },
  "unknown-event": {
    pattern: /\b(?:unrecogni[sz]ed|unknown|unexpected|unsupported) SSE event(?: type)?\b/i,
    cause: "D58",
    say: () => ({
      because:
        "Your client speaks the old HTTP with SSE, whose events are called `endpoint` and `message`, and this address sends other ones: it is not the old transport, or not MCP.",
      fix: "Choose the transport `http` (streamable HTTP) in your client, or correct the path, often `/sse` for the old transport.",
    }),
  },
  "endpoint-event": {
    pattern:
      /\b(?:wait\w{0,3} for|receiv\w{0,3}|expect\w{0,3}|missing|no|without)\b[^\n]{0,20}(?:\bmessage endpoint\b|\bendpoint[`'"]? event\b)|\bwaiting for (?:the )?(?:SSE )?endpoint\b|\bendpoint not received\b/i,
    cause: "D58",
    say: () => ({
      because:
        "The old HTTP with SSE begins with an event that names the `endpoint`, and this address did not send it: the server speaks streamable HTTP, the path is wrong, or a proxy holds the stream back.",
      fix: "Choose the transport `http` (streamable HTTP) in your client, or correct the path, often `/sse` for the old transport.",
    }),
  },
  "get-refused": {
    pattern:
      /(?:SSE error|SSE stream|event stream)[^\n]{0,80}(?:\b405\b|Method Not Allowed)|\bGET \S{1,200}[^\n]{0,40}\b405\b|"code": ?-32000, ?"message": ?"Method not allowed\.?"|-32000:? Method not allowed/i,
    cause: "D58",
    reason: protocol.http_method,
    say: () => ({
      because:
        "Your client opens the connection with GET, as the old HTTP with SSE does, and this server accepts only POST: it speaks streamable HTTP.",
      fix: CHOOSE_HTTP,
    }),
  },
  "post-refused": {
    pattern:
      /POST[^\n]{0,200}\b405\b|\bHTTP 405\b|\b405 (?:Method Not Allowed|status\b)|\bstatus(?: code)?\W{1,4}405\b|\(405\)|Method Not Allowed/i,
    cause: "D58",
    reason: protocol.http_method,
    inTool: protocol.http_method,
    say: () => ({
      because:
        "The address does not accept POST: the server speaks only the old HTTP with SSE, or the path of the URL is wrong.",
      fix: "Choose the transport `sse` in your client, or correct the path, often `/mcp`.",
    }),
  },
  cloudflare: {
    pattern:
      /Just a moment\.\.\.|Attention Required! \| Cloudflare|cf-mitigated|challenge-platform|error code: 10(?:06|10|15|20)\b|Enable JavaScript and cookies/i,
    cause: "D31",
    inTool: core.upstream_failed,
    say: () => ({
      title: "A protection against robots answers instead of the server",
      because: "Cloudflare or a similar service in front of the server takes your client for a robot.",
      fix: "Ask the operator of the server to let MCP clients pass at this address.",
    }),
  },
  "web-page": {
    pattern:
      /(?:content[- ]?type|received|got|expected)[^\n]{0,60}text\/html|Unexpected token '?<'?|invalid character '<' looking for|<!doctype html|<html[\s>]|\bis not valid JSON\b[^\n]{0,20}<!/i,
    cause: "D31",
    inTool: core.upstream_failed,
    say: () => ({ fix: WEB_PAGE_FIX, code: "recourse doctor <url>" }),
  },
  "other-content": {
    pattern:
      /Unexpected content[- ]type:? ?([\w/+.-]{0,60})|Invalid content type[^\n]{0,20}|expected (?:response header )?Content-Type[^\n]{0,60}text\/event-stream/i,
    cause: "D29",
    say: () => ({
      title: "The address answers with something that is not MCP",
      because:
        "The content type of the answer is neither JSON nor an event stream, so another service answers, or the transport is another one.",
      fix: "Correct the path of the URL, often `/mcp`, and choose `sse` only for servers that speak the old transport.",
      code: "recourse doctor <url>",
    }),
  },
  upstream: {
    pattern:
      /upstream connect error|no healthy upstream|upstream request timeout|no available server\b|upstream prematurely closed|error code: 52\d\b|The service is unavailable\b/i,
    cause: BEHIND_PROXY.cause,
    inTool: core.unavailable,
    effect: "possible",
    say: () => BEHIND_PROXY.words,
  },
  "version-header": {
    pattern:
      /(?:unsupported|incompatible|not supported|mismatch|invalid)[^\n]{0,40}protocol[- ]version|protocol[- ]version[^\n]{0,60}(?:unsupported|not supported|mismatch|incompatible)/i,
    cause: "D56",
  },
  "too-large": {
    pattern:
      /\bPayload Too Large\b|Request Entity Too Large|Content Too Large|\b(?:HTTP|status|code|error)\W{1,4}413\b|request body (?:too large|exceeds)/i,
    reason: content.message_too_large,
    inTool: core.upstream_failed,
  },
} as const satisfies Record<string, PasteRule>;
