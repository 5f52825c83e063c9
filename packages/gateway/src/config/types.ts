import type { ServiceText } from "@recourse/bridge";
import { DIALECTS } from "@recourse/core/dialects";
import type { ProxyRules } from "@recourse/core/node";
import type { Revision } from "@recourse/core/wire";

/** A rate with its burst, as limits are written in the file: `{ rate: 20/s, burst: 40 }`. */
export interface Rate {
  readonly perSecond: number;
  /** The most calls at one moment. */
  readonly burst: number;
}

/** An API key as the file knows it. The key itself is never in it. */
export interface KeyConfig {
  readonly id: string;
  readonly tenant: string;
  /** SHA-256 of the key, in hex. */
  readonly sha256: string;
  /** Patterns of tool names, such as `shop__*`. */
  readonly tools: readonly string[];
  readonly scopes: readonly string[];
  readonly entitlements: readonly string[];
  /** The wire that failures are written in for this caller. */
  readonly dialect: DialectName | undefined;
}

/** The dialects that a caller can be answered in. */
export type DialectName = Exclude<keyof typeof DIALECTS, "http">;
/** Their names. What `http` writes is no answer of MCP. */
export const DIALECT_NAMES = Object.keys(DIALECTS).filter((name) => name !== "http") as [DialectName, ...DialectName[]];

/** Tokens of an identity provider. */
export interface JwtConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  /** The claim that names the tenant. @default "tenant" */
  readonly tenantClaim: string;
  /** The claim that lists entitlements. @default none */
  readonly entitlementsClaim?: string | undefined;
  /** Patterns of the tools that these callers see. */
  readonly tools: readonly string[];
  readonly dialect: DialectName | undefined;
}

/** The credential that the gateway shows to an upstream. */
export type UpstreamCredential =
  | { readonly kind: "none" }
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "header"; readonly name: string; readonly value: string }
  /** A token of the gateway itself, fetched from a token service. */
  | ({ readonly kind: "clientCredentials" } & TokenClient)
  /** A token for each caller, exchanged at a token service for the caller's own. */
  | ({ readonly kind: "exchange" } & TokenClient);

/** The gateway as the client of a token service. */
export interface TokenClient {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** How the client authenticates: with a Basic header, or with members of the body. */
  readonly auth: "basic" | "body";
  /** The scopes to ask for, with spaces in between. @default the service decides */
  readonly scope?: string | undefined;
  /** The address of the upstream, as the service knows it. @default none is named */
  readonly resource?: string | undefined;
  /** The name of the upstream, as the service knows it. @default none is named */
  readonly audience?: string | undefined;
}

/** What every upstream has, whatever it is reached by. */
export interface UpstreamOptions {
  readonly name: string;
  /** Stands before the names of its tools and prompts; empty if they keep their names. */
  readonly prefix: string;
  /** What callers read of its texts; undefined if the dialect of the caller decides, or else `public`. */
  readonly foreignText: ServiceText | undefined;
  /** Faults in its answers are believed as a whole. */
  readonly speaksFaults: boolean;
  /** What the upstream says about its tools is believed. */
  readonly trustAnnotations: boolean;
  /** The dialect that its failures are read in before others are tried. */
  readonly dialect: DialectName | undefined;
  /** The gateway waits for its answers no longer than this. */
  readonly timeoutMs: number;
  /** Calls under way at one moment, of all callers together. @default 1_024 */
  readonly maxCalls?: number | undefined;
  /** It keeps the promise of idempotency keys. */
  readonly honoursKeys: boolean;
  /** Who reads its lists: the gateway for all callers, or each caller for itself. @default "gateway" */
  readonly lists?: "gateway" | "caller" | undefined;
  readonly credential: UpstreamCredential;
  /** The proxies that it and its token service are reached through. @default none */
  readonly proxy?: ProxyRules | undefined;
  /** Certificates of CAs, in PEM, that it and its token service may have beside those that Node knows. @default none */
  readonly tls?: { readonly ca: readonly string[] } | undefined;
}

