import type { ForeignText } from "@recourse/bridge";
import type { AdminRole, AwayAnswer, DialectName, GatewayConfig, IncidentsConfig, LimitsConfig } from "./types.ts";

/** A rate as it is written. */
export type RawRate = string | { readonly rate?: string; readonly burst?: number };

export interface RawKey {
  readonly id?: string;
  readonly tenant: string;
  readonly sha256?: string;
  readonly tools: readonly string[];
  readonly scopes: readonly string[];
  readonly entitlements: readonly string[];
  readonly dialect?: DialectName;
}

export interface RawUpstream {
  readonly url?: string;
  readonly command?: readonly string[];
  readonly openapi?: string;
  readonly prefix?: string;
  readonly credential: { readonly bearer?: string; readonly header?: string; readonly value?: string };
  readonly foreignText?: ForeignText;
  readonly speaksFaults: boolean;
  readonly trustAnnotations: boolean;
  readonly dialect?: DialectName;
  readonly timeout: string;
  readonly idempotency: "none" | "honoured";
  readonly era: "auto" | "2026-07-28" | "2025-11-25";
  readonly server?: string;
  readonly allowPrivate?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly per: "replica" | "caller";
  readonly maxChildren: number;
  readonly maxCalls: number;
  readonly idle: string;
}

interface RawAdminKey {
  readonly id?: string;
  readonly sha256?: string;
  readonly role: AdminRole;
}

interface RawTool {
  readonly hidden: boolean;
  readonly scopes: readonly string[];
  readonly entitlement?: string;
  readonly cost: number;
}

/** The file after the schema was checked: defaults filled in, and what is wrong left out. */
export interface RawConfig {
  readonly name: string;
  readonly listen: string;
  readonly path: string;
  readonly publicUrl?: string;
  readonly hosts?: readonly string[] | "any";
  readonly origins?: readonly string[] | "any";
  readonly proxies: readonly string[];
  readonly store?:
    | "memory"
    | { readonly redis?: string | readonly string[]; readonly cluster: boolean; readonly postgres?: string };
  readonly authentication: "required" | "none";
  readonly keys?: readonly RawKey[];
  readonly jwt?: {
    readonly issuer?: string;
    readonly audience?: string;
    readonly jwksUrl?: string;
    readonly tenantClaim: string;
    readonly entitlementsClaim?: string;
    readonly tools: readonly string[];
    readonly dialect?: DialectName;
  };
  readonly keyCache: string;
  readonly upstreams?: Readonly<Record<string, RawUpstream>>;
  readonly tools?: Readonly<Record<string, RawTool>>;
  readonly limits: {
    readonly address?: RawRate;
    readonly key?: RawRate;
    readonly tenant?: RawRate;
    readonly cost?: RawRate;
    readonly tools?: Readonly<Record<string, RawRate>>;
    readonly mode: LimitsConfig["mode"];
  };
  readonly away: { readonly limits: AwayAnswer; readonly replicas: number };
  readonly idempotency: { readonly keep: string; readonly memory: boolean };
  readonly approvals?: {
    readonly tools: readonly string[];
    readonly denied: readonly string[];
    readonly expires: string;
    readonly link?: string;
  };
  readonly breaker: {
    readonly enabled: boolean;
    readonly failures: number;
    readonly pause: string;
    readonly maxPause: string;
  };
  readonly incidents: {
    readonly keep: string;
    readonly samples: number;
    readonly callers: IncidentsConfig["callers"];
    readonly texts: IncidentsConfig["texts"];
  };
  readonly admin?: { readonly listen: string; readonly keys?: readonly RawAdminKey[] };
  readonly maxRequest: string;
  readonly maxAnswer: string;
  readonly maxHeld: string;
  readonly maxStreams: number;
  readonly deadline: string;
  readonly drain: string;
  readonly telemetry: {
    readonly otlp?: string;
    readonly prometheus: boolean;
    readonly log: GatewayConfig["telemetry"]["logLevel"];
  };
}
