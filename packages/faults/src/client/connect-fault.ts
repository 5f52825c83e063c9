import { peek, peekString } from "../errors/peek.ts";
import { amendFault } from "../fault/amend.ts";
import type { Fault } from "../fault/fault.ts";
import { asReceived } from "../safety/received-text.ts";
import type { RuleGroup } from "../safety/rules/rule.ts";
import { joinSecrets, type SecretFilter } from "../safety/secrets.ts";
import { readThrown } from "./read/read-thrown.ts";
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
 * await client.connect(transport).catch((error) => {
 *   console.log(render(connectFault(error), { for: "person" }));
 * });
 */
export function connectFault(error: unknown, options: ConnectFaultOptions = {}): Fault {
  const connection = options.transport?.connection();
  const context = {
    method: "initialize",
    secrets: joinSecrets(options.secrets, connection?.credentials),
    allow: options.allow,
    session: false,
    limitMs: Number.POSITIVE_INFINITY,
    connection,
  };
  return amendFault(readThrown(causeOf(error), asReceived(context)), { effect: "none" });
}

/** Version 2 calls every failure of its first request a failed negotiation, also where no server was reached. */
function causeOf(error: unknown): unknown {
  const isNegotiation = peekString(error, "code") === "ERA_NEGOTIATION_FAILED";
  return (isNegotiation ? peek(error, "cause") : undefined) ?? error;
}
