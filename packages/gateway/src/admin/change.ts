import { core } from "@recourse/faults";
import type { AuditEntry } from "../audit/audit.ts";
import { errorCode } from "../auth/error-code.ts";
import { type AdminRequest, Refusal } from "./route.ts";
import type { AdminParts } from "./start-admin.ts";

/** A change that was begun failed: nobody knows whether it was made. */
export class UncertainChangeError extends Error {
  override readonly name = "UncertainChangeError";

  constructor(cause: unknown) {
    super("A change was begun and failed.", { cause });
  }
}

/** A change that an operator asks for. */
interface Change {
  /** What is done, such as `approval.approve`. */
  readonly action: string;
  /** What it is done to. */
  readonly target: string;
  /** What else the audit keeps. @default nothing */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly make: () => Promise<object>;
}

/**
 * Makes a change that the audit knows. The entry is written first: without it nothing is changed. Where the change is then
 * refused or fails, a second entry says so.
 */
export async function makeChange(
  { operator }: AdminRequest,
  { controls: { audit }, observer }: AdminParts,
  { action, target, facts = {}, make }: Change,
): Promise<object> {
  if (audit === undefined || operator === undefined) return new Refusal(core.misconfigured.fault({}, NOTHING_DONE));
  const entry: AuditEntry = { by: operator.id, action, target, facts };
  await audit.record(entry);
  const end = async (outcome: "done" | "refused" | "failed") => {
    observer.log("info", "An operator made a change.", { by: operator.id, action, target, outcome });
    if (outcome === "done") return;
    await audit.record({ ...entry, facts: { ...facts, outcome } }).catch((error: unknown) => {
      observer.log("error", "The audit does not know that a change was not made.", {
        ...{ by: operator.id, action, target, outcome, code: errorCode(error) },
      });
    });
  };
  try {
    const made = await make();
    await end(made instanceof Refusal ? "refused" : "done");
    return made;
  } catch (error) {
    await end("failed");
    throw new UncertainChangeError(error);
  }
}

const NOTHING_DONE = { effect: "none" } as const;
