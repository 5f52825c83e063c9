import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Fault } from "@recourse/core";
import { protocol } from "@recourse/core/reasons";
import { isLoopbackAddress } from "@recourse/core/wire";
import { readKeyPrefix } from "../auth/api-keys.ts";
import { readCredential } from "../auth/authenticator.ts";
import { UNAUTHORIZED } from "../auth/credential-cache.ts";
import type { RequestHead } from "../call/head.ts";
import type { AdminConfig, GatewayConfig, Rate } from "../config/types.ts";
import type { OpenConsole } from "../console/open-console.ts";
import type { OperatorLine } from "../console/sessions.ts";
import { AddressLimit } from "../edge/address-limit.ts";
import { discardRequestBody } from "../edge/body.ts";
import { createSourceChecker } from "../edge/check-head.ts";
import { HttpOrigin, UNREAD_MS } from "../edge/http-origin.ts";
import { type Running, targetPath, UnderWay } from "../edge/listener.ts";
import { createProblemResponse, toFailure } from "./answer.ts";
import { ADMIN_APP, MAX_BODY_BYTES } from "./app.ts";
import type { AdminParts } from "./parts.ts";
import type { AdminBindings } from "./route.ts";

/** The requests of operators that are under way. */
export class AdminRequests implements Running {
  readonly #parts: AdminParts;
  readonly #shared: Omit<AdminBindings, "origin">;
  readonly #underWay = new UnderWay<HttpOrigin>();

  /** `console` is undefined if it is off. */
  constructor(parts: AdminParts, console?: OpenConsole) {
    const monotonic = () => performance.now();
    const checkKey = keyCheck(() => parts.config().admin?.keys ?? [], monotonic);
    this.#parts = parts;
    this.#shared = {
      parts,
      console,
      checkSource: adminSourceCheck(parts.config()),
      checkKey,
      checkOperator(head) {
        const found = checkKey(readCredential(head) ?? "", head.address);
        return "refused" in found ? found : { id: found.id, role: found.role, via: "key" };
      },
      monotonic,
    };
  }

  get size(): number {
    return this.#underWay.size;
  }

  async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const origin = new HttpOrigin(incoming, outgoing, {
      path: targetPath(incoming.url ?? "/"),
      proxies: this.#parts.config().proxies,
      maxRequestBytes: MAX_BODY_BYTES,
      awaitsContinue: false,
    });
    this.#underWay.add(origin);
    outgoing.setTimeout(UNREAD_MS, () => outgoing.destroy());
    const listener = getRequestListener((request) => ADMIN_APP.fetch(request, { ...this.#shared, origin }), {
      // The rest of the gateway keeps the classes of Node.
      overrideGlobalObjects: false,
      autoCleanupIncoming: false,
      errorHandler: (error) => this.#refuse(origin, error),
    });
    try {
      await listener(incoming, outgoing);
      discardRequestBody(incoming);
    } catch (error) {
      this.#parts.observer.unexpected(error, "admin");
      outgoing.destroy();
    } finally {
      this.#underWay.delete(origin);
    }
  }

  /** Waits until no request is under way, or the signal is aborted. */
  idle(signal: AbortSignal): Promise<void> {
    return this.#underWay.idle(signal);
  }

  /** Ends all requests under way, without waiting. */
  abortAll(): void {
    for (const origin of this.#underWay) origin.outgoing.destroy();
  }

  /** A request that does not reach the app: its address cannot be read. */
  #refuse(origin: HttpOrigin, error: unknown): Response {
    const { checkSource, parts } = this.#shared;
    const failure =
      error instanceof RequestError
        ? { fault: checkSource(origin.head) ?? protocol.bad_request.fault() }
        : toFailure(error, parts);
    return createProblemResponse(origin, failure, { method: "admin", durationMs: 0 }, parts);
  }
}

/**
 * The check of `Host` and `Origin`. What the file says about them is meant for callers, who come by public names; operators on
 * the same machine need none.
 */
function adminSourceCheck(
  config: Pick<GatewayConfig, "hosts" | "origins" | "admin">,
): (head: RequestHead) => Fault | undefined {
  const configured = createSourceChecker(config);
  const local = createSourceChecker({ hosts: undefined, origins: undefined });
  const browsers = consoleSourceCheck(config.admin?.console?.url);
  return (head) => {
    const isLocal = head.localAddress !== undefined && isLoopbackAddress(head.localAddress);
    if (isLocal && local(head) === undefined) return undefined;
    const isBrowser = browsers !== undefined && browsers(head) === undefined;
    return isBrowser ? undefined : configured(head);
  };
}

/** Names by which a proxy on the same machine may ask, whatever name the browser used. */
const PROXY_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** The check for browsers that come by the address of the console. */
function consoleSourceCheck(url: string | undefined): ReturnType<typeof createSourceChecker> | undefined {
  if (url === undefined) return undefined;
  const { host, origin } = new URL(url);
  return createSourceChecker({ hosts: [host, ...PROXY_HOSTS], origins: [origin] });
}

/** How often an address may show keys of one prefix that are not accepted. */
const ATTEMPTS: Rate = { perSecond: 1, burst: 20 };

/**
 * Makes the check of operators' keys. Only wrong keys are slowed down: many operators share the address of one proxy,
 * and other users of that proxy must not be able to lock them out.
 */
function keyCheck(keys: () => AdminConfig["keys"], now: () => number): AdminBindings["checkKey"] {
  const attempts = new AddressLimit(ATTEMPTS, now);
  return (key, address) =>
    findKey(keys(), key) ?? { refused: attempts.take(address, readKeyPrefix(key)) ?? UNAUTHORIZED };
}

/** All keys are compared, each in constant time, so that the time says nothing about which were close. */
function findKey(keys: AdminConfig["keys"], credential: string): OperatorLine | undefined {
  const digest = createHash("sha256").update(credential).digest();
  let found: OperatorLine | undefined;
  for (const line of keys) if (timingSafeEqual(digest, Buffer.from(line.sha256, "hex"))) found ??= line;
  return credential === "" ? undefined : found;
}
