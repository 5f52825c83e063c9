import type { Fault } from "@recourse/faults";
import type { Call } from "../pipeline/call.ts";
import type { Upstream } from "../upstreams/upstream.ts";

/** Facts of a listed tool that other steps need. */
interface ToolFacts {
  /** The name that callers use. */
  readonly name: string;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly hasOutputSchema: boolean;
  readonly inputSchema: unknown;
  /** Units of the cost limit. */
  readonly cost: number;
}

/** Where a message goes. */
export type Route =
  | {
      readonly kind: "upstream";
      readonly upstream: Upstream;
      /** Name or URI, as the upstream knows it; undefined where the method has none. */
      readonly target: string | undefined;
      /** The tool, for `tools/call`. */
      readonly tool: ToolFacts | undefined;
    }
  | {
      /** The gateway answers it itself: the result as JSON, or a fault. */
      readonly kind: "local";
      answer(call: Call): string | Fault | Promise<string | Fault>;
      /** The answer comes when the caller leaves or the gateway stops: no deadline applies. @default false */
      readonly isEndless?: boolean;
    }
  /** A notification that needs nothing. */
  | { readonly kind: "ignored" };
