import { type Bridge, openapi } from "@recourse/bridge";
import type { UpstreamConfig } from "../../config/types.ts";
import { restCredential } from "./credential.ts";

export type RestConfig = Extract<UpstreamConfig, { kind: "openapi" }>;

/** The header that keys are sent in where the document names none. */
const IDEMPOTENCY_HEADER = "Idempotency-Key";

/** Makes tools of the document. Rejects where the document or the configuration cannot be used. */
export async function openApi(config: RestConfig, maxAnswerBytes: number): Promise<Bridge> {
  const { document, server, allowPrivate, credential, foreignText, speaksFaults, name, timeoutMs, honoursKeys } =
    config;
  const own = restCredential(credential);
  const api = await openapi(document, {
    name,
    speaksFaults,
    ...(foreignText !== undefined && { foreignText }),
    ...(server !== undefined && { server }),
    ...(own !== undefined && { credential: own }),
    // The operator has chosen the host, here or in the document, and redirects are not followed. Whoever answers for a public
    // name must not lead the gateway into its own network.
    network: {
      allowPrivate: allowPrivate ?? "from-start",
      totalTimeoutMs: timeoutMs,
      headersTimeoutMs: timeoutMs,
      maxResponseBytes: maxAnswerBytes,
    },
  });
  for (const { name: tool, annotations, operation } of honoursKeys ? api.tools : []) {
    if (annotations.readOnlyHint !== true && operation.idempotencyHeader === undefined)
      api.operation(tool, { idempotencyHeader: IDEMPOTENCY_HEADER });
  }
  return api;
}

/** The result of `tools/list`. */
export function listTools({ tools }: Bridge): object {
  return {
    tools: tools.map(({ name, description, inputSchema, annotations, declares }) => ({
      name,
      description,
      inputSchema,
      annotations,
      _meta: declares,
    })),
  };
}
