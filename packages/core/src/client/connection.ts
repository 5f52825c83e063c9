import { peek, peekString } from "../errors/peek.ts";
import { amendFault } from "../fault/amend.ts";
import { FaultError } from "../fault/error.ts";
import type { Fault } from "../fault/fault.ts";
import { cancelled, unrecognised } from "../reasons/library/core.ts";
import { not_initialized, session_not_found, version_unsupported } from "../reasons/library/protocol.ts";
import { exited, not_connected } from "../reasons/library/transport.ts";
import type { RuleGroup } from "../safety/rules/rule.ts";
import { joinSecretFilters, type SecretFilter } from "../safety/secrets.ts";
import { asReceived } from "../safety/show-line.ts";
import { asSdkClient, type ClientLike, type SdkClient } from "../sdk/client.ts";
import { memberAt } from "../wire/json.ts";
import { race, type Sleep, TIMED_OUT } from "../wire/waiting.ts";
import type { Reconnection } from "./options.ts";
import type { TransportObserver } from "./transport/types.ts";

/** Options of `connectFault`. */
export interface ConnectFaultOptions {
  /** The observer of the transport that was to be connected. @default none */
  readonly transport?: TransportObserver;
  /** Secrets of the caller, such as its credentials; no fault contains one. @default none */
  readonly secrets?: SecretFilter;
  /** Groups of filter rules to skip for what the server says. @default none */
  readonly allow?: readonly RuleGroup[];
}

/**
 * Reads what `client.connect` of the SDK rejected with: a refused credential is `unauthenticated`, a wrong address
 * `core/misconfigured`. No tool was called by then, so the effect is `none`.
 *
 * @example
 * await client.connect(transport).catch(async (error) => {
 *   console.log(render(await connectFault(error), { for: "person" }));
 * });
 */
export async function connectFault(error: unknown, options: ConnectFaultOptions = {}): Promise<Fault> {
  const connection = options.transport?.connection();
  const context = {
    method: "initialize",
    secrets: joinSecretFilters(options.secrets, connection?.credentials),
    allow: options.allow,
    session: false,
    limitMs: Number.POSITIVE_INFINITY,
    connection,
  };
  const { readThrownError } = await loadReader();
  return amendFault(readThrownError(negotiationCause(error), asReceived(context)), { effect: "none" });
}

/** Version 2 calls every failure of its first request a failed negotiation, even if no server was reached. */
function negotiationCause(error: unknown): unknown {
  const isNegotiation = peekString(error, "code") === "ERA_NEGOTIATION_FAILED";
  return (isNegotiation ? peek(error, "cause") : undefined) ?? error;
}

export interface ReconnectOptions<C> {
  readonly reconnect?: ((why: Fault, last: Reconnection<C>) => Promise<C>) | undefined;
  readonly sleep: Sleep;
  /** Reads what a reconnection failed with. */
  readonly readError: (cause: unknown) => Promise<Fault>;
  /** Called when a reconnection failed. */
  readonly onFailed: (fault: Fault, cause: unknown) => void;
}

/** Failures after which no further request on the same client can succeed. */
const FINAL_REASONS: readonly string[] = [
  session_not_found,
  version_unsupported,
  not_initialized,
  not_connected,
  exited,
].map((reason) => reason.id);

const RECONNECT_LIMIT_MS = 30_000;

const CLIENT_ORIGIN = { origin: { layer: "client" } } as const;

/**
 * The client in use, and how another one replaces it. A call that needs it starts the reconnection, one at a time. A
 * reconnection only prepares the connection: it never sends a call again. After one that failed, the waits are those of the
 * calls' own retries.
 */
export class ClientConnection<C extends ClientLike> {
  readonly #options: ReconnectOptions<C>;
  #client: SdkClient<C>;
  #why: Fault | undefined;
  /** Set while the server refuses the credentials of a reconnection: the host has to act, no wait helps. */
  #denied: Fault | undefined;
  #repair: Promise<void> | undefined;

  constructor(client: C, options: ReconnectOptions<C>) {
    this.#client = asSdkClient(client);
    this.#options = options;
  }

  /** The client in use, whether or not it works. */
  get client(): SdkClient<C> {
    return this.#client;
  }

  /** The client, if nothing is known against it. */
  ready(): SdkClient<C> | undefined {
    return this.#why === undefined ? this.#client : undefined;
  }

  /** Notes that a request failed; a failure of another client says nothing about this one. */
  failed(client: SdkClient<C>, fault: Fault): void {
    if (this.#options.reconnect === undefined || client !== this.#client || this.#why !== undefined) return;
    if (!client.isClosed() && !FINAL_REASONS.includes(fault.reason)) return;
    this.#why = fault;
  }

  /** The client once it works again, or the fault of a call that could not wait so long; nothing was sent by then. */
  async restored(leftMs: number, signal?: AbortSignal): Promise<SdkClient<C> | Fault> {
    this.#repair ??= this.#reconnect().finally(() => {
      this.#repair = undefined;
    });
    await race(this.#repair, { ms: leftMs, sleep: this.#options.sleep, signal });
    if (signal?.aborted === true) return cancelled.fault({}, { ...CLIENT_ORIGIN, effect: "none" });
    return this.ready() ?? this.#refusal();
  }

  async #reconnect(): Promise<void> {
    const { reconnect, sleep } = this.#options;
    const why = this.#why;
    if (reconnect === undefined || why === undefined) return;
    const limit = new AbortController();
    try {
      const last = { client: this.#client.client, signal: limit.signal };
      const coming = reconnect(why, last).then((client) => this.#adopt(client));
      const end = await race(coming, { ms: RECONNECT_LIMIT_MS, sleep });
      if (end === TIMED_OUT) throw new Error("the reconnection took too long");
    } catch (cause) {
      limit.abort();
      const fault = await this.#options.readError(cause);
      this.#denied = fault.class === "permission" ? fault : undefined;
      this.#options.onFailed(this.#refusal(), cause);
    }
  }

  /** A client that comes too late is still used, unless there is another one by then. */
  #adopt(client: C): void {
    const adopted = asSdkClient(client);
    if (this.#why === undefined) {
      void (client as { close?(): unknown }).close?.();
      return;
    }
    this.#client = adopted;
    this.#why = undefined;
    this.#denied = undefined;
  }

  #refusal(): Fault {
    if (this.#denied !== undefined) return this.#denied;
    const cause = this.#why === undefined ? {} : { cause: new FaultError(this.#why) };
    return not_connected.fault({}, { ...CLIENT_ORIGIN, ...cause });
  }
}

type Reader = Pick<typeof import("./read-reply.ts"), "readAttemptFailure" | "readThrownError">;

/**
 * What reads failures: all formats, and what libraries throw. It is loaded when the first failure comes, so a program whose
 * calls succeed does not have it. If it cannot be loaded, nothing of the failure is shown, and an answer counts as a failure
 * only if it says so itself.
 */
export async function loadReader(): Promise<Reader> {
  return import("./read-reply.ts").catch(
    (): Reader => ({
      readAttemptFailure: (ending) =>
        ending.how === "answered" && memberAt(ending.result, "isError") !== true ? undefined : unread(),
      readThrownError: unread,
    }),
  );
}

function unread(): Fault {
  return unrecognised.fault({}, { origin: { layer: "client" }, basis: "mapped" });
}
