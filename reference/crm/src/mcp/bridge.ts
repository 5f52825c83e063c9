import { type Bridge, forward, openapi } from "@recourse/bridge";
import type { Sink } from "@recourse/faults/server";
import { openapiDocument } from "../rest/document.ts";

/** Options of the bridge. */
export interface BridgeOptions {
  /** The address of the REST API, without a slash at the end. */
  readonly api: string;
  readonly sink: Sink;
}

/** The REST API as tools. Callers send their own key, and the failure texts of the API are written for callers. */
export function openBridge({ api, sink }: BridgeOptions): Promise<Bridge> {
  return openapi(openapiDocument(api), {
    name: "crm",
    credential: forward("authorization"),
    foreignText: "raw",
    // The API says in a header whether a failed request has changed something.
    speaksFaults: true,
    // The API runs on this machine.
    network: { allowPrivate: ["127.0.0.0/8", "::1/128"] },
    sink,
  });
}
