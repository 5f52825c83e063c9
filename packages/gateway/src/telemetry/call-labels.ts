import { type Fault, knownKind } from "@recourse/core";
import { type Attributes, metricAttributes } from "@recourse/core/telemetry";
import type { Call } from "../call/call.ts";

/** The method of a call that was refused before its message was read. */
const UNREAD = "unread";
/** The method of a stream that a caller opened for its session: it has no message. */
const STREAM = "stream";

/** Methods are chosen by callers, so only those that led somewhere become a label. */
export function methodLabel({ message, route }: Call): string {
  if (message === undefined) return route === undefined ? UNREAD : STREAM;
  return route === undefined ? "refused" : message.method;
}

/** The name of a listed tool, as callers know it. */
export function toolLabel({ route }: Call): string | undefined {
  return route?.kind === "upstream" ? route.tool?.name : undefined;
}

function upstreamLabel({ route }: Call): string | undefined {
  return route?.kind === "upstream" ? route.upstream.options.name : undefined;
}

/** The labels of a call. Calls that are counted together show the same objects. */
export interface CallLabels {
  /** For durations. Each combination is a series for every bucket, so these are few: method, tool, upstream, kind of the fault. */
  readonly duration: Attributes;
  /** For the counter of faults, and for spans. */
  readonly all: Attributes;
}

/** Labels that were made before, by what they are made of. */
const knownLabels = new Map<string, CallLabels>();
/** Labels of durations that were made before, by what they say. */
const knownDurationLabels = new Map<string, Attributes>();
/** Reloads can replace every tool; then the labels are collected from the beginning. */
const MAX_KNOWN_LABELS = 10_000;

/** The labels of a call in the metrics. Their values are few, whatever callers and upstreams send. */
export function callLabels(call: Call, fault: Fault | undefined): CallLabels {
  const method = methodLabel(call);
  const tool = toolLabel(call);
  const upstream = upstreamLabel(call);
  const key = fault === undefined ? `${method} ${upstream} ${tool}` : faultKey(fault, [method, upstream, tool]);
  const known = knownLabels.get(key);
  if (known !== undefined) return known;
  const about = fault === undefined ? successLabels(method, tool) : metricAttributes(fault, { method, tool });
  const all = upstream === undefined ? about : { ...about, "recourse.upstream": upstream };
  const made: CallLabels = { duration: durationLabels(all), all };
  if (knownLabels.size >= MAX_KNOWN_LABELS) knownLabels.clear();
  knownLabels.set(key, made);
  return made;
}

function successLabels(method: string, tool: string | undefined): Attributes {
  const about = { "mcp.method.name": method };
  return tool === undefined ? about : { ...about, "gen_ai.tool.name": tool, "gen_ai.operation.name": "execute_tool" };
}

const DURATION_LABELS = ["mcp.method.name", "gen_ai.tool.name", "recourse.upstream", "error.type"] as const;

/** Several reasons share one kind, and then one object. */
function durationLabels(all: Attributes): Attributes {
  const chosen = DURATION_LABELS.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const]));
  const key = JSON.stringify(chosen);
  const known = knownDurationLabels.get(key);
  if (known !== undefined) return known;
  const made = Object.fromEntries(chosen);
  if (knownDurationLabels.size >= MAX_KNOWN_LABELS) knownDurationLabels.clear();
  knownDurationLabels.set(key, made);
  return made;
}

/**
 * All that the labels of a fault are made of. An upstream may choose its kind, which counts only if it is known, and its
 * reason, so the key is JSON.
 */
function faultKey(fault: Fault, names: readonly (string | undefined)[]): string {
  return JSON.stringify([...names, knownKind(fault), fault.class, fault.reason, fault.effect, fault.origin.layer]);
}
