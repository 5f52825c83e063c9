import { initializeParams } from "../handshake.ts";
import { MISSING } from "../planted.ts";
import type { EraFacts, Group } from "./group.ts";

interface Malformed {
  readonly variant: string;
  readonly method: string;
  readonly params: unknown;
  /** The capability without which the method is rightly unknown. */
  readonly needs?: string;
  /** Sent in the older era only. */
  readonly older?: true;
}

/** No real tool and no real prompt is named: a server that does not look would run it. */
const MALFORMED: readonly Malformed[] = [
  { variant: "no-name", method: "tools/call", params: { arguments: {} }, needs: "tools" },
  { variant: "name-5", method: "tools/call", params: { name: 5, arguments: {} }, needs: "tools" },
  {
    variant: "arguments-text",
    method: "tools/call",
    params: { name: MISSING.text, arguments: "text" },
    needs: "tools",
  },
  { variant: "arguments-list", method: "tools/call", params: { name: MISSING.text, arguments: [] }, needs: "tools" },
  { variant: "arguments-null", method: "tools/call", params: { name: MISSING.text, arguments: null }, needs: "tools" },
  { variant: "cursor-12", method: "tools/list", params: { cursor: 12 }, needs: "tools" },
  { variant: "no-uri", method: "resources/read", params: {}, needs: "resources" },
  { variant: "not-a-uri", method: "resources/read", params: { uri: "not a uri" }, needs: "resources" },
  {
    variant: "prompt-argument-5",
    method: "prompts/get",
    params: { name: MISSING.text, arguments: { text: 5 } },
    needs: "prompts",
  },
  { variant: "level", method: "logging/setLevel", params: { level: "recourse" }, needs: "logging", older: true },
  { variant: "initialize-5", method: "initialize", params: initializeParams(5), older: true },
];

/** Parameters that break the protocol. */
export const malformedParams: Group = {
  stimulus: "malformed-params",
  async run(talk, facts) {
    const isOlder = talk.conversation.revision === "2025-11-25";
    for (const { variant, method, params, needs, older } of MALFORMED) {
      if ((older === true && !isOlder) || !has(facts, needs)) continue;
      // A second handshake within a session would be refused for another reason.
      const http =
        method === "initialize" ? { headers: { "mcp-session-id": undefined, "mcp-protocol-version": undefined } } : {};
      await talk.request({ stimulus: "malformed-params", variant }, method, params, { http });
    }
  },
};

function has({ capabilities }: EraFacts, capability: string | undefined): boolean {
  return capability === undefined || capabilities[capability] !== undefined;
}
