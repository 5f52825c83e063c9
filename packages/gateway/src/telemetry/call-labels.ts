import type { Fault } from "@recourse/faults";
import { type Attributes, metricAttributes } from "@recourse/faults/telemetry";
import type { Call } from "../pipeline/call.ts";

/** The method of a call that was refused before its message was read. */
const UNREAD = "unread";

/** Methods are chosen by callers, so only those that led somewhere become a label. */
export function methodLabel({ message, route }: Call): string {
  if (message === undefined) return UNREAD;
  return route === undefined ? "refused" : message.method;
}

/** The name of a listed tool, as callers know it. */
export function toolLabel({ route }: Call): string | undefined {
  return route?.kind === "upstream" ? route.tool?.name : undefined;
}

/** The upstream that a call went to. */
function upstreamLabel({ route }: Call): string | undefined {
  return route?.kind === "upstream" ? route.upstream.options.name : undefined;
}

/** The labels of a success. There are few of them, so each is made once. */
const successes = new Map<string, Attributes>();
/** Reloads can replace every tool; then the labels are collected from the beginning. */
const MAX_SUCCESSES = 10_000;

/** The labels of a call in the metrics. Their values are few, whatever callers and upstreams send. */
export function callLabels(call: Call, fault: Fault | undefined): Attributes {
  const method = methodLabel(call);
  const tool = toolLabel(call);
  const upstream = upstreamLabel(call);
  if (fault !== undefined) {
    const about = metricAttributes(fault, { method, tool });
    return upstream === undefined ? about : { ...about, "recourse.upstream": upstream };
  }
  const key = `${method} ${upstream} ${tool}`;
  const known = successes.get(key);
  if (known !== undefined) return known;
  const made: Attributes = {
    "mcp.method.name": method,
    ...(tool !== undefined && { "gen_ai.tool.name": tool, "gen_ai.operation.name": "execute_tool" }),
    ...(upstream !== undefined && { "recourse.upstream": upstream }),
  };
  if (successes.size >= MAX_SUCCESSES) successes.clear();
  successes.set(key, made);
  return made;
}
