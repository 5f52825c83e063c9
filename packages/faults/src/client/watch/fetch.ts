import { callOf } from "./call.ts";
import { fetchForCall } from "./for-call.ts";
import { fetchForConnection } from "./for-connection.ts";
import { fetchToResume } from "./for-resume.ts";
import type { Parts } from "./parts.ts";
import type { FetchLike } from "./watched.ts";

/** The fetch for the SDK's transport: MCP exchanges are watched, those of an authorisation pass unseen. */
export function watchedFetch(parts: Parts): FetchLike {
  return (url, init = {}) => {
    const { body } = init;
    if (typeof body === "string") {
      const call = callOf(body);
      if (call !== undefined) return fetchForCall(parts, parts.attempts.of(call), { url, init });
      return body.includes('"jsonrpc"') ? fetchForConnection(parts, { url, init }) : parts.fetch(url, init);
    }
    if (init.method !== undefined && init.method !== "GET") return parts.fetch(url, init);
    const headers = new Headers(init.headers);
    const eventId = headers.get("last-event-id");
    const resumed = eventId === null ? undefined : parts.attempts.resumedFrom(eventId);
    if (resumed !== undefined) return fetchToResume(parts, resumed, { url, init });
    const isStream = headers.get("accept")?.includes("text/event-stream") === true;
    return isStream ? fetchForConnection(parts, { url, init }) : parts.fetch(url, init);
  };
}
