import { core, type Fault, tool, transport } from "@recourse/faults";
import type { Ended } from "./exchange.ts";

const TRANSPORT = { origin: { layer: "transport" } } as const;
const GATEWAY = { origin: { layer: "gateway" }, effect: "none" } as const;

/** What is known about a message beside how it ended. */
export interface EndedFacts {
  readonly timeoutMs: number;
  readonly maxLineBytes: number;
}

/** The fault of a message without an answer. */
export function faultOf(ended: Exclude<Ended, { how: "answered" }>, facts: EndedFacts): Fault {
  switch (ended.how) {
    case "unsent":
      return ended.why === "full" ? busy() : unreachable();
    case "lost":
      return transport.connection_lost.fault({}, TRANSPORT);
    case "late":
      return core.timeout.fault({ timeoutMs: Math.round(facts.timeoutMs) }, { origin: { layer: "gateway" } });
    case "aborted":
      return core.cancelled.fault({}, { origin: { layer: "gateway" } });
    case "too_large":
      return tool.result_too_large.fault(
        { maxSize: facts.maxLineBytes },
        { origin: { layer: "upstream" }, effect: "possible" },
      );
    default:
      return ended satisfies never;
  }
}

/** The child does not run, and the message was not sent. */
export function unreachable(afterMs = 0): Fault {
  return transport.unreachable.fault({}, { ...TRANSPORT, ...(afterMs > 0 && { afterMs }) });
}

/** The command of the file cannot be run: waiting does not help. */
export function notRunnable(): Fault {
  return core.misconfigured.fault({}, { origin: { layer: "upstream" }, effect: "none" });
}

/** All children are busy, or this one has too much to read. */
export function busy(): Fault {
  return core.overloaded.fault({}, { ...GATEWAY, afterMs: 1_000 });
}

/** The time was over before the child was there. */
export function notSent(): Fault {
  return transport.not_sent.fault({}, TRANSPORT);
}

/** The caller left before the message was sent. */
export function cancelledUnsent(): Fault {
  return core.cancelled.fault({}, GATEWAY);
}
