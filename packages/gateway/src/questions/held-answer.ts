import { skipSpace, valuesOf } from "../call/json-bytes.ts";
import { withSpans } from "../call/json-edit.ts";
import type { RequestMessage } from "../call/message.ts";
import type { AskedQuestion } from "./held-call.ts";

/** The response that asks a caller, as bytes. The params of the questions stay as they are. `id` is JSON. */
export function encodeAsks(id: string, asks: readonly AskedQuestion[], state: string): Buffer {
  const pieces: Buffer[] = [
    Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","inputRequests":{`),
  ];
  asks.forEach(({ key, method, params }, at) => {
    const comma = at === 0 ? "" : ",";
    const begin = `${comma}${JSON.stringify(key)}:{"method":${JSON.stringify(method)},"params":`;
    pieces.push(Buffer.from(begin), params, Buffer.from("}"));
  });
  pieces.push(Buffer.from(`},"requestState":${JSON.stringify(state)}}}`));
  return Buffer.concat(pieces);
}

/** A JSON-RPC response with another id. The rest stays as it is. */
export function withResponseId(response: Buffer, id: string): Buffer {
  const known = valuesOf(response, skipSpace(response, 0), "id");
  return known.length === 0 ? response : withSpans(response, known, id);
}

/**
 * A notification of a held call as the call that waits for it may read it: progress goes by the token of that call, and
 * is dropped if it has none.
 */
export function forLeg(notification: Buffer, { meta }: RequestMessage): Buffer | undefined {
  const start = skipSpace(notification, 0);
  const method = valuesOf(notification, start, "method").at(-1);
  if (method === undefined) return undefined;
  if (notification.toString("utf8", method.start, method.end) !== '"notifications/progress"') return notification;
  const token = meta?.["progressToken"];
  if (typeof token !== "string" && typeof token !== "number") return undefined;
  const params = valuesOf(notification, start, "params").at(-1);
  const known = params === undefined ? [] : valuesOf(notification, params.start, "progressToken");
  return known.length === 0 ? undefined : withSpans(notification, known, JSON.stringify(token));
}
