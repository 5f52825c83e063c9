// The effect has happened, and the caller does not get to hear of it.
import { aborted } from "../clock.ts";
import { after, answer, before, flushed, type HttpMisbehaviour, openStream, reset, type Turn } from "./turn.ts";

const HTML = { "content-type": "text/html" } as const;
const gateway = (status: number, title: string) => (turn: Turn) =>
  answer(turn, status, HTML, `<html><head><title>${status} ${title}</title></head><body></body></html>`);

export const LOST = {
  "lost-socket": after("Carries the call out, then destroys the socket.", reset),
  "lost-stream": after("Carries the call out, then ends an event stream without an answer.", (turn) => {
    openStream(turn);
    turn.response.end();
  }),
  "lost-stream-reset": after("Carries the call out, then resets an event stream that has begun.", async (turn) => {
    openStream(turn);
    await flushed(turn, ": working\n\n");
    reset(turn);
  }),
  "lost-502": after("Carries the call out, then a gateway answers 502.", gateway(502, "Bad Gateway")),
  "lost-504": after("Carries the call out, then a gateway answers 504.", gateway(504, "Gateway Timeout")),
  "lost-silence": after("Carries the call out and never answers.", (turn) => aborted(turn.signal)),
  "dropped-socket": before("Destroys the socket before anything is done.", reset),
  "dropped-silence": before("Never does anything and never answers.", (turn) => aborted(turn.signal)),
} as const satisfies Record<string, HttpMisbehaviour>;
