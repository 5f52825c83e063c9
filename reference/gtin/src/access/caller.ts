import type { FaultError } from "@recourse/faults";

/** Who calls, as far as that could be found out. */
export type Caller =
  /** Without credentials. */
  | { readonly is: "anybody"; readonly address: string }
  /** With credentials that are honoured. */
  | { readonly is: "known"; readonly subject: string; readonly scopes: readonly string[]; readonly token: string }
  /** With credentials that are not; why is nobody's business. */
  | { readonly is: "refused"; readonly address: string }
  /** With credentials that could not be checked. */
  | { readonly is: "unchecked"; readonly address: string; readonly why: FaultError };

/** Whose share of calls it is. */
export function shareOf(caller: Caller): string {
  return caller.is === "known" ? `subject ${caller.subject}` : `address ${caller.address}`;
}
