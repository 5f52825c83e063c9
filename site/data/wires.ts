// A sample fault of each reason in every wire format, as the encoders write it.

import { DIALECTS } from "@recourse/core/dialects";
import { installTextFilter } from "@recourse/core/safety";
import { FORMAT_NAMES } from "../../packages/console/src/playground/format-names.ts";
import { sampleFault } from "../../scripts/generate/samples.ts";

/** The name of a wire format. */
export type WireName = keyof typeof DIALECTS;

/** The fault of a reason in one wire format. */
export interface Wire {
  readonly name: WireName;
  /** What the tab says. */
  readonly label: string;
  /** The language of the text, for colours. */
  readonly language: "json" | "http";
  readonly text: string;
}

const json = (value: unknown) => JSON.stringify(value, undefined, 2);

/** The fault of a reason in every wire format, MCP first. */
export function encodeWires(reason: string): readonly Wire[] {
  // Servers have the filter, and these are the answers of servers.
  installTextFilter();
  const fault = sampleFault(reason);
  const { http, ...others } = DIALECTS;
  return (Object.keys(DIALECTS) as WireName[]).map((name) => {
    const format = { name, label: FORMAT_NAMES[name] };
    if (name === "http") return { ...format, language: "http", text: writeReply(http.encode(fault)) };
    return { ...format, language: "json", text: json(others[name].encode(fault)) };
  });
}

/** A reply as it goes over the network, with its body in lines. */
function writeReply({ status, headers, body }: ReturnType<typeof DIALECTS.http.encode>): string {
  const head = [`HTTP/1.1 ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return [...head, "", json(body)].join("\n");
}

/** The MCP answer that the playground opens: what a client receives. */
export function encodeForPlayground(reason: string): string {
  installTextFilter();
  return json(DIALECTS.mcp.encode(sampleFault(reason)));
}
