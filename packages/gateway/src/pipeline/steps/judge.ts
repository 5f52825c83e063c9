import type { Fault } from "@recourse/faults";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Route } from "../../catalog/route.ts";
import { type Asked, judgeReply } from "../../judge/judge-reply.ts";
import type { UpstreamReply } from "../../upstreams/upstream.ts";
import type { Call } from "../call.ts";
import { dialectOf } from "../caller-dialect.ts";
import type { Step } from "../step.ts";

/** What the step needs. */
export interface JudgeParts {
  readonly catalog: Pick<Catalog, "nameOf" | "markStale">;
  /** The clock, in ms since 1970. @default Date.now */
  readonly now?: () => number;
}

/** What a reply means that came after its call was answered; undefined for a success. */
export function judgeLate({
  catalog,
  now = Date.now,
}: JudgeParts): (call: Call, reply: UpstreamReply) => Fault | undefined {
  return (call, reply) => {
    const { route } = call;
    if (route?.kind !== "upstream") return undefined;
    return judgeReply(reply, askedOf(call, route, { catalog, now }))?.judged;
  };
}

/** Tells success from failure in what the upstream answered: a success passes as the bytes that came, a failure becomes a fault. */
export function judge({ catalog, now = Date.now }: JudgeParts): Step {
  return (call) => {
    const { reply, route } = call;
    if (reply === undefined || route?.kind !== "upstream") return undefined;
    const failed = judgeReply(reply, askedOf(call, route, { catalog, now }));
    if (failed === undefined) {
      if (reply.kind === "answer" && call.message?.id !== undefined) call.answer = reply.body;
      return undefined;
    }
    call.judged = failed.judged;
    call.cause = failed.cause;
    call.textHidden = failed.textHidden;
    if (failed.stale) catalog.markStale(route.upstream);
    return failed.fault;
  };
}

function askedOf(call: Call, route: Route & { kind: "upstream" }, { catalog, now }: Required<JudgeParts>): Asked {
  const { message, revision, origin } = call;
  const { upstream, target, tool } = route;
  const { method = "", id, params } = message ?? {};
  const named = params?.["name"];
  return {
    upstream: upstream.options,
    foreignText: upstream.options.foreignText ?? dialectOf(call)?.foreignText ?? "public",
    method,
    id,
    params,
    head: origin.head,
    names: {
      target,
      name: tool?.name ?? (typeof named === "string" ? named : undefined),
      nameOf: (name) => catalog.nameOf(upstream, name, call),
    },
    inputSchema: method === "tools/call" ? tool?.inputSchema : undefined,
    readsOnly: method !== "tools/call" || (tool?.readOnly === true && upstream.options.trustAnnotations),
    knowsInputRequired: revision === "2026-07-28",
    limitMs: upstream.options.timeoutMs,
    now: now(),
  };
}
