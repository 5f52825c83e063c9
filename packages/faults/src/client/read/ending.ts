import { detect } from "../../dialects/detect.ts";
import type { Fault } from "../../fault/fault.ts";
import { cancelled, timeout } from "../../reasons/library/core.ts";
import { connection_lost, unreachable } from "../../reasons/library/transport.ts";
import type { Ending } from "../send.ts";
import type { ReadContext } from "./context.ts";
import { readThrown } from "./thrown.ts";

const CLIENT = { origin: { layer: "client" } } as const;
const TRANSPORT = { origin: { layer: "transport" } } as const;

/** The fault of an attempt; undefined when its answer is a success after all. */
export function readEnding(ending: Ending, context: ReadContext): Fault | undefined {
  switch (ending.how) {
    case "answered":
      return readResult(ending.result, context);
    case "threw":
      return readThrown(ending.error, context);
    case "aborted":
      return cancelled.fault({}, { ...CLIENT, effect: neverLeft(context) ? "none" : "possible" });
    case "late":
      if (neverLeft(context)) return unreachable.fault({}, TRANSPORT);
      return timeout.fault({ timeoutMs: Math.round(context.limitMs) }, CLIENT);
    case "lost":
      return connection_lost.fault({}, TRANSPORT);
    default:
      return ending satisfies never;
  }
}

/** No byte of the request left this machine, so nothing can have come of it. */
function neverLeft({ seen }: ReadContext): boolean {
  return seen?.phase === "connect" && seen.exchanges === 1;
}

/** A fault that the server states is taken as it is; then counts what its dialect says, if that is known. */
function readResult(result: unknown, context: ReadContext): Fault | undefined {
  const found = detect(result, context);
  if (found?.basis === "stated") return found.fault;
  return context.dialect?.decode(result, context) ?? found?.fault;
}
