// Everything comes, or some of it, in its own time.
import { aborted, wait } from "../clock.ts";
import {
  after,
  answer,
  event,
  flushed,
  type HttpMisbehaviour,
  JSON_TYPE,
  openStream,
  reset,
  type Turn,
} from "./turn.ts";

/** Begins a body of which more is promised than will come. */
async function half(turn: Turn, body: string): Promise<void> {
  const bytes = Buffer.from(body);
  turn.response.writeHead(200, { ...JSON_TYPE, "content-length": bytes.length });
  await flushed(turn, bytes.subarray(0, Math.ceil(bytes.length / 2)));
}

export const SLOW = {
  "slow-headers": after("Answers rightly, but late.", async (turn, reply) => {
    await wait(turn.ms, turn.signal);
    answer(turn, 200, JSON_TYPE, JSON.stringify(reply));
  }),
  "slow-body": after("Sends the head at once and the body in drips.", async (turn, reply) => {
    const bytes = Buffer.from(JSON.stringify(reply));
    turn.response.writeHead(200, JSON_TYPE);
    const size = Math.ceil(bytes.length / 8);
    for (let at = 0; at < bytes.length && !turn.signal.aborted; at += size) {
      await flushed(turn, bytes.subarray(at, at + size));
      await wait(turn.ms / 8, turn.signal);
    }
    turn.response.end();
  }),
  "slow-stream": after("Keeps an event stream alive with comments, then answers.", async (turn, reply) => {
    openStream(turn);
    for (let beat = 0; beat < 4 && !turn.signal.aborted; beat++) {
      await flushed(turn, ": still here\n\n");
      await wait(turn.ms / 4, turn.signal);
    }
    turn.response.end(event(reply));
  }),
  "stalled-head": after("Sends the head and never a body.", async (turn) => {
    turn.response.writeHead(200, JSON_TYPE);
    turn.response.flushHeaders();
    await aborted(turn.signal);
  }),
  "stalled-body": after("Sends half of the body and falls silent.", async (turn, reply) => {
    await half(turn, JSON.stringify(reply));
    await aborted(turn.signal);
  }),
  "stalled-stream": after("Opens an event stream and falls silent.", async (turn) => {
    openStream(turn);
    await aborted(turn.signal);
  }),
  "half-close": after("Sends half of the body and closes politely.", async (turn, reply) => {
    await half(turn, JSON.stringify(reply));
    turn.response.socket?.end();
  }),
  "reset-mid-body": after("Sends half of the body and resets the connection.", async (turn, reply) => {
    await half(turn, JSON.stringify(reply));
    reset(turn);
  }),
  "reset-mid-stream": after("Sends half of an event and resets the connection.", async (turn, reply) => {
    openStream(turn);
    const text = event(reply);
    await flushed(turn, text.slice(0, text.length / 2));
    reset(turn);
  }),
} as const satisfies Record<string, HttpMisbehaviour>;
