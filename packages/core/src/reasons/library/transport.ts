import { integer } from "../slot.ts";
import { count, name, reason } from "./define.ts";

/** The connection failed at an unknown point. */
export const failed = reason("transport/failed", "unavailable", "The connection to the server failed[: {reason}].", { reason: name });
/** The server could not be reached, and the request was not sent. */
export const unreachable = reason("transport/unreachable", "unavailable", "The server could not be reached; the call was not sent.", {}, { effect: "none" });
/** The connection ended after the request was sent. */
export const connection_lost = reason("transport/connection_lost", "unavailable", "The connection was lost before the answer came.");
/** The server's process ended. */
export const exited = reason("transport/exited", "unavailable", "The server's process ended[ with code {exitCode}] before the answer came.", { exitCode: count });
/** The client is not connected. */
export const not_connected = reason("transport/not_connected", "unavailable", "The client is not connected to the server; the call was not sent.", {}, { effect: "none" });
/** The deadline of the call had passed before it was sent. */
export const not_sent = reason("transport/not_sent", "timeout", "The time for this call was over before it was sent.", {}, { effect: "none" });
/** Recent calls failed, so no more are sent for a while. */
export const breaker_open = reason("transport/breaker_open", "unavailable", "Recent calls[ of the tool {tool}] failed, so this call was not sent.", { tool: name }, { effect: "none" });
/** The server answered with an HTTP status that says nothing more. */
export const http_failed = reason("transport/http_failed", "upstream_failed", "The server answered with HTTP status {status}.", { status: integer });
