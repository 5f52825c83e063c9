import type { JsonObject } from "@recourse/faults/internal-do-not-use";
import { withEnvelope } from "../../wire/envelope.ts";
import type { MessageId } from "../../wire/messages.ts";
import { initializeParams } from "../handshake.ts";
import type { Group } from "./group.ts";

const ODD_IDS = { string: "recourse-probe", zero: 0, large: Number.MAX_SAFE_INTEGER } as const satisfies Record<
  string,
  MessageId
>;

/** Ids that are legal and unusual. */
export const oddId: Group = {
  stimulus: "odd-id",
  async run(talk) {
    const { revision } = talk.conversation;
    for (const [variant, id] of Object.entries(ODD_IDS)) {
      const message = { jsonrpc: "2.0", id, method: "tools/list", params: withEnvelope(revision, {}) };
      await talk.send({ stimulus: "odd-id", variant }, { message, id });
    }
  },
};

const NEVER = "1900-01-01";

/** A protocol version that never existed. Over stdio it has to be the first message of a program. */
export const unknownVersion: Group = {
  stimulus: "unknown-version",
  async run(talk) {
    const { conversation } = talk;
    const { revision, transport, waits } = conversation;
    const stimulus = "unknown-version";
    const id = conversation.nextId();
    // A program has to start first.
    const timeoutMs = transport === "stdio" ? waits.startMs : waits.requestMs;
    if (revision === "2026-07-28") {
      const params = withEnvelope(revision, {}, NEVER);
      await talk.send(
        { stimulus, variant: "body" },
        { message: { jsonrpc: "2.0", id, method: "server/discover", params }, id, timeoutMs },
      );
      return;
    }
    const message: JsonObject = { jsonrpc: "2.0", id, method: "initialize", params: initializeParams(NEVER) };
    const bare = { headers: { "mcp-session-id": undefined, "mcp-protocol-version": undefined } };
    await talk.send({ stimulus, variant: "body" }, { message, id, timeoutMs, http: bare });
    if (transport === "http") {
      const headers = { "mcp-protocol-version": NEVER };
      await talk.request({ stimulus, variant: "header" }, "tools/list", {}, { http: { headers } });
    }
  },
};

/** Notifications that nobody knows. They must not be answered. */
export const notification: Group = {
  stimulus: "notification",
  async run(talk) {
    const { revision, nextId } = talk.conversation;
    const messages: readonly (readonly [variant: string, method: string, params: JsonObject])[] = [
      ["unknown", "notifications/recourse-probe", {}],
      ["cancelled", "notifications/cancelled", { requestId: 900_000 + nextId(), reason: "recourse-probe" }],
    ];
    for (const [variant, method, params] of messages)
      await talk.send(
        { stimulus: "notification", variant },
        { message: { jsonrpc: "2.0", method, params: withEnvelope(revision, params) } },
      );
  },
};