export type UpstreamConfig = UpstreamOptions &
  (
    | {
        readonly kind: "http";
        readonly url: string;
        /** The era of the protocol it speaks; `auto` finds it out. */
        readonly era: "auto" | Revision;
      }
    | {
        readonly kind: "stdio";
        readonly command: readonly [string, ...string[]];
        readonly environment: Readonly<Record<string, string>>;
        /** The folder that it starts in. @default the working directory of the gateway */
        readonly cwd?: string;
        /** One child for all callers, or one for each of them. */
        readonly per: "replica" | "caller";
        readonly maxChildren: number;
        readonly idleMs: number;
      }
    | {
        readonly kind: "openapi";
        readonly document: string;
        readonly server: string | undefined;
        /**
         * Whether it may be reached at private addresses. @default true if its address is a private one from the start
         */
        readonly allowPrivate?: boolean | undefined;
      }
  );

/** Rules for tools, by pattern; the rules of every pattern that matches apply together. */
export interface ToolConfig {
  readonly pattern: string;
  /** Nobody sees it. */
  readonly hidden: boolean;
  /** Scopes that a caller needs, all of them. */
  readonly scopes: readonly string[];
  /** An entitlement that a caller needs. */
  readonly entitlement: string | undefined;
  /** How many units of the cost limit a call takes. */
  readonly cost: number;
}

/** What limits count. Each is optional; those that are there apply together. */
interface LimitsConfig {
  readonly address: Rate | undefined;
  readonly key: Rate | undefined;
  readonly tenant: Rate | undefined;
  /** Units of cost of a tenant. */
  readonly cost: Rate | undefined;
  /** By pattern of tool names, for all callers together. */
  readonly tools: readonly { readonly pattern: string; readonly rate: Rate }[];
  /** `leased`: tokens are taken in slices if a replica sees many calls; `exact`: one round trip for each call. */
  readonly mode: "leased" | "exact";
}

/** The answer to calls while the store of the limits is down. */
type AwayAnswer = "closed" | "open" | "local";

export type StoreConfig =
  | { readonly mode: "memory" }
  | {
      readonly mode: "shared";
      /** Addresses of Redis; several of one cluster. */
      readonly redis: readonly string[];
      readonly cluster: boolean;
      readonly postgres: string;
    };

/** Calls with an idempotency key. */
interface IdempotencyConfig {
  /** How long outcomes are kept. */
  readonly keepMs: number;
}

/** Requests of upstreams to callers. */
interface QuestionsConfig {
  /** How long to wait for a caller in one call, all questions together. */
  readonly waitMs: number;
}

/** Who is notified about pending approvals. */
export interface ApprovalNotifyConfig {
  /** Receives a signed POST for each. */
  readonly url: string;
  /** The key of the signature, as `whsec_` and base64. */
  readonly secret: string;
}

/** Calls that a person has to approve. */
export interface ApprovalsConfig {
  /** Patterns of the tools that need an approval. */
  readonly tools: readonly string[];
  /** Patterns of the tools that policy refuses to all callers. */
  readonly denied: readonly string[];
  /** How long to wait for an answer, and how long the answer counts. */
  readonly expiresMs: number;
  /** Where a person decides; `{id}` is replaced. */
  readonly link: string | undefined;
  /** @default no notification */
  readonly notify?: ApprovalNotifyConfig | undefined;
}

/** When an upstream that fails is no longer asked. */
interface BreakerConfig {
  /** Failures in a row, in one process. */
  readonly failures: number;
  /** The first pause; it doubles with each probe that fails. */
  readonly pauseMs: number;
  readonly maxPauseMs: number;
}

/** What is kept of failures that concern the operator. */
export interface IncidentsConfig {
  readonly keepMs: number;
  /** Samples of one fingerprint in a minute, in each process. */
  readonly samplesPerMinute: number;
  /** `digest`: callers are kept as a digest, so that they can be erased but not read. */
  readonly callers: "keep" | "digest" | "drop";
  /** `drop`: texts of causes and upstreams are not kept. */
  readonly texts: "keep" | "drop";
}

/** What an operator may do: look, decide approvals too, or everything. */
export const ADMIN_ROLES = ["viewer", "approver", "admin"] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** The web page for operators. */
export interface ConsoleConfig {
  /** The address that browsers use, ending with `/console`; undefined: it opens on this machine only, at the address of `listen`. */
  readonly url: string | undefined;
  /** Signs sessions; undefined: a random one for the process. */
  readonly secret: string | undefined;
  /** How long a session lasts without a request. */
  readonly idleMs: number;
  /** How long a session lasts at most. */
  readonly longestMs: number;
  /** The consoles of other cells, with addresses that end with `/console`. @default there are none */
  readonly cells?: readonly ConsoleCell[] | undefined;
}

