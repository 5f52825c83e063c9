import { type Fault, idempotency, protocol, tool as toolReasons } from "@recourse/faults";
import { checkArguments, idempotencyKeyIn } from "@recourse/faults/internal-do-not-use";
import { digestOf, digestOfAll } from "../../auth/digest.ts";
import type { BoundApprovals } from "../../bound/bound-approvals.ts";
import { canonicalJson } from "../../bound/canonical-json.ts";
import type { RequestMessage } from "../../edge/message.ts";
import type { Call } from "../call.ts";
import type { Step } from "../step.ts";

/** What the step needs to know. */
export interface CheckBoundOptions {
  /** The gateway keeps idempotency keys; otherwise it passes them on. */
  readonly keepsKeys: boolean;
  /** Callers show who they are. Those who do not have no keys. */
  readonly isIdentified: boolean;
  /** @default no tool needs an approval */
  readonly approvals: BoundApprovals | undefined;
}

const MAX_KEY_LENGTH = 256;

/** Checks the arguments of bound calls against the schema that the caller was listed, and digests them. */
export function checkBound({ keepsKeys, isIdentified, approvals }: CheckBoundOptions): Step {
  return (call) => {
    const { message, route, caller } = call;
    if (message?.method !== "tools/call" || route?.kind !== "upstream" || caller === undefined) return undefined;
    const { tool } = route;
    if (tool === undefined) return undefined;
    const sent = keepsKeys ? idempotencyKeyIn(message.meta) : undefined;
    const needsApproval = approvals?.needs(tool.name) === true;
    if (sent === undefined && !needsApproval) return undefined;
    const fault = keyFault(sent, isIdentified) ?? argumentFault(message, tool);
    if (fault !== undefined) return fault;
    const text = argumentsOf(message);
    const approval = approvals?.requestFor(caller, tool.name, text);
    if (approval !== undefined && "reason" in approval) return approval;
    const canonical = Buffer.from(text);
    call.bound = {
      key: typeof sent === "string" ? digestOfAll([caller.id, tool.name, sent]) : undefined,
      digest: digestOf(canonical),
      owner: digestOf(caller.id),
      arguments: canonical,
      approval,
    };
    return undefined;
  };
}

/** A key that cannot be honoured must not be ignored: its caller would repeat the call and trust the key. */
function keyFault(key: unknown, isIdentified: boolean): Fault | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== "string" || key === "" || key.length > MAX_KEY_LENGTH) return protocol.malformed_call.fault();
  return isIdentified ? undefined : idempotency.caller_unknown.fault();
}

function argumentFault({ params }: RequestMessage, { name, inputSchema }: Tool): Fault | undefined {
  const issues = checkArguments(params?.["arguments"] ?? {}, inputSchema as Parameters<typeof checkArguments>[1]);
  return issues.length === 0 ? undefined : toolReasons.invalid_arguments.fault({ tool: name }, { issues });
}

type Tool = NonNullable<Extract<Call["route"], { readonly kind: "upstream" }>["tool"]>;

/** The canonical text of the arguments. A call without arguments has empty ones. */
function argumentsOf({ bytes, spans }: RequestMessage): string {
  const span = spans.arguments;
  return span === undefined ? "{}" : canonicalJson(bytes.toString("utf8", span.start, span.end));
}
