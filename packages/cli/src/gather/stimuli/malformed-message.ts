import type { JsonObject } from "@recourse/faults/internal-do-not-use";
import type { Revision } from "../../recording/revisions.ts";
import { withEnvelope } from "../../wire/envelope.ts";
import { keepConnection } from "../../wire/http.ts";
import type { Outgoing } from "../conversation.ts";
import type { HttpConversation } from "../http-conversation.ts";
import { MISSING, PLANTED } from "../planted.ts";
import type { Group } from "./group.ts";

/** What breaks JSON-RPC, by variant. They are made again when an exchange is repeated. */
export const MALFORMED_MESSAGES = {
  cut: () => ({ body: `{"token":"${PLANTED.bait}",`, junk: true }),
  text: () => ({ body: "recourse-probe: this is plain text, not JSON", junk: true }),
  utf8: (revision, id) => badUtf8(revision, id),
  "no-jsonrpc": (revision, id) => ({
    message: { id, method: "tools/list", params: withEnvelope(revision, {}) } as JsonObject,
    id,
    junk: true,
  }),
  "list-params": (_revision, id) => ({
    message: { jsonrpc: "2.0", id, method: "tools/list", params: [1] },
    id,
    junk: true,
  }),
} as const satisfies Record<string, (revision: Revision, id: number) => Outgoing>;

/** Messages that are no JSON-RPC. */
export const malformedMessage: Group = {
  stimulus: "malformed-message",
  async run(talk) {
    const { conversation } = talk;
    for (const [variant, make] of Object.entries(MALFORMED_MESSAGES))
      await talk.send({ stimulus: "malformed-message", variant }, make(conversation.revision, conversation.nextId()));
  },
};

/** A call of an unknown tool whose name has bytes that are not UTF-8. */
function badUtf8(revision: Revision, id: number): Outgoing {
  const message = callOf(revision, id, "recourse-probe-\ufffd", {});
  const [head = "", tail = ""] = JSON.stringify(message).split("\ufffd");
  return { message, body: Buffer.concat([Buffer.from(head), Buffer.of(0xff), Buffer.from(tail)]), id, junk: true };
}

const LEVELS = 20_000;

/** 20,000 lists inside each other. It is written as text: building it as a value would overflow here, too. */
export function deepMessage(revision: Revision, id: number): Outgoing {
  const message = callOf(revision, id, MISSING.text, { deep: "‹deep›" });
  const deep = "[".repeat(LEVELS) + "]".repeat(LEVELS);
  return { message, body: JSON.stringify(message).replace('"‹deep›"', deep), id, junk: true };
}

/** Nested lists. */
export const deepJson: Group = {
  stimulus: "deep-json",
  async run(talk) {
    const { conversation } = talk;
    await talk.send({ stimulus: "deep-json" }, deepMessage(conversation.revision, conversation.nextId()));
  },
};

/** Over the line that the SDKs accept on stdio, and over the body that most servers accept over HTTP. */
const LONG = { stdio: 11 * 1024 * 1024, http: 6_000_000 } as const;

/** A call of an unknown tool with a very long argument. */
export function longMessage(revision: Revision, transport: "stdio" | "http", id: number): Outgoing {
  const message = callOf(revision, id, MISSING.text, { long: "‹long›" });
  return { message, body: JSON.stringify(message).replace("‹long›", "a".repeat(LONG[transport])), id, junk: true };
}

/** A long message, and an ordinary one after it over the same connection. */
export const longMessages: Group = {
  stimulus: "long-message",
  async run(talk) {
    const { conversation } = talk;
    const { revision, transport } = conversation;
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const connection =
        transport === "http" ? keepConnection((conversation as HttpConversation).place.url) : undefined;
      const http = connection === undefined ? {} : { http: { connection } };
      const long = longMessage(revision, transport, conversation.nextId());
      const isLast = tries === MAX_TRIES;
      const answer = await talk.send(
        { stimulus: "long-message", variant: "itself", unless: isLast ? undefined : "inconclusive" },
        { ...long, ...http, timeoutMs: conversation.waits.longMessageMs },
      );
      // A program that died is started again: what follows would say nothing about this one.
      if (answer?.kind === "message" || answer?.kind === "body" || answer?.kind === "silent")
        await talk.request({ stimulus: "long-message", variant: "next" }, "tools/list", {}, http);
      connection?.close();
      if (answer?.kind !== "inconclusive") return;
    }
  },
};

/** A server that refuses early closes the connection, and its words are lost now and then. */
const MAX_TRIES = 3;

function callOf(revision: Revision, id: number, name: string, args: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, method: "tools/call", params: withEnvelope(revision, { name, arguments: args }) };
}
