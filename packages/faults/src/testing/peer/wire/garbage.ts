// The bodies that are wrong in themselves, and wrong ways to carry an honest one.
import { BODIES, type Body } from "./bodies.ts";
import { after, answer, event, type HttpMisbehaviour, JSON_TYPE, openStream } from "./turn.ts";

type Names = keyof typeof BODIES;

/** Each body as an HTTP reply that claims to be in order. */
const carried = Object.fromEntries(
  Object.entries<Body>(BODIES).map(([name, { about, of }]) => {
    const type = name === "html-200" ? { "content-type": "text/html" } : JSON_TYPE;
    return [name, after(about, (turn, reply) => answer(turn, 200, type, of(reply)))];
  }),
) as Record<Names, HttpMisbehaviour>;

export const GARBAGE = {
  ...carried,
  "accepted-202": after("Answers a request as if it were a notification.", (turn) => answer(turn, 202, {})),
  "no-content-204": after("Answers that there is nothing to say.", (turn) => answer(turn, 204, {})),
  "text-plain": after("Sends the honest reply as plain text.", (turn, reply) =>
    answer(turn, 200, { "content-type": "text/plain" }, JSON.stringify(reply)),
  ),
  "no-content-type": after("Sends the honest reply without a type.", (turn, reply) =>
    answer(turn, 200, {}, JSON.stringify(reply)),
  ),
  "stream-not-json": after("Sends an event that is not JSON.", (turn) => {
    openStream(turn);
    turn.response.end(event("Sorry, something went wrong here."));
  }),
  "stream-wrong-id": after("Sends an event that answers a request that nobody sent.", (turn, reply) => {
    openStream(turn);
    turn.response.end(event({ ...reply, id: 987_654_321 }));
  }),
} as const satisfies Record<string, HttpMisbehaviour>;
