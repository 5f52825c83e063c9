import { auth, core, type Fault } from "@recourse/faults";
import { isLoopbackAddress, race, sleep } from "@recourse/faults/internal-do-not-use";
import { ADMIN_ROLES, type AdminRole, type GatewayConfig } from "../config/types.ts";
import type { Running } from "../edge/drain.ts";
import type { RequestHead } from "../edge/head.ts";
import type { HttpOrigin } from "../edge/http-origin.ts";
import { sourceCheck } from "../edge/source.ts";
import { UnderWay } from "../edge/under-way.ts";
import { type Asked, type Failure, writeFailure, writeResult } from "./answer.ts";
import { operatorCheck } from "./authenticate.ts";
import { UncertainChangeError } from "./change.ts";
import { type Match, routeFinder } from "./match.ts";
import { readRequest } from "./read-request.ts";
import { BASE_PATH, type Operator, Refusal, type Route } from "./route.ts";
import { ROUTES } from "./routes.ts";
import type { AdminParts } from "./start-admin.ts";
import { isStoreAway } from "./store-away.ts";

const NOT_FOUND = core.not_found.fault({}, { effect: "none" });
const WRONG_METHOD = core.unsupported.fault({}, { effect: "none", recourse: [{ do: "stop" }] });
/** How long a handler may take: a database that stands still gives no answer at all. */
const ANSWER_MS = 10_000;
/** When a store that is away may be asked again. */
const AWAY_MS = 1_000;

type Success = { readonly status: number; readonly body: object };

/** Answers the requests of operators. */
export class AdminRequests implements Running {
  readonly #parts: AdminParts;
  readonly #monotonic: () => number;
  readonly #checkSource: (head: RequestHead) => Fault | undefined;
  readonly #checkOperator: ReturnType<typeof operatorCheck>;
  readonly #find = routeFinder(ROUTES);
  readonly #underWay = new UnderWay<HttpOrigin>();

  /** `monotonic` is a clock in ms. */
  constructor(parts: AdminParts, monotonic: () => number) {
    this.#parts = parts;
    this.#monotonic = monotonic;
    this.#checkSource = adminSourceCheck(parts.config());
    this.#checkOperator = operatorCheck(() => parts.config().admin?.keys ?? [], monotonic);
  }

  get size(): number {
    return this.#underWay.size;
  }

  /** Answers one request. It never rejects. */
  async answer(origin: HttpOrigin, query: string): Promise<void> {
    const startedMs = this.#monotonic();
    const { head } = origin;
    const match = this.#find(head.method, head.path);
    const method = match.kind === "route" ? `${match.route.method} ${BASE_PATH}${match.route.path}` : "admin";
    this.#underWay.add(origin);
    try {
      const outcome = await this.#run(origin, match, query).catch((error: unknown) => this.#failureOf(error));
      const asked: Asked = { method, durationMs: Math.max(0, Math.round(this.#monotonic() - startedMs)) };
      if ("fault" in outcome) writeFailure(origin, outcome, asked, this.#parts);
      else writeResult(origin, outcome.status, outcome.body);
    } catch (error) {
      this.#parts.observer.unexpected(error, "admin");
      origin.outgoing.destroy();
    } finally {
      this.#underWay.delete(origin);
    }
  }

  /** Waits until no request is under way, or the signal is aborted. */
  idle(signal: AbortSignal): Promise<void> {
    return this.#underWay.idle(signal);
  }

  /** Nothing is waited for any longer. */
  abortAll(): void {
    for (const origin of this.#underWay) origin.outgoing.destroy();
  }

  async #run(origin: HttpOrigin, match: Match, query: string): Promise<Success | Failure> {
    const { head } = origin;
    const source = this.#checkSource(head);
    if (source !== undefined) return { fault: source };
    const isOpen = match.kind === "route" && match.route.role === undefined;
    // Without a key nobody finds out which paths there are.
    const operator = isOpen ? undefined : this.#checkOperator(head);
    if (operator !== undefined && "refused" in operator) return { fault: operator.refused };
    if (match.kind === "nothing") return { fault: NOT_FOUND };
    if (match.kind === "method") return { fault: WRONG_METHOD, status: 405, allow: match.allow };
    const { route, params } = match;
    if (!mayUse(operator, route)) return { fault: missingRole(route) };
    const values = await readRequest(origin, { route, params, query });
    if (values instanceof Refusal) return { fault: values.fault };
    const work = Promise.resolve(route.handle({ operator, values }, this.#parts));
    const body = await race(work, { ms: this.#parts.answerMs ?? ANSWER_MS, sleep });
    if (typeof body === "symbol")
      return { fault: core.unavailable.fault({}, { effect: effectOf(route), afterMs: AWAY_MS }) };
    return body instanceof Refusal ? { fault: body.fault } : { status: route.status ?? 200, body };
  }

  /** A store that is away, or a bug of the gateway. */
  #failureOf(error: unknown): Failure {
    const isUncertain = error instanceof UncertainChangeError;
    const cause = isUncertain ? error.cause : error;
    const effect = isUncertain ? "possible" : "none";
    if (isStoreAway(cause)) return { fault: core.unavailable.fault({}, { effect, afterMs: AWAY_MS }), cause };
    this.#parts.observer.unexpected(cause, "admin");
    return { fault: core.internal.fault({}, { effect }), cause };
  }
}

/** Each role may do what those before it may. */
function mayUse(operator: Operator | undefined, { role }: Route): boolean {
  return role === undefined || (operator !== undefined && rank(operator.role) >= rank(role));
}

function rank(role: AdminRole): number {
  return ADMIN_ROLES.indexOf(role);
}

function missingRole({ id, role }: Route): Fault {
  return auth.not_authorized.fault({ operation: id, ...(role !== undefined && { requiredRole: role }) });
}

/** What is known of a request that was not waited for. */
function effectOf({ method }: Route): "none" | "possible" {
  return method === "GET" ? "none" : "possible";
}

/**
 * The check of `Host` and `Origin`. What the file says about them is meant for callers, who come by public names; operators on
 * the same machine need none.
 */
function adminSourceCheck(config: Pick<GatewayConfig, "hosts" | "origins">): (head: RequestHead) => Fault | undefined {
  const configured = sourceCheck(config);
  const local = sourceCheck({ hosts: undefined, origins: undefined });
  return (head) => {
    const isLocal = head.localAddress !== undefined && isLoopbackAddress(head.localAddress);
    return isLocal && local(head) === undefined ? undefined : configured(head);
  };
}
