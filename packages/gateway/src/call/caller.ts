import { DIALECTS, type Dialect } from "@recourse/core/dialects";
import type { DialectName } from "../config/types.ts";

/** Who holds a part of a pool. A caller belongs to one tenant. */
export interface Holder {
  /**
   * Issuer, tenant and subject in one text: the same for the same caller on every replica, and different for two callers, also in
   * different tenants.
   */
  readonly id: string;
  readonly tenant: string;
}

/** Who calls. One value for each caller, shared by its calls. */
export interface Caller extends Holder {
  /** What limits for keys count by: the id of the key, or the subject of the token. */
  readonly subject: string;
  /** Patterns of the tools that the caller may see. */
  readonly tools: readonly string[];
  readonly scopes: ReadonlySet<string>;
  readonly entitlements: ReadonlySet<string>;
  /** The wire that failures are written in. @default mcp */
  readonly dialect: DialectName | undefined;
  /** It showed a token of an issuer, which was verified: a token for an upstream can be made from it. @default false */
  readonly hasToken?: boolean;
}

/** The dialect that a caller is answered in. Set at its key, never by a header. */
export function callerDialect({ caller }: { readonly caller: Caller | undefined }): Dialect<unknown> | undefined {
  return caller?.dialect === undefined ? undefined : DIALECTS[caller.dialect];
}
