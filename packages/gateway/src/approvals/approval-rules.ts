import type { Caller } from "../auth/caller.ts";
import { digestOfAll } from "../auth/digest.ts";
import { compilePatterns } from "../catalog/pattern.ts";
import type { ApprovalsConfig } from "../config/types.ts";
import type { ApprovalRequest } from "./approvals.ts";

/** A call, as far as the rules look at it. */
export interface RuleFacts {
  readonly caller: Pick<Caller, "id" | "tenant">;
  /** The name of the tool, as callers know it. */
  readonly tool: string;
  /** The canonical text of the arguments. */
  readonly arguments: string;
}

/** Which calls need an approval, and which are refused. */
export interface ApprovalRules {
  /** What has to be approved; `denied` where a policy refuses the tool, undefined where nobody has to be asked. */
  requestFor(facts: RuleFacts): ApprovalRequest | "denied" | undefined;
  /** Whether calls of a tool need an approval or are refused. */
  needs(tool: string): boolean;
  /** Whether nobody may call a tool. */
  denies(tool: string): boolean;
}

/** The rules of a configuration. */
export function createApprovalRules(config: ApprovalsConfig | undefined): ApprovalRules {
  if (config === undefined) return { requestFor: () => undefined, needs: () => false, denies: () => false };
  const { tools, denied, expiresMs } = config;
  const isAsked = compilePatterns(tools);
  const isDenied = compilePatterns(denied);
  // An approval given under other rules does not count. The link is no rule.
  const policy = digestOfAll(["approval-policy/1", tools, denied, expiresMs]);
  return {
    requestFor({ caller, tool, arguments: args }) {
      if (isDenied(tool)) return "denied";
      if (!isAsked(tool)) return undefined;
      const binding = digestOfAll(["approval/1", caller.tenant, caller.id, tool, args, policy]);
      return { binding, tenant: caller.tenant, caller: caller.id, tool, arguments: args, policy, expiresMs };
    },
    needs: (tool) => isDenied(tool) || isAsked(tool),
    denies: isDenied,
  };
}
