import { integer } from "../slot.ts";
import { count, defineLibraryReason, name } from "./define.ts";

/** The connection failed at an unknown point. */
export const failed = defineLibraryReason("transport/failed", {
  kind: "unavailable",
  text: "The connection to the server failed[: {reason}].",
  slots: { reason: name },
});

/** The server could not be reached, and the request was not sent. */
export const unreachable = defineLibraryReason("transport/unreachable", {
  kind: "unavailable",
  text: "The server could not be reached; the call was not sent.",
  details: { effect: "none" },
});

/** The connection ended after the request was sent. */
export const connection_lost = defineLibraryReason("transport/connection_lost", {
  kind: "unavailable",
  text: "The connection was lost before the answer came.",
});

/** The server's process ended. */
export const exited = defineLibraryReason("transport/exited", {
  kind: "unavailable",
  text: "The server's process ended[ with code {exitCode}] before the answer came.",
  slots: { exitCode: count },
});

/** The client is not connected. */
export const not_connected = defineLibraryReason("transport/not_connected", {
  kind: "unavailable",
  text: "The client is not connected to the server; the call was not sent.",
  details: { effect: "none" },
});

/** The deadline of the call had passed before it was sent. */
export const not_sent = defineLibraryReason("transport/not_sent", {
  kind: "timeout",
  text: "The time for this call was over before it was sent.",
  details: { effect: "none" },
});

/** Recent calls failed, so no more are sent for a while. */
export const breaker_open = defineLibraryReason("transport/breaker_open", {
  kind: "unavailable",
  text: "Recent calls[ of the tool {tool}] failed, so this call was not sent.",
  slots: { tool: name },
  details: { effect: "none" },
});

/** The server answered with an HTTP status that says nothing more. */
export const http_failed = defineLibraryReason("transport/http_failed", {
  kind: "upstream_failed",
  text: "The server answered with HTTP status {status}.",
  slots: { status: integer },
});
