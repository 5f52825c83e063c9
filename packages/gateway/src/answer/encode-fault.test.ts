import { core, tool, transport } from "@recourse/core/reasons";
import { expect, it } from "vitest";
import type { Call } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import { isGatewayIncident } from "./encode-fault.ts";

type Facts = Parameters<typeof isGatewayIncident>[0];

const caller = { id: "ann" } as Caller;
const nothing: Facts = { caller, reply: undefined, judged: undefined, textHidden: false };
const OUTAGE = transport.http_failed.fault({ status: 500 });
const failed = (fault = OUTAGE, isOld = false): Facts => ({
  ...nothing,
  reply: { kind: "failed", fault, isOld } satisfies Call["reply"],
  judged: fault,
});

it.each([
  ["an upstream that failed", failed(), OUTAGE, true],
  ["a bug of the gateway", nothing, core.internal.fault(), true],
  ["a bug before it is known who calls", { ...nothing, caller: undefined }, core.internal.fault(), false],
  ["a store or an issuer that is away", nothing, core.unavailable.fault(), false],
  ["too many streams", nothing, core.overloaded.fault(), false],
  ["a body that came too slowly", nothing, core.timeout.fault(), false],
  ["an open breaker", nothing, transport.breaker_open.fault(), false],
  ["an upstream that is known to be away", failed(core.unavailable.fault(), true), core.unavailable.fault(), false],
  ["arguments that an upstream refuses", failed(tool.invalid_arguments.fault()), tool.invalid_arguments.fault(), false],
  ["the same with hidden text", { ...failed(), textHidden: true }, tool.invalid_arguments.fault(), true],
] as const)("%s", (_, call, fault, is) => {
  expect(isGatewayIncident(call, fault)).toBe(is);
});
