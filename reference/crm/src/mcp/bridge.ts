import { type AlertSink, type Bridge, forward, openapi } from "@recourse/bridge";
import { openapiDocument } from "../rest/document.ts";

/** Where the REST API is and whom to tell of trouble with it. */
export interface BridgeParts {
  /** The address of the REST API, without a slash at the end. */
  readonly api: string;
  readonly sink: AlertSink;
}

/** The REST API as tools: callers bring their own key, and what the API says about a failure is meant for them. */
export function openBridge({ api, sink }: BridgeParts): Promise<Bridge> {
  return openapi(openapiDocument(api), {
    name: "crm",
    credential: forward("authorization"),
    text: "raw",
    // The API runs beside this server.
    network: { allowPrivate: ["127.0.0.0/8", "::1/128"] },
    sink,
  });
}
