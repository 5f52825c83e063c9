import { randomUUID } from "node:crypto";
import type { Fault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import {
  ABORTED,
  CLIENT_CAPABILITIES_KEY,
  hasInputRequired,
  isObject,
  objectAt,
  type Revision,
  race,
} from "@recourse/core/wire";
import { isDataError } from "@recourse/stores/postgres";
import { type ApprovalRequest, sha256OfList } from "../call/binding.ts";
import type { Call } from "../call/call.ts";
import { type Caller, callerDialect } from "../call/caller.ts";
import type { RequestMessage } from "../call/message.ts";
import { compilePatterns } from "../call/name-pattern.ts";
import type { ApprovalsConfig } from "../config/types.ts";
import {
  type ApprovalStore,
  approvalFault,
  type ConsumeAnswer,
  deniedByPolicy,
  linkTo,
  tooLongFault,
  unavailableFault,
} from "./approvals.ts";

export interface ConsumedApproval {
  /** The call provably never left, or continues in another round: the approval may be used again. It never rejects. */
  giveBack(): Promise<void>;
}

export interface CallApprovals {
  needs(tool: string): boolean;
  /** What has to be approved; a fault if a policy refuses the call, undefined if no approval is needed. */
  requestFor(
    caller: Caller,
    tool: string,
    canonicalArguments: string,
    canonicalTask?: string,
  ): ApprovalRequest | Fault | undefined;
  /** Uses up the approval. If none exists, gives a fault, or a result that sends the user to a page. */
  take(call: Call, request: ApprovalRequest): Promise<ConsumedApproval | Fault | { readonly inputRequired: string }>;
}

/** The approvals of a configuration; undefined if no tool needs one. `createId` names attempts. */
export function createCallApprovals(
  config: ApprovalsConfig | undefined,
  store: ApprovalStore | undefined,
  createId: () => string = randomUUID,
): CallApprovals | undefined {
  if (config === undefined) return undefined;
  const rules = createApprovalRules(config);
  return {
    needs: rules.needs,
    requestFor(caller, tool, canonicalArguments, task) {
      const request = rules.requestFor({ caller, tool, arguments: canonicalArguments, task });
      return request === "denied" ? deniedByPolicy() : request;
    },
    async take(call, request) {
      const { message, revision, origin, round } = call;
      // Without a store nobody can be asked.
      if (store === undefined) return unavailableFault();
      const id = createId();
      const taken = await takeApproval(store, request, {
        call: id,
        link: config.link,
        // An address names the approval, and in some dialects every call ends with an envelope. A call within a round would
        // come back without its answers to the upstream.
        canAskByUrl:
          message !== undefined &&
          round === undefined &&
          callerDialect(call)?.envelope === undefined &&
          canAskByUrl(message, revision),
        signal: origin.signal,
      });
      if ("reason" in taken || "inputRequired" in taken) return taken;
      // A store that is down remembers what it still has to write.
      return { giveBack: () => store.giveBack(taken.id, id).catch(() => {}) };
    },
  };
}

export interface RuleFacts {
  readonly caller: Pick<Caller, "id" | "tenant">;
  readonly tool: string;
  readonly arguments: string;
  /** The canonical text of what the call says about its task. @default it asks for none */
  readonly task?: string | undefined;
}

interface ApprovalRules {
  /** What has to be approved; `denied` if a policy refuses the tool, undefined if no approval is needed. */
  requestFor(facts: RuleFacts): ApprovalRequest | "denied" | undefined;
  needs(tool: string): boolean;
  denies(tool: string): boolean;
}

export function createApprovalRules(config: ApprovalsConfig | undefined): ApprovalRules {
  if (config === undefined) return { requestFor: () => undefined, needs: () => false, denies: () => false };
  const { tools, denied, expiresMs } = config;
  const isAsked = compilePatterns(tools);
  const isDenied = compilePatterns(denied);
  // An approval given under other rules does not count. The link is no rule.
  const policy = sha256OfList(["approval-policy/1", tools, denied, expiresMs]);
  return {
    requestFor({ caller, tool, arguments: args, task }) {
      if (isDenied(tool)) return "denied";
      if (!isAsked(tool)) return undefined;
      const more = task === undefined ? [] : [task];
      const binding = sha256OfList(["approval/1", caller.tenant, caller.id, tool, args, policy, ...more]);
      return { binding, tenant: caller.tenant, caller: caller.id, tool, arguments: args, policy, expiresMs };
    },
    needs: (tool) => isDenied(tool) || isAsked(tool),
    denies: isDenied,
  };
}

export const APPROVAL_QUESTION = "recourse_approval";

/**
 * Whether the caller can be sent to the page of an approval by `input_required`. A call that comes back from it is not sent
 * there again: persons take longer than clients repeat a call, so it gets the fault, which the model can tell its user.
 */
export function canAskByUrl(message: Pick<RequestMessage, "meta" | "params">, revision: Revision | undefined): boolean {
  if (!hasInputRequired(revision)) return false;
  const answers = objectAt(message.params, "inputResponses");
  if (answers !== undefined && Object.hasOwn(answers, APPROVAL_QUESTION)) return false;
  const elicitation = objectAt(objectAt(message.meta, CLIENT_CAPABILITIES_KEY), "elicitation");
  return isObject(elicitation?.["url"]);
}

/**
 * The result that sends the caller's user to a page, as JSON. It has no `requestState`: the approval is found by the call
 * itself, so there is nothing that the caller could change.
 */
function inputRequired(url: string, message: string): string {
  return JSON.stringify({
    resultType: "input_required",
    inputRequests: { [APPROVAL_QUESTION]: { method: "elicitation/create", params: { mode: "url", message, url } } },
  });
}

export interface TakeOptions {
  readonly call: string;
  readonly link: string | undefined;
  /** The caller can be sent to the page by `input_required`: see `canAskByUrl`. */
  readonly canAskByUrl: boolean;
  readonly signal: AbortSignal;
}

/** The id of the approval that was consumed, the result of a call that has to wait, or a fault. */
type TakeOutcome = { readonly id: string } | { readonly inputRequired: string } | Fault;

/** The longest arguments that a person is asked about, in bytes. */
const MAX_APPROVAL_ARGUMENTS = 64 * 1_024;

/** Consumes the approval of a call, or says how to get one. If it gives no id, no approval is used up. */
export async function takeApproval(
  store: Pick<ApprovalStore, "consume" | "giveBack">,
  request: ApprovalRequest,
  { call, link, canAskByUrl, signal }: TakeOptions,
): Promise<TakeOutcome> {
  const size = Buffer.byteLength(request.arguments);
  if (size > MAX_APPROVAL_ARGUMENTS) return tooLongFault(size, MAX_APPROVAL_ARGUMENTS);
  if (signal.aborted) return core.cancelled.fault({}, { effect: "none" });
  const work = store.consume(request, call);
  let answer: ConsumeAnswer | typeof ABORTED;
  try {
    answer = await race(work, { signal });
  } catch (cause) {
    // The store is there, and refuses this call only: to wait would not help.
    return isDataError(cause) ? core.internal.fault({}, { effect: "none" }) : unavailableFault();
  }
  if (answer === ABORTED || signal.aborted) {
    void work.then((late) => (late.state === "consumed" ? store.giveBack(late.id, call) : undefined)).catch(() => {});
    return core.cancelled.fault({}, { effect: "none" });
  }
  if (answer.state === "consumed") return { id: answer.id };
  if (canAskByUrl && (answer.state === "pending" || answer.state === "expired")) {
    const page = linkTo(answer.id, link);
    const fault = approvalFault(answer, link);
    if (page !== undefined) return { inputRequired: inputRequired(page, fault.message) };
  }
  return approvalFault(answer, link);
}
