import type { Outgoing } from "../conversation.ts";
import type { HttpConversation } from "../http-conversation.ts";
import type { Group } from "./group.ts";

const FOREIGN = "recourse-probe.invalid";

/** What differs from an ordinary list of tools, by variant. */
const EDGES: Readonly<Record<string, Outgoing>> = {
  put: { http: { method: "PUT" } },
  "text-plain": { http: { headers: { "content-type": "text/plain" } } },
  "foreign-origin": { http: { headers: { origin: `https://${FOREIGN}` } } },
  "foreign-host": { http: { headers: { host: FOREIGN } } },
  "unknown-session": { http: { headers: { "mcp-session-id": "recourse-probe-missing" } } },
  "empty-body": { body: "", junk: true },
};

/** Odd HTTP requests. */
export const httpEdge: Group = {
  stimulus: "http-edge",
  async run(talk) {
    const conversation = talk.conversation as HttpConversation;
    for (const [variant, edge] of Object.entries(EDGES)) {
      // A server without sessions has none that could be unknown.
      if (variant === "unknown-session" && conversation.session().id === undefined) continue;
      if (variant === "empty-body") await talk.send({ stimulus: "http-edge", variant }, edge);
      else await talk.request({ stimulus: "http-edge", variant }, "tools/list", {}, edge);
    }
  },
};
