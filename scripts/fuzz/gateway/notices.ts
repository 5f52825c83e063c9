// Messages of an upstream before its answer, in the shapes that a caller must never be harmed by.
import { mutateBytes, mutateJson } from "./mutate.ts";
import type { Random } from "./random.ts";

/** What the stream of a call may report. */
export interface NoticeFacts {
  /** The progress token that the upstream was given; undefined if it got none. */
  readonly token: unknown;
  /** The credential that the upstream was shown. No answer may contain it. */
  readonly credential: string;
}

/** A notification, or several, as the text of a stream. */
type Shape = (random: Random, facts: NoticeFacts) => string;

const METHODS = [
  "notifications/progress",
  "notifications/message",
  "notifications/elicitation/complete",
  "notifications/tools/list_changed",
  "notifications/resources/updated",
  "notifications/cancelled",
  "notifications/tasks/status",
  "notifications/evil",
  "ping",
  "sampling/createMessage",
];

const eventOf = (data: string | Buffer): string => `event: message\ndata: ${String(data)}\n\n`;
const noteOf = (method: string, params: unknown): string => JSON.stringify({ jsonrpc: "2.0", method, params });
const progressOf = (token: unknown, more: object = {}): string =>
  noteOf("notifications/progress", { progressToken: token, progress: 1, ...more });

/** Mostly small: after a flood the upstream has to wait, and nothing else would be tried. */
const sizeOf = (random: Random, max: number): number => random.below(random.once(20) ? max : max / 100);

const SHAPES: readonly Shape[] = [
  (_, { token }) => eventOf(progressOf(token)),
  // Tokens of others, of other types, twice, and none.
  (random) => eventOf(progressOf(random.pick<unknown>([1, "1", "x-1", null, 1e308, {}, "__proto__"]))),
  (_, { token }) => eventOf(progressOf(token).replace('"progress":1', '"progressToken":9,"progress":1')),
  (_, { token }) => eventOf(progressOf(token).replace('"jsonrpc"', '"params":{"progressToken":9},"jsonrpc"')),
  (_, { token }) => eventOf(progressOf(token).replace("progressToken", "progress\\u0054oken")),
  (random) => eventOf(noteOf(random.pick(METHODS), { uri: "file:///a", requestId: 1, data: "x" })),
  (random, { token }) => eventOf(JSON.stringify(mutateJson(random, JSON.parse(progressOf(token))))),
  (random, { token }) => eventOf(mutateBytes(random, Buffer.from(progressOf(token)))),
  // The credential, as different writers of JSON escape it, and in the name of a member.
  (_, { credential }) => eventOf(noteOf("notifications/message", { level: "info", data: `Bearer ${credential}` })),
  (_, { credential, token }) => eventOf(progressOf(token, { message: credential, [credential]: credential })),
  (_, { credential }) => eventOf(noteOf("notifications/message", { data: `\\${credential}\n${credential}` })),
  // Many, large, on several lines of data, and what is no event at all.
  (random) => eventOf(noteOf("notifications/message", { data: 1 })).repeat(sizeOf(random, 1_500)),
  (random) => eventOf(noteOf("notifications/message", { data: "x".repeat(sizeOf(random, 100_000)) })),
  (random, { token }) =>
    `data: ${progressOf(token).replaceAll(",", ",\ndata: ")}\n${"data:\n".repeat(sizeOf(random, 2_000))}\n`,
  (random) => `:${"x".repeat(sizeOf(random, 70_000))}\n`.repeat(1 + random.below(4)),
  (random) => "\n".repeat(sizeOf(random, 70_000)),
  (random) => eventOf(`${"[".repeat(random.below(3_000))}`),
];

/** What an upstream sends before its answer. */
export function noticesOf(random: Random, facts: NoticeFacts): string {
  return Array.from({ length: random.below(4) }, () => random.pick(SHAPES)(random, facts)).join("");
}
