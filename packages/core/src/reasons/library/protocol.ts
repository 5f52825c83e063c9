import { methodName, name, names, reason } from "./define.ts";

/** The message is not JSON. */
export const parse_error = reason("protocol/parse_error", "invalid_request", "The message is not valid JSON.");
/** The JSON is not a valid request. */
export const invalid_request = reason("protocol/invalid_request", "invalid_request", "The message is not a valid request.");
/** The method is not offered. */
export const method_not_found = reason("protocol/method_not_found", "unsupported", "This server does not offer the method[ {method}].", { method: methodName });
/** The parameters of the method are wrong. */
export const invalid_params = reason("protocol/invalid_params", "invalid_input", "The parameters of the request are not valid.");
/** The HTTP request is malformed. */
export const bad_request = reason("protocol/bad_request", "invalid_request", "The request is malformed.");
/** The JSON-RPC around the tool call is malformed. */
export const malformed_call = reason("protocol/malformed_call", "invalid_request", "The call is malformed: a call has the name of a tool, and arguments that are an object.");
/** The HTTP method is not served at this address. */
export const http_method = reason("protocol/http_method", "unsupported", "This address accepts only POST.", {}, { recourse: [{ do: "stop" }] });
/** A capability is needed that the server does not have. */
export const capability_not_supported = reason("protocol/capability_not_supported", "unsupported", "The server does not have the capability that this request needs[: {capability}].", { capability: name });
/** A capability is needed that the client did not declare. */
export const missing_client_capability = reason(
  "protocol/missing_client_capability",
  "unsupported",
  "The client did not declare the capability that this request needs[: {capabilities}].",
  { capabilities: names },
  { recourse: [{ do: "stop" }] },
);
/** A call came before the connection was initialised. */
export const not_initialized = reason("protocol/not_initialized", "precondition_failed", "The connection is not initialised yet[ (phase {phase})].", { phase: name });
/** The protocol version is not served. */
export const version_unsupported = reason("protocol/version_unsupported", "unsupported", "The protocol version is not supported[; supported are {supported}].", { requested: name, supported: names }, { recourse: [{ do: "stop" }] });
/** Client and server have no version in common. */
export const version_mismatch = reason("protocol/version_mismatch", "unsupported", "Client and server have no protocol version in common.", {}, { recourse: [{ do: "stop" }] });
/** Client and server could not agree on capabilities. */
export const negotiation_failed = reason("protocol/negotiation_failed", "unsupported", "Client and server could not agree on their capabilities.", {}, { recourse: [{ do: "stop" }] });
/** A header contradicts the body. */
export const header_mismatch = reason("protocol/header_mismatch", "invalid_request", "A header of the request is missing or contradicts its body.");
/** The server does not know the session. */
export const session_not_found = reason("protocol/session_not_found", "unavailable", "The session is not known to the server, so the connection has to be made anew.", {}, { effect: "none" });
/** The server answered with a result that is not valid. */
export const invalid_result = reason("protocol/invalid_result", "internal", "The server answered with a result that is not valid.");
/** The client returned a request state that the server did not issue. */
export const request_state_invalid = reason("protocol/request_state_invalid", "invalid_request", "The state of this exchange is invalid or expired.");
/** The server asked for input too many times. */
export const rounds_exceeded = reason("protocol/rounds_exceeded", "internal", "The server asked for more input too many times.");
