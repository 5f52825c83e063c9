import { detect } from "../../dialects/detect.ts";
import { decodeEmbeddedFault } from "../../dialects/mcp/decode.ts";
import type { Fault } from "../../fault/fault.ts";
import { cancelled, timeout } from "../../reasons/library/core.ts";
import { connection_lost, unreachable } from "../../reasons/library/transport.ts";
import { limitFilters } from "../../safety/filter-work.ts";
import { asReceived } from "../../safety/received-text.ts";
import type { Ending } from "../send.ts";
import { type ReadContext, wasNeverSent } from "./context.ts";
import { readThrown } from "./read-thrown.ts";

const CLIENT = { origin: { layer: "client" } } as const;
const TRANSPORT = { origin: { layer: "transport" } } as const;

/** The fault of an attempt; undefined when its answer is a success after all. A reply is decoded once. */
export function readFailure(ending: Ending, given: ReadContext): Fault | undefined {
  return limitFilters(() => readEnding(ending, asReceived(given)));
}

function readEnding(ending: Ending, context: ReadContext): Fault | undefined {
  switch (ending.how) {
    case "answered":
      return readResult(ending.result, context);
    case "threw":
      return readThrown(ending.error, context);
    case "aborted":
      return cancelled.fault({}, { ...CLIENT, effect: wasNeverSent(context) ? "none" : "possible" });
    case "late":
      if (wasNeverSent(context)) return unreachable.fault({}, TRANSPORT);
      return timeout.fault({ timeoutMs: Math.round(context.limitMs) }, CLIENT);
    case "lost":
      return connection_lost.fault({}, TRANSPORT);
    default:
      return ending satisfies never;
  }
}

/** A fault that the server states counts first, then the dialect that it is known to write, then any that is known. */
function readResult(result: unknown, context: ReadContext): Fault | undefined {
  return (
    decodeEmbeddedFault(result, context) ?? context.dialect?.decode(result, context) ?? detect(result, context)?.fault
  );
}
