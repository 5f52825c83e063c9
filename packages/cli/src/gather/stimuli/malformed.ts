import { hasHandshake, type JsonObject } from "@recourse/core/wire";
import type { EraRevision, RecordedAnswer } from "../../recording/recording.ts";
import { keepConnection } from "../../wire/http.ts";
import { type MessageId, withEnvelope } from "../../wire/messages.ts";
import { initializeRequestParams, type StimulusRequest } from "../conversation.ts";
import type { HttpConversation } from "../http-conversation.ts";
import { MISSING_VALUES, PLANTED } from "../valid-arguments.ts";
import type { EraFacts, StimulusGroup } from "./group.ts";

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
} as const satisfies Record<string, (revision: EraRevision, id: number) => StimulusRequest>;

/** Messages that are no JSON-RPC. */
export const brokenMessage: StimulusGroup = {
  stimulus: "malformed-message",
  async run(talk) {
    const { conversation } = talk;
    for (const [variant, make] of Object.entries(MALFORMED_MESSAGES))
      await talk.send({ stimulus: "malformed-message", variant }, make(conversation.revision, conversation.nextId()));
  },
};

/** A call of an unknown tool whose name has bytes that are not UTF-8. */
function badUtf8(revision: EraRevision, id: number): StimulusRequest {
  const message = callMessage(revision, id, "recourse-probe-\ufffd", {});
  const [head = "", tail = ""] = JSON.stringify(message).split("\ufffd");
  return { message, body: Buffer.concat([Buffer.from(head), Buffer.of(0xff), Buffer.from(tail)]), id, junk: true };
}

const NESTED_LEVELS = 20_000;

/** 20,000 lists inside each other. It is written as text: building it as a value would overflow here, too. */
export function deepMessage(revision: EraRevision, id: number): StimulusRequest {
  const message = callMessage(revision, id, MISSING_VALUES.text, { deep: "‹deep›" });
  const deep = "[".repeat(NESTED_LEVELS) + "]".repeat(NESTED_LEVELS);
  return { message, body: JSON.stringify(message).replace('"‹deep›"', deep), id, junk: true };
}

/** Nested lists. */
export const deepJson: StimulusGroup = {
  stimulus: "deep-json",
  async run(talk) {
    const { conversation } = talk;
    await talk.send({ stimulus: "deep-json" }, deepMessage(conversation.revision, conversation.nextId()));
  },
};

/** Over the line that the SDKs accept on stdio, and over the body that most servers accept over HTTP. */
const LONG_BYTES = { stdio: 11 * 1024 * 1024, http: 6_000_000 } as const;

/** A call of an unknown tool with a very long argument. */
export function longMessage(revision: EraRevision, transport: "stdio" | "http", id: number): StimulusRequest {
  const message = callMessage(revision, id, MISSING_VALUES.text, { long: "‹long›" });
  return {
    message,
    body: JSON.stringify(message).replace("‹long›", "a".repeat(LONG_BYTES[transport])),
    id,
    junk: true,
  };
}

/** A long message, and an ordinary one after it over the same connection. */
export const longMessages: StimulusGroup = {
  stimulus: "long-message",
  async run(talk) {
    const { conversation } = talk;
    const { revision, transport } = conversation;
    const { kinds, max } = TRIED_AGAIN[transport];
    let tries = 0;
    const isUnsure = ({ kind }: RecordedAnswer): boolean =>
      kinds.includes(kind) && tries < max && conversation.ended() === undefined;
    for (;;) {
      tries += 1;
      const connection =
        transport === "http" ? keepConnection((conversation as HttpConversation).place.url) : undefined;
      const http = connection === undefined ? {} : { http: { connection } };
      const long = longMessage(revision, transport, conversation.nextId());
      const answer = await talk.send(
        { stimulus: "long-message", variant: "itself", unless: isUnsure },
        { ...long, ...http, timeoutMs: conversation.waits.longMessageMs },
      );
      // A program that died is started again: what follows would say nothing about this one.
      if (answer?.kind === "message" || answer?.kind === "body" || answer?.kind === "silent")
        await talk.request({ stimulus: "long-message", variant: "next" }, "tools/list", {}, http);
      connection?.close();
      if (answer === undefined || !isUnsure(answer)) return;
    }
  },
};

/**
 * What is tried again, and how often it is tried at most. A server that refuses early closes the connection, and its words are
 * lost now and then. A program may have ended for another reason, such as a timer of its own, while it read the long line:
 * only what happens each time is due to the line.
 */
const TRIED_AGAIN: Readonly<
  Record<"stdio" | "http", { readonly kinds: readonly RecordedAnswer["kind"][]; readonly max: number }>
> = {
  stdio: { kinds: ["inconclusive", "closed"], max: 2 },
  http: { kinds: ["inconclusive"], max: 3 },
};

