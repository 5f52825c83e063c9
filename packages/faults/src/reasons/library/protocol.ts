import { defineLibraryReason, methodName, name, names } from "./define.ts";

/** The message is not JSON. */
export const parse_error = defineLibraryReason("protocol/parse_error", {
  kind: "invalid_request",
  text: "The message is not valid JSON.",
});

/** The JSON is not a valid request. */
export const invalid_request = defineLibraryReason("protocol/invalid_request", {
  kind: "invalid_request",
  text: "The message is not a valid request.",
});

/** The method is not offered. */
export const method_not_found = defineLibraryReason("protocol/method_not_found", {
  kind: "unsupported",
  text: "This server does not offer the method[ {method}].",
  slots: { method: methodName },
});

/** The parameters of the method are wrong. */
export const invalid_params = defineLibraryReason("protocol/invalid_params", {
  kind: "invalid_input",
  text: "The parameters of the request are not valid.",
});

/** The HTTP request is malformed. */
export const bad_request = defineLibraryReason("protocol/bad_request", {
  kind: "invalid_request",
  text: "The request is malformed.",
});

/** The JSON-RPC around the tool call is malformed. */
export const malformed_call = defineLibraryReason("protocol/malformed_call", {
  kind: "invalid_request",
  text: "The call is malformed: a call has the name of a tool, and arguments that are an object.",
});

/** The HTTP method is not served at this address. */
export const http_method = defineLibraryReason("protocol/http_method", {
  kind: "unsupported",
  text: "This address accepts only POST.",
  details: { recourse: [{ do: "stop" }] },
});

/** A capability is needed that the server does not have. */
export const capability_not_supported = defineLibraryReason("protocol/capability_not_supported", {
  kind: "unsupported",
  text: "The server does not have the capability that this request needs[: {capability}].",
  slots: { capability: name },
});

/** A capability is needed that the client did not declare. */
export const missing_client_capability = defineLibraryReason("protocol/missing_client_capability", {
  kind: "unsupported",
  text: "The client did not declare the capability that this request needs[: {capabilities}].",
  slots: { capabilities: names },
  details: { recourse: [{ do: "stop" }] },
});

/** A call came before the connection was initialised. */
export const not_initialized = defineLibraryReason("protocol/not_initialized", {
  kind: "precondition_failed",
  text: "The connection is not initialised yet[ (phase {phase})].",
  slots: { phase: name },
});

/** The protocol version is not served. */
export const version_unsupported = defineLibraryReason("protocol/version_unsupported", {
  kind: "unsupported",
  text: "The protocol version is not supported[; supported are {supported}].",
  slots: { requested: name, supported: names },
  details: { recourse: [{ do: "stop" }] },
});

/** Client and server have no version in common. */
export const version_mismatch = defineLibraryReason("protocol/version_mismatch", {
  kind: "unsupported",
  text: "Client and server have no protocol version in common.",
  details: { recourse: [{ do: "stop" }] },
});

/** Client and server could not agree on capabilities. */
export const negotiation_failed = defineLibraryReason("protocol/negotiation_failed", {
  kind: "unsupported",
  text: "Client and server could not agree on their capabilities.",
  details: { recourse: [{ do: "stop" }] },
});

/** A header contradicts the body. */
export const header_mismatch = defineLibraryReason("protocol/header_mismatch", {
  kind: "invalid_request",
  text: "A header of the request is missing or contradicts its body.",
});

/** The server does not know the session. */
export const session_not_found = defineLibraryReason("protocol/session_not_found", {
  kind: "unavailable",
  text: "The session is not known to the server, so the connection has to be made anew.",
  details: { effect: "none" },
});

/** The server answered with a result that is not valid. */
export const invalid_result = defineLibraryReason("protocol/invalid_result", {
  kind: "internal",
  text: "The server answered with a result that is not valid.",
});

/** The client returned a request state that the server did not issue. */
export const request_state_invalid = defineLibraryReason("protocol/request_state_invalid", {
  kind: "invalid_request",
  text: "The state of this exchange is invalid or expired.",
});

/** The server asked for input too many times. */
export const rounds_exceeded = defineLibraryReason("protocol/rounds_exceeded", {
  kind: "internal",
  text: "The server asked for more input too many times.",
});
