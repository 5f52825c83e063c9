import { type Json, memberAt, stringAt } from "../../../dialects/wire.ts";
import { invalid_token, token_expired } from "../../../reasons/library/progress.ts";
import { type Id, idOf } from "../message.ts";
import type { Context, Session } from "./world.ts";

type Heard = (context: Context) => void;

/** Stops the request that the client names; one that is not running is nobody's business any more. */
const cancelled: Heard = ({ session, ask }) => {
  const id = idOf({ id: memberAt(ask.params, "requestId") }) as Id;
  session.running.get(id)?.abort(stringAt(ask.params, "reason"));
};

/** How far the client has come with a question of the peer's. */
const progress: Heard = ({ world, ask }) => {
  const token = memberAt(ask.params, "progressToken");
  const state = world.tokens.get(String(token));
  if (state === undefined) throw invalid_token(typeof token === "string" ? { progressToken: token } : {});
  if (state === "ended") throw token_expired();
};

const initialized: Heard = ({ session }) => {
  session.phase = "ready";
};

/** What the peer does when it is told something; all else is heard and forgotten. */
export const HEARD: Readonly<Record<string, Heard>> = {
  "notifications/initialized": initialized,
  "notifications/cancelled": cancelled,
  "notifications/progress": progress,
} satisfies Record<string, Heard>;

/** Hands the client's answer to whoever asked; an answer to no question is forgotten. */
export function deliver(session: Session | undefined, id: Id, message: Json): void {
  session?.asked.get(id)?.(message);
}
