import type { Fault } from "@recourse/core";
import type { JsonObject, Revision } from "@recourse/core/wire";
import type { UpstreamOptions } from "../config/types.ts";
import type { Abilities } from "./abilities.ts";
import type { Holder } from "./caller.ts";
import type { Ending } from "./ending.ts";
import type { ServerAnswer, ServerRequest } from "./server-request.ts";

/** One message for an upstream. */
export interface UpstreamRequest {
  readonly method: string;
  /** Name or URI, as the upstream knows it. */
  readonly target: string | undefined;
  /** The id of the caller's message, as JSON; undefined for a notification. The answer carries it again. */
  readonly id: string | undefined;
  /** The params, ready to be sent: the bytes of the caller with the name of the upstream and the `_meta` of this hop. */
  readonly params: Buffer;
  /** The params as the caller's message was parsed, for upstreams that are not reached by bytes. */
  readonly parsed: JsonObject | undefined;
  /** Whose session of the upstream it belongs to; sessions are never shared between two values of this. */
  readonly session: string;
  /** Who the message comes from: what is held for it counts against its share. */
  readonly caller: Holder;
  /** How long to wait for an answer. */
  readonly timeoutMs: number;
  /** Nobody waits for the answer any longer. */
  readonly signal: Ending;
  /** The revision that the caller speaks: a result for 2026-07-28 gets its type. @default the older era */
  readonly revision?: Revision | undefined;
  /** The trace of this hop, for the header. */
  readonly traceparent?: string | undefined;
  /** Further headers of the message, names and values in turn: `Mcp-Param-*`. */
  readonly headers?: readonly string[] | undefined;
  /** Receives notifications that come before the answer, each as the bytes of one JSON-RPC message. */
  readonly onNotification: (message: Buffer) => void;
  /**
   * What the caller can be asked for: an upstream of the older era learns it when its session begins. @default nothing
   */
  readonly abilities?: Abilities | undefined;
  /** The token that the caller showed to the gateway, verified: upstreams with `exchange` are shown one made from it. @default none */
  readonly subjectToken?: string | undefined;
  /** Receives each token that the message was sent with: it must not come back to the caller. @default nobody needs to know */
  readonly onCredential?: ((token: string) => void) | undefined;
  /** The log level that the caller has set for its session, for upstreams of the older era; `params` say it to others. @default none */
  readonly logLevel?: string | undefined;
  /**
   * Passes a request of the upstream on to the caller, and gives its answer. The time of the message stops meanwhile.
   * The signal is aborted when the answer is no longer needed. It never rejects. @default requests are refused
   */
  readonly onRequest?: ((request: ServerRequest, signal: AbortSignal) => Promise<ServerAnswer>) | undefined;
}

/** What came of one message. */
export type UpstreamReply =
  | {
      readonly kind: "answer";
      readonly status: number;
      header(name: string): string | undefined;
      /** The whole body. If it is a JSON-RPC response, it carries the id of the caller's message. */
      readonly body: Buffer;
    }
  | {
      /** There is no answer: it was never sent, got lost, came too late, or the upstream's adapter has made a fault of it. */
      readonly kind: "failed";
      readonly fault: Fault;
      readonly cause?: unknown;
      /** The fault is that of an earlier attempt: this time the upstream was not asked. @default false */
      readonly isOld?: boolean;
      /** An answer came, although it is not valid MCP: the message had left. @default false */
      readonly hasAnswered?: boolean | undefined;
    };

/** The session of an upstream that messages of one caller belong to. */
export type SessionAddress = Pick<UpstreamRequest, "session" | "caller" | "abilities" | "subjectToken">;

/** A server behind the gateway. */
export interface Upstream {
  readonly options: UpstreamOptions;
  /** Finds out the era, starts what has to be started. It is asked before every message, and waits only the first time. */
  ready(signal: Ending): Revision | Fault | Promise<Revision | Fault>;
  /** Sends one message. It never rejects. */
  send(request: UpstreamRequest): Promise<UpstreamReply>;
  /** Capabilities and instructions, as the upstream stated them; undefined before it is ready. */
  readonly about: { readonly capabilities: JsonObject; readonly instructions: string | undefined } | undefined;
  /**
   * Receives what an upstream of the older era says in a session beside its answers, such as `notifications/resources/updated`,
   * until the signal is aborted. @default it says nothing
   */
  follow?(session: SessionAddress, onNotification: (message: Buffer) => void, signal: AbortSignal): void;
  /**
   * What the upstream has written into its log about one of its incidents, without secrets; undefined if it has none.
   * @default its log cannot be read
   */
  logOf?(incident: string): Promise<string | undefined> | undefined;
  /** A caller has ended its session, so that of the upstream can be ended too; named as in `UpstreamRequest`. @default it ends when it was not used for long */
  forget?(session: string): void;
  /** Ends connections and children. Calls under way have ended before. */
  close(): Promise<void>;
}
