// Too many answers, or an answer that nobody waits for any longer.

import type { Json } from "../../../dialects/wire.ts";
import { aborted } from "../clock.ts";
import { after, answer, event, type HttpMisbehaviour, JSON_TYPE, openStream, type Turn } from "./turn.ts";

function stream(turn: Turn, messages: readonly Json[]): void {
  openStream(turn);
  turn.response.end(messages.map(event).join(""));
}

export const REPEATED = {
  "answers-twice": after("Answers the same request twice.", (turn, reply) => stream(turn, [reply, reply])),
  "answers-other-first": after("Answers a request that nobody sent, then the right one.", (turn, reply) =>
    stream(turn, [{ ...reply, id: 987_654_321 }, reply]),
  ),
  "changes-its-mind": after("Answers, then takes it back with an error.", (turn, reply) =>
    stream(turn, [reply, { jsonrpc: "2.0", id: reply["id"], error: { code: -32603, message: "Internal error" } }]),
  ),
  "late-after-cancel": after("Waits for the cancellation and answers all the same.", async (turn, reply) => {
    await Promise.race([aborted(turn.cancelled), aborted(turn.signal)]);
    if (!turn.signal.aborted) answer(turn, 200, JSON_TYPE, JSON.stringify(reply));
  }),
} as const satisfies Record<string, HttpMisbehaviour>;
