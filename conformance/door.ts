// The library behind the door of the conformance runner:
//   recourse conformance run -- node --conditions=@recourse/source conformance/door.ts
import { createInterface } from "node:readline";
import * as dialects from "@recourse/core/dialects";
import { decide } from "@recourse/core/retry";
import { installTextFilter } from "@recourse/core/safety";
import { readPeerFault } from "../packages/core/src/dialects/peer-fault.ts";
import type { Fault } from "../packages/core/src/fault/fault.ts";
import { readOwnFault } from "../packages/core/src/fault/read.ts";
import { render } from "../packages/core/src/render/render.ts";

/** One request of the runner. */
export interface DoorRequest {
  readonly id?: number;
  readonly do: string;
  readonly dialect?: string;
  readonly wire?: unknown;
  readonly fault?: unknown;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly situation?: Readonly<Record<string, unknown>> & { readonly leftMs: number | null; readonly fault: unknown };
}

interface AnyDialect {
  decode(wire: unknown, context?: object): unknown;
  encode?(fault: unknown, context?: object): unknown;
}

const LEVELS = ["reader", "writer", "advisor", "dialects"];

/** The answer to one request, without its id. */
export function answer(request: DoorRequest): object {
  const dialect = (dialects as unknown as Record<string, AnyDialect>)[request.dialect ?? ""];
  switch (request.do) {
    case "hello":
      return { name: "@recourse/faults", version: "0.1.0", levels: LEVELS };
    case "decode":
      return { fault: dialect?.decode(request.wire, request.context) ?? null };
    case "encode":
      return { wire: dialect?.encode?.(request.fault, request.context) };
    case "render": {
      const isPeer = request.context?.["from"] === "peer";
      const fault = isPeer ? readPeerFault(request.fault) : readOwnFault(request.fault);
      return fault === undefined ? { error: "not a fault" } : { text: render(fault, { for: "model" }) };
    }
    case "decide": {
      const { leftMs, fault, ...facts } = request.situation ?? { leftMs: null, fault: undefined };
      const situation = { ...facts, leftMs: leftMs ?? Number.POSITIVE_INFINITY, fault: readOwnFault(fault) as Fault };
      return { decision: decide(situation as Parameters<typeof decide>[0]) };
    }
    default:
      return { unsupported: true };
  }
}

if (import.meta.main) {
  installTextFilter();
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as DoorRequest;
    process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
  }
}
