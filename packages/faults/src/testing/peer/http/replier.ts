import type { ServerResponse } from "node:http";
import type { Json } from "../../../dialects/wire.ts";
import type { Reply } from "../surface/refusal.ts";
import { event, JSON_TYPE, openStream } from "../wire/turn.ts";

/** Writes an honest reply: as JSON, or as the last event of a stream once something was sent ahead of it. */
export interface Replier {
  readonly send: (message: Json) => void;
  finish(reply: Reply, headers?: Readonly<Record<string, string>>): void;
}

/** Begins with nothing sent. */
export function createReplier(response: ServerResponse): Replier {
  let streaming = false;
  return {
    send(message) {
      if (!streaming) openStream({ response });
      streaming = true;
      response.write(event(message));
    },
    finish({ status, headers: own, message }, headers = {}) {
      if (streaming) {
        response.end(message === undefined ? "" : event(message));
        return;
      }
      const type = message === undefined ? {} : JSON_TYPE;
      response.writeHead(status, { ...type, ...own, ...headers });
      response.end(message === undefined ? "" : JSON.stringify(message));
    },
  };
}
