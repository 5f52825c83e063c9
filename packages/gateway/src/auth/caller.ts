import type { DialectName } from "../config/types.ts";

/** Who calls. One value for each caller, shared by its calls. */
export interface Caller {
  /** Issuer, tenant and subject in one text: the same for the same caller on every replica. */
  readonly id: string;
  readonly tenant: string;
  /** What limits for keys count by: the id of the key, or the subject of the token. */
  readonly subject: string;
  /** Patterns of the tools that the caller may see. */
  readonly tools: readonly string[];
  readonly scopes: ReadonlySet<string>;
  readonly entitlements: ReadonlySet<string>;
  /** The wire that failures are written in. @default mcp */
  readonly dialect: DialectName | undefined;
}
