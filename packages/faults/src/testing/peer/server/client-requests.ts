// Requests from the server to its client: sampling and elicitation.
import { type JsonObject, objectAt } from "../../../json/read.ts";
import { missing_client_capability } from "../../../reasons/library/protocol.ts";
import { withTimeout } from "../clock.ts";
import type { RequestId } from "../json-rpc.ts";
import type { MethodContext, Session } from "./state.ts";

/** A request to the client, and the faults that it may end in. */
export interface ClientRequest {
  readonly capability: "sampling" | "elicitation";
  readonly method: string;
  readonly params: JsonObject;
  /** The fault when the client answers with an error. */
  readonly refusedError: () => Error;
  /** The fault when the client does not answer in time. */
  readonly timeoutError: () => Error;
}

/** Sends a request to the client and gives its result. The client must have declared the capability. */
export async function requestClient(context: MethodContext, question: ClientRequest): Promise<JsonObject> {
  const { state, session, signal, send } = context;
  const { capability, method, params, refusedError, timeoutError } = question;
  if (!Object.hasOwn(session.capabilities, capability)) throw missing_client_capability({ capabilities: [capability] });
  const id = state.nextId("question");
  const token = state.nextId("progress");
  state.progressTokens.set(token, "live");
  try {
    const response = await withTimeout(state.limits.questionMs, { signal, timeoutError }, () => {
      const coming = new Promise<JsonObject>((resolve) => session.pending.set(id, resolve));
      send({ jsonrpc: "2.0", id, method, params: { ...params, _meta: { progressToken: token } } });
      return coming;
    });
    const result = objectAt(response, "result");
    if (result === undefined) throw refusedError();
    return result;
  } finally {
    session.pending.delete(id);
    state.progressTokens.set(token, "ended");
  }
}

/** Hands a response of the client to the request that waits for it. A response to no request is ignored. */
export function deliverResponse(session: Session | undefined, id: RequestId, message: JsonObject): void {
  session?.pending.get(id)?.(message);
}
