import { DEFAULT_FILE } from "./config-file.ts";

/** What the next steps name. */
export interface FirstGateway {
  readonly written: readonly string[];
  readonly key: string;
  readonly url: string;
  readonly isDemo: boolean;
  /** The upstream. */
  readonly name: string;
  readonly file: string;
}

/** What to do after `recourse init`: every line of it can be copied. */
export function nextSteps({ written, key, url, isDemo, name, file }: FirstGateway): string {
  const serve = file === DEFAULT_FILE ? "npx @recourse/cli serve" : `npx @recourse/cli serve ${file}`;
  const message = isDemo
    ? { method: "tools/call", params: { name: `${name}__find_order`, arguments: { order: 7 } } }
    : { method: "tools/list" };
  const snippet = {
    mcpServers: { gateway: { type: "http", url, headers: { Authorization: `Bearer \${GATEWAY_KEY}` } } },
  };
  return `Wrote ${written.join(" and ")}.

Your API key. It is shown only now:

  export GATEWAY_KEY=${key}

Start the gateway:

  ${serve}

${isDemo ? "Call a tool" : "List the tools"}, in another terminal with the same GATEWAY_KEY:

  ${curlLine(url, message)}

For an MCP client:

  ${JSON.stringify(snippet)}
`;
}

function curlLine(url: string, message: Readonly<Record<string, unknown>>): string {
  const headers = ["Authorization: Bearer $GATEWAY_KEY", "Content-Type: application/json"];
  const accept = "Accept: application/json, text/event-stream";
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
  return `curl -s ${url} ${[...headers, accept].map((one) => `-H "${one}"`).join(" ")} -d '${body}'`;
}
