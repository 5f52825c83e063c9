import type { JsonSchema } from "../arguments/issues.ts";
import type { PeerProtocol } from "../peer.ts";

/** The JSON Schemas that a server publishes, asked of its own list, since only the SDK knows how it makes them. */
export class Schemas {
  readonly #protocol: PeerProtocol;

  constructor(protocol: PeerProtocol) {
    this.#protocol = protocol;
  }

  /** The input schema of a tool as its clients see it; undefined when it cannot be had. */
  async inputOf(tool: string): Promise<JsonSchema | undefined> {
    try {
      const list = this.#protocol._requestHandlers.get("tools/list");
      const listed = (await list?.({ method: "tools/list" }, {})) as
        | { readonly tools?: readonly Readonly<Record<string, unknown>>[] }
        | undefined;
      return listed?.tools?.find((one) => one["name"] === tool)?.["inputSchema"] as JsonSchema | undefined;
    } catch {
      return undefined;
    }
  }
}
