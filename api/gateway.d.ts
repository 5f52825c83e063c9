// The public API of @recourse/gateway, written by `npm run build && node scripts/api-report.ts`.

// @recourse/gateway
//   Gateway
//   GatewayConfig
//   GatewayOptions
//   LoadOptions
//   LoadResult
//   Problem
//   loadConfig
//   problemLine
//   startGateway

// @recourse/gateway/commands
//   CommandFailure
//   CommandIo
//   CommandOutcome
//   InitOptions
//   KeysOptions
//   ServeOptions
//   findPagesUrl
//   init
//   manageKeys
//   serve

import { ServiceText } from "@recourse/bridge";
import { DIALECTS } from "@recourse/core/dialects";
import { ProxyRules } from "@recourse/core/node";
import { JsonObject, Revision, TestingOptions } from "@recourse/core/wire";
import { Sink } from "@recourse/core/server";
import { Fault } from "@recourse/core";
interface SecretFile {
  readonly path: string;
  readonly state: string;
}
interface Position {
  readonly line: number;
  readonly column: number;
}
interface Problem extends Position {
  readonly path: string;
  readonly message: string;
  readonly fix?: string;
}
declare function problemLine(file: string, {
  line,
  column,
  path,
  message,
  fix
}: Problem): string;
type Environment = Readonly<Record<string, string | undefined>>;
interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}
interface KeyConfig {
  readonly id: string;
  readonly tenant: string;
  readonly sha256: string;
  readonly tools: readonly string[];
  readonly scopes: readonly string[];
  readonly entitlements: readonly string[];
  readonly dialect: DialectName | undefined;
}
type DialectName = Exclude<keyof typeof DIALECTS, "http">;
interface JwtConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  readonly tenantClaim: string;
  readonly entitlementsClaim?: string | undefined;
  readonly tools: readonly string[];
  readonly dialect: DialectName | undefined;
}
type UpstreamCredential = {
  readonly kind: "none";
} | {
  readonly kind: "bearer";
  readonly token: string;
} | {
  readonly kind: "header";
  readonly name: string;
  readonly value: string;
}  | ({
  readonly kind: "clientCredentials";
} & TokenClient)  | ({
  readonly kind: "exchange";
} & TokenClient);
interface TokenClient {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly auth: "basic" | "body";
  readonly scope?: string | undefined;
  readonly resource?: string | undefined;
  readonly audience?: string | undefined;
}
interface UpstreamOptions {
  readonly name: string;
  readonly prefix: string;
  readonly foreignText: ServiceText | undefined;
  readonly speaksFaults: boolean;
  readonly trustAnnotations: boolean;
  readonly dialect: DialectName | undefined;
  readonly timeoutMs: number;
  readonly maxCalls?: number | undefined;
  readonly honoursKeys: boolean;
  readonly lists?: "gateway" | "caller" | undefined;
  readonly credential: UpstreamCredential;
  readonly proxy?: ProxyRules | undefined;
  readonly tls?: {
    readonly ca: readonly string[];
  } | undefined;
}
type UpstreamConfig = UpstreamOptions & ({
  readonly kind: "http";
  readonly url: string; 
  readonly era: "auto" | Revision;
} | {
  readonly kind: "stdio";
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>; 
  readonly cwd?: string; 
  readonly per: "replica" | "caller";
  readonly maxChildren: number;
  readonly idleMs: number;
} | {
  readonly kind: "openapi";
  readonly document: string;
  readonly server: string | undefined;
  readonly allowPrivate?: boolean | undefined;
});
interface ToolConfig {
  readonly pattern: string;
  readonly hidden: boolean;
  readonly scopes: readonly string[];
  readonly entitlement: string | undefined;
  readonly cost: number;
}
interface LimitsConfig {
  readonly address: Rate | undefined;
  readonly key: Rate | undefined;
  readonly tenant: Rate | undefined;
  readonly cost: Rate | undefined;
  readonly tools: readonly {
    readonly pattern: string;
    readonly rate: Rate;
  }[];
  readonly mode: "leased" | "exact";
}
type AwayAnswer = "closed" | "open" | "local";
type StoreConfig = {
  readonly mode: "memory";
} | {
  readonly mode: "shared"; 
  readonly redis: readonly string[];
  readonly cluster: boolean;
  readonly postgres: string;
};
interface IdempotencyConfig {
  readonly keepMs: number;
}
interface QuestionsConfig {
  readonly waitMs: number;
}
interface ApprovalNotifyConfig {
  readonly url: string;
  readonly secret: string;
}
interface ApprovalsConfig {
  readonly tools: readonly string[];
  readonly denied: readonly string[];
  readonly expiresMs: number;
  readonly link: string | undefined;
  readonly notify?: ApprovalNotifyConfig | undefined;
}
interface BreakerConfig {
  readonly failures: number;
  readonly pauseMs: number;
  readonly maxPauseMs: number;
}
interface IncidentsConfig {
  readonly keepMs: number;
  readonly samplesPerMinute: number;
  readonly callers: "keep" | "digest" | "drop";
  readonly texts: "keep" | "drop";
}
declare const ADMIN_ROLES: readonly ["viewer", "approver", "admin"];
type AdminRole = (typeof ADMIN_ROLES)[number];
interface ConsoleConfig {
  readonly url: string | undefined;
  readonly secret: string | undefined;
  readonly idleMs: number;
  readonly longestMs: number;
  readonly cells?: readonly ConsoleCell[] | undefined;
}
interface ConsoleCell {
  readonly name: string;
  readonly url: string;
}
interface AdminConfig {
  readonly listen: {
    readonly host: string;
    readonly port: number;
  };
  readonly keys: readonly {
    readonly id: string;
    readonly sha256: string;
    readonly role: AdminRole;
  }[];
  readonly console?: ConsoleConfig | undefined;
}
interface GatewayConfig {
  readonly listen: {
    readonly host: string;
    readonly port: number;
  };
  readonly path: string;
  readonly name: string;
  readonly publicUrl: string | undefined;
  readonly hosts: readonly string[] | "any" | undefined;
  readonly origins: readonly string[] | "any" | undefined;
  readonly proxies: readonly string[];
  readonly store: StoreConfig;
  readonly authentication: "required" | "none";
  readonly keys: readonly KeyConfig[];
  readonly jwt: JwtConfig | undefined;
  readonly keyCacheMs: number;
  readonly upstreams: readonly UpstreamConfig[];
  readonly tools: readonly ToolConfig[];
  readonly limits: LimitsConfig;
  readonly away: {
    readonly limits: AwayAnswer;
    readonly replicas: number;
  };
  readonly idempotency: IdempotencyConfig;
  readonly questions?: QuestionsConfig | undefined;
  readonly approvals: ApprovalsConfig | undefined;
  readonly breaker: BreakerConfig | undefined;
  readonly incidents: IncidentsConfig;
  readonly admin: AdminConfig | undefined;
  readonly maxRequestBytes: number;
  readonly maxAnswerBytes: number;
  readonly maxHeldBytes: number;
  readonly maxStreams?: number | undefined;
  readonly deadlineMs: number;
  readonly drainMs: number;
  readonly telemetry: {
    readonly otlp: string | undefined; 
    readonly prometheus: boolean;
    readonly logLevel: "debug" | "info" | "warn" | "error" | "silent"; 
    readonly listen?: {
      readonly host: string;
      readonly port: number;
    } | undefined; 
    readonly public?: boolean | undefined;
  };
}
interface LoadOptions {
  readonly environment: Environment;
  readonly file?: string;
}
type LoadResult = ({
  readonly ok: true;
  readonly config: GatewayConfig;
} | {
  readonly ok: false;
  readonly problems: readonly Problem[];
}) & {
  readonly warnings: readonly Problem[]; 
  readonly secretFiles: readonly SecretFile[];
};
declare function loadConfig(text: string, {
  environment,
  file: path
}: LoadOptions): LoadResult;
interface Abilities {
  readonly form: boolean;
  readonly url: boolean;
  readonly sampling: boolean;
  readonly samplingTools: boolean;
  readonly samplingContext: boolean;
  readonly roots: boolean;
}
interface CallBinding {
  readonly key: string | undefined;
  readonly digest: string;
  readonly owner: string;
  readonly arguments: Buffer;
  readonly approval: ApprovalRequest | undefined;
}
interface ApprovalRequest {
  readonly binding: string;
  readonly tenant: string;
  readonly caller: string;
  readonly tool: string;
  readonly arguments: string;
  readonly policy: string;
  readonly expiresMs: number;
}
interface Holder {
  readonly id: string;
  readonly tenant: string;
}
interface Caller extends Holder {
  readonly subject: string;
  readonly tools: readonly string[];
  readonly scopes: ReadonlySet<string>;
  readonly entitlements: ReadonlySet<string>;
  readonly dialect: DialectName | undefined;
  readonly hasToken?: boolean;
}
type Ending = AbortSignal | Departure;
interface EndingListener {
  handleEvent(): void;
}
declare class Departure {
  #private;
  get aborted(): boolean;
  get signal(): AbortSignal;
  abort(): void;
  listen(listener: EndingListener): void;
  unlisten(listener: EndingListener): void;
}
interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly names: readonly string[];
  header(name: string): string | undefined;
  readonly address: string;
  readonly localAddress?: string | undefined;
  readonly connection?: object | undefined;
}
interface Span {
  readonly start: number;
  readonly end: number;
}
interface MemberSpan {
  readonly name: string;
  readonly start: number;
  readonly value: Span;
}
interface Spans {
  readonly id: Span | undefined;
  readonly params: Span | undefined;
  readonly target: Span | undefined;
  readonly arguments: Span | undefined;
  readonly meta: Span | undefined;
  readonly paramMembers?: readonly MemberSpan[];
  readonly responses?: readonly MemberSpan[];
  readonly metaMembers?: readonly MemberSpan[];
}
interface RequestMessage {
  readonly method: string;
  readonly id: string | number | undefined;
  readonly params: JsonObject | undefined;
  readonly meta: JsonObject | undefined;
  readonly bytes: Buffer;
  readonly spans: Spans;
}
interface ServerRequest {
  readonly method: string;
  readonly params: Buffer | undefined;
}
type ServerAnswer = {
  readonly result: Buffer;
} | {
  readonly error: Buffer;
};
interface CallerAnswer {
  readonly id: string | undefined;
  readonly answer: ServerAnswer | undefined;
}
interface CallerSession {
  readonly nonce: string;
  readonly revision: Revision;
  readonly abilities: Abilities;
  readonly expiresMs: number;
}
interface UpstreamRequest {
  readonly method: string;
  readonly target: string | undefined;
  readonly id: string | undefined;
  readonly params: Buffer;
  readonly parsed: JsonObject | undefined;
  readonly session: string;
  readonly caller: Holder;
  readonly timeoutMs: number;
  readonly signal: Ending;
  readonly revision?: Revision | undefined;
  readonly traceparent?: string | undefined;
  readonly headers?: readonly string[] | undefined;
  readonly onNotification: (message: Buffer) => void;
  readonly abilities?: Abilities | undefined;
  readonly subjectToken?: string | undefined;
  readonly onCredential?: ((token: string) => void) | undefined;
  readonly logLevel?: string | undefined;
  readonly onRequest?: ((request: ServerRequest, signal: AbortSignal) => Promise<ServerAnswer>) | undefined;
}
type UpstreamReply = {
  readonly kind: "answer";
  readonly status: number;
  header(name: string): string | undefined; 
  readonly body: Buffer;
} | {
  readonly kind: "failed";
  readonly fault: Fault;
  readonly cause?: unknown; 
  readonly isOld?: boolean; 
  readonly hasAnswered?: boolean | undefined;
};
type SessionAddress = Pick<UpstreamRequest, "session" | "caller" | "abilities" | "subjectToken">;
interface Upstream {
  readonly options: UpstreamOptions;
  ready(signal: Ending): Revision | Fault | Promise<Revision | Fault>;
  send(request: UpstreamRequest): Promise<UpstreamReply>;
  readonly about: {
    readonly capabilities: JsonObject;
    readonly instructions: string | undefined;
  } | undefined;
  follow?(session: SessionAddress, onNotification: (message: Buffer) => void, signal: AbortSignal): void;
  logOf?(incident: string): Promise<string | undefined> | undefined;
  forget?(session: string): void;
  close(): Promise<void>;
}
interface BodyObserver {
  take(bytes: Uint8Array): void;
}
interface BodyReading {
  readonly observer?: BodyObserver | undefined;
  readonly hold?: ((bytes: number) => Fault | undefined) | undefined;
}
interface HeldMemory {
  take(bytes: number): boolean;
  add(bytes: number): void;
  end(): void;
}
interface CallOrigin {
  readonly head: RequestHead;
  readonly signal: AbortSignal;
  readonly departure?: Departure;
  readonly stopped?: AbortSignal;
  readBody(options?: BodyReading): Promise<Buffer | Fault>;
  abort?(): void;
  allowPage?(allowedOrigin: string): void;
  notify(message: Buffer): void;
  answerEarly?(message: Buffer, onNotification: (message: Buffer) => void): boolean;
  readonly canAsk?: boolean;
  ask?(message: Buffer): boolean;
  openStream?(): ((message: Buffer) => boolean) | undefined;
}
interface Cancellation {
  run: (() => void) | undefined;
  isOver: boolean;
}
declare const CALL_STEPS: readonly ["head", "authenticate", "message", "resolve", "limits", "check", "breaker", "begin", "attempt", "judge"];
type CallStepName = (typeof CALL_STEPS)[number];
interface CallerClient {
  readonly name: string;
  readonly version: string | undefined;
}
declare class Call {
  readonly origin: CallOrigin;
  readonly startedMs: number;
  stepNames: readonly CallStepName[];
  stepAt: number;
  stepTimes: number[] | undefined;
  caller: Caller | undefined;
  session: CallerSession | undefined;
  logLevel: string | undefined;
  sessionClient: CallerClient | undefined;
  abilities: Abilities;
  message: RequestMessage | undefined;
  callerAnswer: CallerAnswer | undefined;
  bodyBytes: number;
  id: string | undefined;
  isAccepted: boolean;
  isRefusedCall: boolean;
  revision: Revision | undefined;
  deadlineMs: number;
  route: Route | undefined;
  cancellation: Cancellation | undefined;
  key: string | undefined;
  binding: CallBinding | undefined;
  round: Round | undefined;
  leg: Leg | undefined;
  held: HeldEnd | undefined;
  limitedBy: string | undefined;
  refusal: Fault | undefined;
  amend: ((fault: Fault) => Fault) | undefined;
  reopen: (() => Promise<void>) | undefined;
  extendClaim: ((leftMs: number) => Promise<boolean>) | undefined;
  afterwards: ((sent: Fault | undefined) => void)[] | undefined;
  isProbe: boolean;
  late: Promise<UpstreamReply> | undefined;
  memory: HeldMemory | undefined;
  shownTokens: readonly string[] | undefined;
  wasSent: boolean;
  reply: UpstreamReply | undefined;
  judged: Fault | undefined;
  answer: Buffer | undefined;
  asksForInput: boolean;
  askedCount: number;
  waitedMs: number;
  lacksAnswer: boolean;
  inputRounds: number;
  mayStartTask: boolean;
  taskFailure: TaskFailure | undefined;
  isTaskResult: boolean;
  status: number | undefined;
  cause: unknown;
  isRepeat: boolean;
  textHidden: boolean;
  constructor(origin: CallOrigin, startedMs: number);
}
interface TaskFailure {
  readonly fault: Fault;
  readonly judged: Fault;
  readonly cause: unknown;
  readonly textHidden: boolean;
  readonly isInline: boolean;
  readonly isResult: boolean;
}
interface RoutedTool {
  readonly name: string;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly hasOutputSchema: boolean;
  readonly inputSchema: unknown;
  readonly cost: number;
}
interface UpstreamRoute {
  readonly kind: "upstream";
  readonly upstream: Upstream;
  readonly target: string | undefined;
  readonly tool: RoutedTool | undefined;
  readonly task?: RoutedTask | undefined;
}
interface RoutedTask {
  readonly id: string;
  readonly session: string | undefined;
  readonly abilities: Abilities;
  readonly tool: RoutedTool | undefined;
}
type Route = UpstreamRoute | {
  readonly kind: "local";
  answer(call: Call): string | Fault | Promise<string | Fault>; 
  readonly isEndless?: boolean; 
  readonly messages?: number;
}  | {
  readonly kind: "ignored";
};
interface Round {
  readonly state: string | undefined;
  readonly responses: Buffer | undefined;
}
interface Leg {
  readonly replica: string;
  readonly held: string;
  readonly responses: ReadonlyMap<string, Buffer>;
}
type HeldOutcome = {
  readonly answer: Buffer;
} | {
  readonly fault: Fault;
};
interface HeldEnd {
  readonly isAnswered: boolean;
  end(outcome: HeldOutcome | undefined): void;
}
type ControlName = "limits" | "breakers" | "idempotency" | "hold" | "keys" | "tokens" | "sessions" | "approvals" | "incidents" | "database" | `upstream ${string}` | `lists of ${string}` | `credential of ${string}`;
type TokenOutcome = "given" | "refused" | "misconfigured" | "unavailable";
type StoreName = "redis" | "postgres";
type KeyOutcome = "fresh"  | "taken_over"  | "stored"  | "running"  | "unknown"  | "reused"  | "refused"  | "unavailable";
interface GatewayState {
  readonly version: string;
  upstreams(): readonly {
    readonly upstream: string;
    readonly listed: "current" | "kept" | "never";
  }[];
  breakers(): readonly {
    readonly upstream: string;
    readonly tool?: string | undefined;
    readonly state: "closed" | "half-open" | "open";
  }[] | undefined;
  incidents(): {
    readonly waiting: number;
    readonly dropped: number;
    readonly droppedSamples: number;
  };
  approvals(): Promise<{
    readonly count: number;
    readonly oldestMs: number;
  }>;
  keys(): Readonly<Record<KeyOutcome, number>> | undefined;
  reloads(): {
    readonly taken: number;
    readonly refused: number;
    readonly ageMs: number;
  };
}
type LogLevel = "debug" | "info" | "warn" | "error";
interface Observer {
  began(call: Call): void;
  traceparent(call: Call): string | undefined;
  ended(call: Call, fault: Fault | undefined): void;
  switched(control: ControlName, state: "away" | "back", answer: string): void;
  breaker(scope: {
    readonly upstream: string;
    readonly tool?: string | undefined;
  }, state: "closed" | "open" | "half-open"): void;
  tokenRequested?(upstream: string, outcome: TokenOutcome): void;
  storeAnswered?(store: StoreName, op: string, durationMs: number): void;
  attach?(state: GatewayState): void;
  log(level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>): void;
  unexpected(error: unknown, where: string): void;
  readonly sink: Sink;
  metrics(): Promise<string | undefined>;
  close(): Promise<void>;
}
interface Gateway {
  readonly url: URL;
  readonly adminUrl: URL | undefined;
  readonly consoleUrl: URL | undefined;
  readonly telemetryUrl: URL | undefined;
  reload(config: GatewayConfig): Promise<void>;
  reloadRefused(names?: readonly string[]): void;
  close(): Promise<void>;
}
interface GatewayOptions {
  readonly observer?: Observer;
  readonly sink?: Sink;
  readonly testing?: TestingOptions;
  readonly bodyTimeoutMs?: number;
  readonly claimGraceMs?: number;
  readonly consoleFolder?: string;
}
declare function startGateway(config: GatewayConfig, options?: GatewayOptions): Promise<Gateway>;
interface CommandIo {
  readonly stdout: {
    write(text: string): void;
  };
  readonly stderr: {
    write(text: string): void;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onHangup?: (listener: () => void) => () => void;
  readonly onUnexpected?: (listener: (error: unknown, where: string) => void) => () => void;
}
interface CommandFailure {
  readonly exit: "findings" | "usage" | "unreachable" | "credentials";
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
  readonly cause?: unknown;
}
type CommandOutcome = {
  readonly exit: "ok";
} | {
  readonly failure: CommandFailure;
};
declare function findPagesUrl(file: string, io: Pick<CommandIo, "cwd" | "env" | "stderr">): Promise<{
  readonly url: string;
} | {
  readonly failure: CommandFailure;
}>;
interface InitOptions {
  readonly file?: string | undefined;
  readonly compose?: boolean | undefined;
  readonly url?: string | undefined;
  readonly command?: string | undefined;
  readonly openapi?: string | undefined;
  readonly name?: string | undefined;
  readonly listen?: string | undefined;
  readonly adminListen?: string | undefined;
  readonly force?: boolean | undefined;
  readonly json?: boolean | undefined;
}
declare function init(options: InitOptions, io: CommandIo): Promise<CommandOutcome>;
interface KeysOptions {
  readonly file?: string | undefined;
  readonly action: "add" | "list" | "revoke";
  readonly id?: string | undefined;
  readonly tenant?: string | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly entitlements?: readonly string[] | undefined;
  readonly dialect?: DialectName | undefined;
  readonly expires?: string | undefined;
  readonly operator?: boolean | undefined;
  readonly role?: AdminRole | undefined;
  readonly json?: boolean | undefined;
}
declare function manageKeys(options: KeysOptions, io: CommandIo): Promise<CommandOutcome>;
interface ServeOptions {
  readonly file?: string | undefined;
  readonly watch?: boolean | undefined;
  readonly check?: boolean | undefined;
  readonly database?: boolean | undefined;
  readonly json?: boolean | undefined;
}
declare function serve(options: ServeOptions, io: CommandIo): Promise<CommandOutcome>;