function callMessage(revision: EraRevision, id: number, name: string, args: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, method: "tools/call", params: withEnvelope(revision, { name, arguments: args }) };
}

interface MalformedRequest {
  readonly variant: string;
  readonly method: string;
  readonly params: unknown;
  /** The capability without which the method is rightly unknown. */
  readonly needs?: string;
  /** Sent in the older era only. */
  readonly older?: true;
}

/** No real tool and no real prompt is named: a server that does not look would run it. */
const MALFORMED_REQUESTS: readonly MalformedRequest[] = [
  { variant: "no-name", method: "tools/call", params: { arguments: {} }, needs: "tools" },
  { variant: "name-5", method: "tools/call", params: { name: 5, arguments: {} }, needs: "tools" },
  {
    variant: "arguments-text",
    method: "tools/call",
    params: { name: MISSING_VALUES.text, arguments: "text" },
    needs: "tools",
  },
  {
    variant: "arguments-list",
    method: "tools/call",
    params: { name: MISSING_VALUES.text, arguments: [] },
    needs: "tools",
  },
  {
    variant: "arguments-null",
    method: "tools/call",
    params: { name: MISSING_VALUES.text, arguments: null },
    needs: "tools",
  },
  { variant: "cursor-12", method: "tools/list", params: { cursor: 12 }, needs: "tools" },
  { variant: "no-uri", method: "resources/read", params: {}, needs: "resources" },
  { variant: "not-a-uri", method: "resources/read", params: { uri: "not a uri" }, needs: "resources" },
  {
    variant: "prompt-argument-5",
    method: "prompts/get",
    params: { name: MISSING_VALUES.text, arguments: { text: 5 } },
    needs: "prompts",
  },
  { variant: "level", method: "logging/setLevel", params: { level: "recourse" }, needs: "logging", older: true },
  { variant: "initialize-5", method: "initialize", params: initializeRequestParams(5), older: true },
];

/** Parameters that break the protocol. */
export const malformedParams: StimulusGroup = {
  stimulus: "malformed-params",
  async run(talk, facts) {
    const isOlder = hasHandshake(talk.conversation.revision);
    for (const { variant, method, params, needs, older } of MALFORMED_REQUESTS) {
      if ((older === true && !isOlder) || !hasCapability(facts, needs)) continue;
      // A second handshake within a session would be refused for another reason.
      const http =
        method === "initialize" ? { headers: { "mcp-session-id": undefined, "mcp-protocol-version": undefined } } : {};
      await talk.request({ stimulus: "malformed-params", variant }, method, params, { http });
    }
  },
};

function hasCapability({ capabilities }: EraFacts, capability: string | undefined): boolean {
  return capability === undefined || capabilities[capability] !== undefined;
}

const ODD_IDS = { string: "recourse-probe", zero: 0, large: Number.MAX_SAFE_INTEGER } as const satisfies Record<
  string,
  MessageId
>;

/** Ids that are legal and unusual. */
export const oddId: StimulusGroup = {
  stimulus: "odd-id",
  async run(talk) {
    const { revision } = talk.conversation;
    for (const [variant, id] of Object.entries(ODD_IDS)) {
      const message = { jsonrpc: "2.0", id, method: "tools/list", params: withEnvelope(revision, {}) };
      await talk.send({ stimulus: "odd-id", variant }, { message, id });
    }
  },
};

const NO_SUCH_VERSION = "1900-01-01";

/** A protocol version that never existed. Over stdio it has to be the first message of a program. */
export const unknownVersion: StimulusGroup = {
  stimulus: "unknown-version",
  async run(talk) {
    const { conversation } = talk;
    const { revision, transport, waits } = conversation;
    const stimulus = "unknown-version";
    const id = conversation.nextId();
    // A program has to start first.
    const timeoutMs = transport === "stdio" ? waits.startMs : waits.requestMs;
    if (!hasHandshake(revision)) {
      const params = withEnvelope(revision, {}, NO_SUCH_VERSION);
      await talk.send(
        { stimulus, variant: "body" },
        { message: { jsonrpc: "2.0", id, method: "server/discover", params }, id, timeoutMs },
      );
      return;
    }
    const message: JsonObject = {
      jsonrpc: "2.0",
      id,
      method: "initialize",
      params: initializeRequestParams(NO_SUCH_VERSION),
    };
    const bare = { headers: { "mcp-session-id": undefined, "mcp-protocol-version": undefined } };
    await talk.send({ stimulus, variant: "body" }, { message, id, timeoutMs, http: bare });
    if (transport === "http") {
      const headers = { "mcp-protocol-version": NO_SUCH_VERSION };
      await talk.request({ stimulus, variant: "header" }, "tools/list", {}, { http: { headers } });
    }
  },
};

/** Notifications that nobody knows. They must not be answered. */
export const notification: StimulusGroup = {
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