/** The console of another cell: a gateway with stores of its own, such as that of another region. */
export interface ConsoleCell {
  readonly name: string;
  readonly url: string;
}

/** The API for operators. */
export interface AdminConfig {
  readonly listen: { readonly host: string; readonly port: number };
  readonly keys: readonly { readonly id: string; readonly sha256: string; readonly role: AdminRole }[];
  /** @default no web page for operators */
  readonly console?: ConsoleConfig | undefined;
}

/** The configuration of a gateway, complete: defaults filled in, variables of the environment put in. */
export interface GatewayConfig {
  /** The address that the gateway listens on. */
  readonly listen: { readonly host: string; readonly port: number };
  /** The path of the MCP endpoint. */
  readonly path: string;
  /** The public name of the gateway, in the origin of its faults. */
  readonly name: string;
  /** How callers reach it, for the metadata of the protected resource. */
  readonly publicUrl: string | undefined;
  /** Names in `Host` that are served. @default loopback names for a loopback address */
  readonly hosts: readonly string[] | "any" | undefined;
  /** Pages whose requests are served. @default pages of the same machine for a loopback address */
  readonly origins: readonly string[] | "any" | undefined;
  /** Addresses and networks whose `Forwarded` and `X-Forwarded-For` say who calls. */
  readonly proxies: readonly string[];
  /** Where limits, keys and sessions are kept. */
  readonly store: StoreConfig;
  /** `none`: anyone may call, as one anonymous caller for each address. */
  readonly authentication: "required" | "none";
  /** API keys of the file. */
  readonly keys: readonly KeyConfig[];
  /** Tokens of an identity provider that are accepted. @default none */
  readonly jwt: JwtConfig | undefined;
  /** How long a key that was accepted is accepted without asking the database again: the bound on revocation. */
  readonly keyCacheMs: number;
  /** The servers behind the gateway, in the order of the file. */
  readonly upstreams: readonly UpstreamConfig[];
  /** Rules for tools, by pattern. */
  readonly tools: readonly ToolConfig[];
  /** Limits for calls. */
  readonly limits: LimitsConfig;
  /** What happens while the store of the limits is down. */
  readonly away: { readonly limits: AwayAnswer; readonly replicas: number };
  /** Calls with an idempotency key. */
  readonly idempotency: IdempotencyConfig;
  /** Upstreams that ask the caller something during a call. @default the gateway waits up to 5 minutes for a caller */
  readonly questions?: QuestionsConfig | undefined;
  /** @default no tool needs an approval */
  readonly approvals: ApprovalsConfig | undefined;
  /** @default no breakers */
  readonly breaker: BreakerConfig | undefined;
  /** What is kept of failures that concern the operator. */
  readonly incidents: IncidentsConfig;
  /** @default no API for operators */
  readonly admin: AdminConfig | undefined;
  /** The most bytes of one request. */
  readonly maxRequestBytes: number;
  /** The most bytes of one answer of an upstream. */
  readonly maxAnswerBytes: number;
  /** Bytes of all requests and answers that are held at one moment. */
  readonly maxHeldBytes: number;
  /** Streams of changes that are open at one moment, of all callers together. @default 8_192 */
  readonly maxStreams?: number | undefined;
  /** The longest time that a call may take. A caller may ask for less. */
  readonly deadlineMs: number;
  /** How long calls under way may take to end when the gateway stops. */
  readonly drainMs: number;
  /** Where metrics, traces and logs go. */
  readonly telemetry: {
    /** OTLP endpoint for traces, metrics and logs. */
    readonly otlp: string | undefined;
    /** Serve `/metrics` in Prometheus' format. */
    readonly prometheus: boolean;
    readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
    /** A second address, for `/health`, `/ready` and `/metrics` alone. @default none */
    readonly listen?: { readonly host: string; readonly port: number } | undefined;
    /** Whether the address for callers has these three pages too. @default true */
    readonly public?: boolean | undefined;
  };
}
