import type * as protocol from "../../reasons/library/protocol.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `protocol`. */
export const protocolDocs = {
  parse_error: {
    title: "Not JSON",
    causes: [
      "The JSON has a syntax error, such as a trailing comma.",
      "The bytes are not UTF-8.",
      "The message was cut off on its way.",
      "Something else writes to the same stream, such as a log line on stdout.",
    ],
    remedies: [
      "The host software writes the message with a JSON serialiser, never by hand.",
      "Compare the bytes that were sent with those that arrived.",
      "Send logs to stderr when the transport is stdio.",
    ],
    severity: "warning",
    codes: [
      { system: "onx", code: "-32700", note: "A JSON-RPC error." },
      { system: "erlmcp", code: "-32700" },
    ],
  },
  invalid_request: {
    title: "Not a valid request",
    causes: [
      "One of `jsonrpc`, `method` and `id` is missing.",
      "A member has the wrong type.",
      "A batch holds an item that is no request, or batches are not served at all.",
    ],
    remedies: [
      "The host software sends a JSON-RPC 2.0 request with all of its members.",
      "Check the types: `method` is text, `id` is text or a number.",
      "Send the requests of a batch one by one to find the wrong one.",
    ],
    severity: "warning",
    codes: [
      { system: "onx", code: "-32600", note: "A JSON-RPC error." },
      { system: "erlmcp", code: "-32600" },
    ],
  },
  method_not_found: {
    title: "Method not offered",
    causes: [
      "The name of the method is misspelt.",
      "The server does not implement the method or did not declare the capability for it.",
      "The method belongs to another revision of the protocol.",
    ],
    remedies: [
      "Choose a method that the declared capabilities of the server cover.",
      "Check that the connection was initialised and which revision was agreed on.",
      "The operator upgrades the server if the method is needed.",
    ],
    severity: "warning",
    codes: [
      { system: "onx", code: "-32601", note: "A JSON-RPC error." },
      { system: "erlmcp", code: "-32601" },
    ],
  },
  invalid_params: {
    title: "Parameters not valid",
    causes: [
      "A parameter that the method requires is missing.",
      "A parameter has the wrong type.",
      "A parameter breaks a rule of the method.",
    ],
    remedies: [
      "Correct the parameters that are named and send the request again.",
      "Compare the request with the definition of the method in this revision.",
      "Do not send the same parameters again.",
    ],
    severity: "warning",
    codes: [
      {
        system: "onx",
        code: "-32602",
        note: "A JSON-RPC error, found before the tool runs; `data.field` names the place.",
      },
      { system: "erlmcp", code: "-32602" },
    ],
  },
  bad_request: {
    title: "Malformed request",
    causes: [
      "The body is not of the declared content type.",
      "A header or a part of the address is malformed.",
      "The request was built for another version of the interface.",
    ],
    remedies: [
      "The host software corrects how it builds the request; other arguments do not help.",
      "Compare the raw request with an example that works.",
      "Do not repeat it unchanged.",
    ],
    severity: "warning",
    codes: [{ system: "closient", code: "-32100" }],
  },
  malformed_call: {
    title: "Malformed tool call",
    causes: [
      "The parameters of `tools/call` lack the name of the tool.",
      "`arguments` is not an object, for example JSON written into a text.",
      "Members of the call stand at the wrong level.",
    ],
    remedies: [
      "The host software corrects the JSON-RPC around the call; the tool's arguments are not the problem.",
      "Send `name` and `arguments` as members of `params`.",
      "Use the client of an SDK rather than building the message by hand.",
    ],
    severity: "warning",
    codes: [{ system: "platica", code: "-32602", note: "The JSON-RPC is malformed, not the tool's arguments." }],
  },
  http_method: {
    title: "HTTP method not served",
    causes: [
      "The address was called with GET or DELETE, and it takes only POST.",
      "A client tries to open a stream or end a session that this server does not have.",
      "Somebody opened the address in a browser.",
    ],
    remedies: [
      "There is nothing a model can do: the client has to send POST.",
      "Set the client to streamable HTTP without a separate stream.",
      "A client treats this answer to GET or DELETE as a plain no and goes on.",
    ],
    severity: "info",
    codes: [{ system: "platica", code: "-32000", note: "GET or DELETE on an address that takes only POST." }],
  },
  capability_not_supported: {
    title: "Capability of the server missing",
    causes: [
      "The server does not have the feature.",
      "The server has it but did not declare it when the connection was initialised.",
    ],
    remedies: [
      "Choose a way that needs only the capabilities that the server declared.",
      "Read them in the answer to `initialize` before relying on one.",
      "The operator upgrades the server or switches the feature on.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32004" }],
  },
  missing_client_capability: {
    title: "Capability of the client missing",
    causes: [
      "The tool needs something from the client, such as elicitation or sampling, that it did not declare.",
      "The client has the feature but it is switched off.",
    ],
    remedies: [
      "Choose another tool, or give as arguments what the server wanted to ask for.",
      "Use a host that has the capability, or switch it on.",
      "Authors of servers offer a way for clients without the capability.",
    ],
    severity: "warning",
  },
  not_initialized: {
    title: "Connection not initialised",
    causes: [
      "A request was sent before `initialize`.",
      "The answer to `initialize` came, but `notifications/initialized` was not sent yet.",
      "The server was restarted and expects a new start.",
    ],
    remedies: [
      "Send `initialize` first, wait for the answer, send `notifications/initialized`, then call again.",
      "Hold back other requests until this is done.",
      "Connect anew after the server was restarted.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32005" }],
  },
  version_unsupported: {
    title: "Protocol version not supported",
    causes: [
      "The client asked for a revision that the server does not know.",
      "One side was upgraded and the other was not.",
      "The revision is misspelt or made up.",
    ],
    remedies: [
      "Choose one of the supported revisions that are listed and connect with it.",
      "Upgrade the older side if none of them will do.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32061" }],
  },
  version_mismatch: {
    title: "No protocol version in common",
    causes: [
      "Client and server support different revisions only.",
      "A request names another revision than the one that was agreed on.",
    ],
    remedies: [
      "Choose another server, or another client that speaks the server's revision.",
      "Upgrade the older side.",
      "Send the agreed revision with every request.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32062" }],
  },
  negotiation_failed: {
    title: "Capabilities not agreed on",
    causes: [
      "One side insists on a capability that the other does not have.",
      "The declared capabilities are malformed.",
      "Something between the two removed or changed the declaration.",
    ],
    remedies: [
      "Choose a server that declares what the client needs.",
      "Compare what both sides declare in `initialize`.",
      "Make capabilities optional where the work can do without them.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32063" }],
  },
  header_mismatch: {
    title: "Header contradicts the body",
    causes: [
      "A header that the revision requires is missing.",
      "The header names another method, tool or revision than the body.",
      "A proxy changed the body or the header alone.",
    ],
    remedies: [
      "The host software derives the headers from the body that it sends.",
      "Check which headers the agreed revision requires.",
      "The operator lets the proxy pass them unchanged.",
    ],
    severity: "warning",
  },
  session_not_found: {
    title: "Session not known",
    causes: [
      "The server was restarted or ended the session.",
      "The session was idle for too long.",
      "The request reached another instance that does not share sessions.",
    ],
    remedies: [
      "The operator sees to it that sessions survive restarts or stick to one instance.",
      "The client connects anew, then makes the call again: it was not carried out.",
      "Read again what belonged to the session, such as subscriptions.",
    ],
    severity: "warning",
  },
  invalid_result: {
    title: "Answer not valid",
    causes: [
      "The server's answer does not have the form that the method promises.",
      "The answer is of another revision than the one agreed on.",
      "Something between the two changed the answer.",
    ],
    remedies: [
      "The operator of the server corrects what it sends; the incident holds the answer.",
      "Do not repeat the call: it may well have been carried out.",
      "Compare the versions of client and server.",
    ],
    severity: "error",
  },
  request_state_invalid: {
    title: "State of the exchange not valid",
    causes: [
      "The state was changed on its way, or is not the one that the server gave out.",
      "The state is too old.",
      "The state was given out by another instance with another key.",
    ],
    remedies: [
      "The host software hands the state back exactly as it came.",
      "Start the exchange from the beginning, without a state.",
      "The operator gives all instances the same key.",
    ],
    severity: "warning",
  },
  rounds_exceeded: {
    title: "Asked for input too many times",
    causes: [
      "The tool asks for the same input again and again.",
      "The answers never satisfy the tool, so it does not come to an end.",
      "The work needs more rounds than are allowed.",
    ],
    remedies: [
      "The operator looks at why the tool does not come to an end.",
      "Stop, and tell the user what was asked for.",
      "Give more as arguments at the start, so that fewer questions are needed.",
    ],
    severity: "error",
  },
} as const satisfies Record<keyof typeof protocol, ReasonDoc>;
