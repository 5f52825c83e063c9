// The public API of @recourse/testing, written by `npm run build && node scripts/api-report.ts`.

// @recourse/testing
//   Arbitrary
//   Benign
//   DialectLaw
//   DialectLawOptions
//   FastCheck
//   FastCheckRunner
//   FaultOptions
//   Generators
//   IdempotencyStoreLaw
//   IdempotencyStoreLawOptions
//   LawRun
//   Leak
//   ReasonCall
//   ReasonCallOptions
//   StoreLimits
//   benign
//   dialectLaws
//   expectNoLeak
//   findLeaks
//   generators
//   idempotencyStoreLaws
//   leaks

// @recourse/testing/peer
//   Arrival
//   EffectCounts
//   MISBEHAVE_HEADER
//   MISBEHAVE_KEY
//   MISBEHAVIOURS
//   MisbehaviourName
//   PEER_OPTIONS
//   Peer
//   PeerLimits
//   PeerOptionValues
//   PeerOptions
//   PeerOptionsRead
//   PeerRequest
//   PeerStep
//   ReadPeerOptions
//   ReceivedMessage
//   SECRET
//   STDIO_MISBEHAVIOURS
//   StdioMisbehaviourName
//   StdioPeer
//   StdioPeerOptions
//   StdioProcessOptions
//   misbehave
//   misbehaveStdio
//   readPeerOptions
//   serveThisProcess

import { Dialect, EncodeContext, TableReason } from "@recourse/core/dialects";
import { Fault, FaultDetails, Issue, Kind, RetryAdvice, Stamps } from "@recourse/core";
import { IdempotencyStore } from "@recourse/core/server";
import { JsonObject } from "@recourse/core/wire";
import { ServerResponse } from "node:http";
type LeakCategory = "cred-known" | "cred-opaque" | "evasion" | "pii" | "infra" | "stack" | "sql" | "provider" | "internal-id" | "hostile";
interface Leak {
  readonly id: string;
  readonly category: LeakCategory;
  readonly text: string;
  readonly canaries: readonly string[];
}
interface Benign {
  readonly id: string;
  readonly text: string;
  readonly source?: string;
}
declare const leaks: readonly Leak[];
declare const benign: readonly Benign[];
interface Arbitrary<T> {
  generate(random: any, bias: number | undefined): any;
  canShrinkWithoutContext(value: unknown): value is T;
  shrink(value: T, context: unknown): any;
  filter<U extends T>(refinement: (value: T) => value is U): Arbitrary<U>;
  filter(predicate: (value: T) => boolean): Arbitrary<T>;
  map<U>(mapper: (value: T) => U, unmapper?: (value: unknown) => T): Arbitrary<U>;
  chain<U>(chainer: (value: T) => Arbitrary<U>): Arbitrary<U>;
}
interface WeightedArbitrary<T> {
  readonly weight: number;
  readonly arbitrary: Arbitrary<T>;
}
interface Combinators {
  array<T>(item: Arbitrary<T>, options?: {
    minLength?: number;
    maxLength?: number;
    size?: "max";
  }): Arbitrary<T[]>;
  boolean(): Arbitrary<boolean>;
  constant<const T>(value: T): Arbitrary<T>;
  constantFrom<const T>(...values: readonly T[]): Arbitrary<T>;
  double(): Arbitrary<number>;
  integer(range: {
    min: number;
    max: number;
  }): Arbitrary<number>;
  jsonValue(options: {
    maxDepth: number;
  }): Arbitrary<unknown>;
  nat(): Arbitrary<number>;
  oneof<T>(...choices: readonly (Arbitrary<T> | WeightedArbitrary<T>)[]): Arbitrary<T>;
  record<T>(members: { readonly [K in keyof T]-?: Arbitrary<Exclude<T[K], undefined>> }, options: {
    requiredKeys: (keyof T)[];
    noNullPrototype: true;
  }): Arbitrary<T>;
  string(options?: {
    unit?: "grapheme" | Arbitrary<string>;
    minLength?: number;
    maxLength?: number;
  }): Arbitrary<string>;
  stringMatching(pattern: RegExp): Arbitrary<string>;
  tuple<Ts extends readonly unknown[]>(...items: { [K in keyof Ts]: Arbitrary<Ts[K]> }): Arbitrary<Ts>;
}
type FastCheck = { readonly [K in keyof Combinators]: (...args: never[]) => unknown };
type FastCheckRunner = FastCheck & {
  readonly assert: (...args: never[]) => unknown;
  readonly property: (...args: never[]) => unknown;
};
interface DialectLawOptions<Encode extends EncodeContext = EncodeContext> {
  readonly fc: FastCheckRunner;
  readonly reasons?: readonly TableReason[];
  readonly contexts?: readonly (Encode | undefined)[] | Arbitrary<Encode | undefined>;
}
interface LawRun {
  readonly numRuns?: number;
}
interface DialectLaw {
  readonly name: string;
  run(options?: LawRun): void;
}
declare function dialectLaws<Wire, Encode extends EncodeContext>(dialect: Dialect<Wire, Encode>, options: DialectLawOptions<NoInfer<Encode>>): readonly DialectLaw[];
interface ReasonCall {
  readonly reason: TableReason;
  readonly params: Readonly<Record<string, unknown>>;
  readonly details: FaultDetails;
}
interface ReasonCallOptions {
  readonly reasons?: readonly TableReason[] | undefined;
  readonly invalid?: Arbitrary<unknown> | undefined;
}
interface FaultOptions {
  readonly kind?: Kind | undefined;
  readonly reasons?: readonly TableReason[] | undefined;
}
interface Generators {
  fault(options?: FaultOptions): Arbitrary<Fault>;
  json(): Arbitrary<unknown>;
  text(): Arbitrary<string>;
  secret(): Arbitrary<string>;
  unknownSecret(): Arbitrary<string>;
  leakyText(): Arbitrary<Leak>;
  issues(): Arbitrary<readonly Issue[]>;
  retryAdvice(): Arbitrary<RetryAdvice>;
  stamps(): Arbitrary<Stamps>;
  reasonCall(options?: ReasonCallOptions): Arbitrary<ReasonCall>;
}
declare function generators(fastCheck: FastCheck): Generators;
interface StoreLimits {
  readonly keepMs: number;
  readonly maxOutcomeLength: number;
}
interface IdempotencyStoreLawOptions {
  readonly wait?: (ms: number) => Promise<void>;
  readonly parallel?: number;
}
interface IdempotencyStoreLaw {
  readonly name: string;
  run(): Promise<void>;
}
declare function idempotencyStoreLaws(create: (limits: StoreLimits) => IdempotencyStore, options?: IdempotencyStoreLawOptions): readonly IdempotencyStoreLaw[];
declare function findLeaks(output: unknown, canaries: Iterable<string>): string[];
declare function expectNoLeak(output: unknown, canaries: Iterable<string>): void;
type RequestId = string | number;
interface PeerRequest {
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: JsonObject;
  readonly meta: JsonObject;
}
type Completion = Promise<void> | void;
type Misbehaviour<Exchange> = {
  readonly description: string; 
  readonly commits: true; 
  act(exchange: Exchange, reply: JsonObject): Completion;
} | {
  readonly description: string; 
  readonly commits: false; 
  act(exchange: Exchange): Completion;
};
interface BadExchange {
  readonly request: PeerRequest;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly delayMs: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly cancelled: AbortSignal;
}
type HttpMisbehaviour = Misbehaviour<BadExchange>;
declare const MISBEHAVIOURS: {
  readonly "lost-socket": Misbehaviour<BadExchange>;
  readonly "lost-stream": Misbehaviour<BadExchange>;
  readonly "lost-stream-reset": Misbehaviour<BadExchange>;
  readonly "lost-502": Misbehaviour<BadExchange>;
  readonly "lost-504": Misbehaviour<BadExchange>;
  readonly "lost-silence": Misbehaviour<BadExchange>;
  readonly "dropped-socket": Misbehaviour<BadExchange>;
  readonly "dropped-silence": Misbehaviour<BadExchange>;
  readonly "slow-headers": Misbehaviour<BadExchange>;
  readonly "slow-body": Misbehaviour<BadExchange>;
  readonly "slow-stream": Misbehaviour<BadExchange>;
  readonly "stalled-head": Misbehaviour<BadExchange>;
  readonly "stalled-body": Misbehaviour<BadExchange>;
  readonly "stalled-stream": Misbehaviour<BadExchange>;
  readonly "half-close": Misbehaviour<BadExchange>;
  readonly "reset-mid-body": Misbehaviour<BadExchange>;
  readonly "reset-mid-stream": Misbehaviour<BadExchange>;
  readonly "answers-twice": Misbehaviour<BadExchange>;
  readonly "answers-other-first": Misbehaviour<BadExchange>;
  readonly "changes-its-mind": Misbehaviour<BadExchange>;
  readonly "late-after-cancel": Misbehaviour<BadExchange>;
  readonly "accepted-202": Misbehaviour<BadExchange>;
  readonly "no-content-204": Misbehaviour<BadExchange>;
  readonly "text-plain": Misbehaviour<BadExchange>;
  readonly "no-content-type": Misbehaviour<BadExchange>;
  readonly "stream-not-json": Misbehaviour<BadExchange>;
  readonly "stream-wrong-id": Misbehaviour<BadExchange>;
  readonly "400-invalid-params": HttpMisbehaviour;
  readonly "400-parse-error": HttpMisbehaviour;
  readonly "400-invalid-request": HttpMisbehaviour;
  readonly "400-text": Misbehaviour<BadExchange>;
  readonly "400-bad-version-v1": HttpMisbehaviour;
  readonly "400-bad-envelope": HttpMisbehaviour;
  readonly "400-header-mismatch": HttpMisbehaviour;
  readonly "400-missing-capability": HttpMisbehaviour;
  readonly "400-unsupported-version": HttpMisbehaviour;
  readonly "401-challenge": Misbehaviour<BadExchange>;
  readonly "401-bare": HttpMisbehaviour;
  readonly "403-insufficient-scope": Misbehaviour<BadExchange>;
  readonly "403-bare": HttpMisbehaviour;
  readonly "403-origin": HttpMisbehaviour;
  readonly "404-session-lost": HttpMisbehaviour;
  readonly "404-method-not-found": HttpMisbehaviour;
  readonly "404-html": HttpMisbehaviour;
  readonly "405-method": HttpMisbehaviour;
  readonly "406-accept": HttpMisbehaviour;
  readonly "408-timeout": HttpMisbehaviour;
  readonly "409-conflict": HttpMisbehaviour;
  readonly "413-too-large": HttpMisbehaviour;
  readonly "415-media-type": HttpMisbehaviour;
  readonly "422-problem": HttpMisbehaviour;
  readonly "429-seconds": HttpMisbehaviour;
  readonly "429-date": Misbehaviour<BadExchange>;
  readonly "429-ratelimit": HttpMisbehaviour;
  readonly "429-bare": HttpMisbehaviour;
  readonly "500-html": HttpMisbehaviour;
  readonly "500-rpc": HttpMisbehaviour;
  readonly "500-oauth": Misbehaviour<BadExchange>;
  readonly "502-html": HttpMisbehaviour;
  readonly "503-retry-after": HttpMisbehaviour;
  readonly "503-problem": HttpMisbehaviour;
  readonly "503-bare": HttpMisbehaviour;
  readonly "504-html": HttpMisbehaviour;
  readonly "redirect-302": HttpMisbehaviour;
  readonly "redirect-307": HttpMisbehaviour;
  readonly "redirect-loop": HttpMisbehaviour;
  readonly "redirect-elsewhere": HttpMisbehaviour;
  readonly batch: HttpMisbehaviour;
  readonly bom: HttpMisbehaviour;
  readonly "content-text": HttpMisbehaviour;
  readonly "deep-json": HttpMisbehaviour;
  readonly "empty-body": HttpMisbehaviour;
  readonly "endless-pages": HttpMisbehaviour;
  readonly "error-extra": HttpMisbehaviour;
  readonly "error-float": HttpMisbehaviour;
  readonly "error-text": HttpMisbehaviour;
  readonly "false-green": HttpMisbehaviour;
  readonly "html-200": HttpMisbehaviour;
  readonly "huge-body": HttpMisbehaviour;
  readonly "id-null": HttpMisbehaviour;
  readonly "invalid-utf8": HttpMisbehaviour;
  readonly "no-id": HttpMisbehaviour;
  readonly "no-jsonrpc": HttpMisbehaviour;
  readonly "no-result": HttpMisbehaviour;
  readonly "no-result-type": HttpMisbehaviour;
  readonly "not-json": HttpMisbehaviour;
  readonly "odd-result-type": HttpMisbehaviour;
  readonly "replay-bad-arguments-v1": HttpMisbehaviour;
  readonly "replay-bad-arguments-v2": HttpMisbehaviour;
  readonly "replay-bad-uri-v1": HttpMisbehaviour;
  readonly "replay-bad-uri-v2": HttpMisbehaviour;
  readonly "replay-capability-lost": HttpMisbehaviour;
  readonly "replay-disabled-tool": HttpMisbehaviour;
  readonly "replay-disabled-tool-v1": HttpMisbehaviour;
  readonly "replay-driver-error": HttpMisbehaviour;
  readonly "replay-internal-leak": HttpMisbehaviour;
  readonly "replay-malformed-result": HttpMisbehaviour;
  readonly "replay-method-not-found": HttpMisbehaviour;
  readonly "replay-off-schema": HttpMisbehaviour;
  readonly "replay-output-invalid": HttpMisbehaviour;
  readonly "replay-output-invalid-v1": HttpMisbehaviour;
  readonly "replay-protocol-error-v1": HttpMisbehaviour;
  readonly "replay-protocol-error-v2": HttpMisbehaviour;
  readonly "replay-prototype-tool": HttpMisbehaviour;
  readonly "replay-refinement-leak": HttpMisbehaviour;
  readonly "replay-request-state": HttpMisbehaviour;
  readonly "replay-reserved-code": HttpMisbehaviour;
  readonly "replay-resource-missing-old": HttpMisbehaviour;
  readonly "replay-resource-missing-v1": HttpMisbehaviour;
  readonly "replay-resource-missing-v2": HttpMisbehaviour;
  readonly "replay-thrown-cause": HttpMisbehaviour;
  readonly "replay-thrown-error": HttpMisbehaviour;
  readonly "replay-thrown-null": HttpMisbehaviour;
  readonly "replay-thrown-object": HttpMisbehaviour;
  readonly "replay-thrown-string": HttpMisbehaviour;
  readonly "replay-undefined-result": HttpMisbehaviour;
  readonly "replay-unknown-prompt": HttpMisbehaviour;
  readonly "replay-unknown-tool-v1": HttpMisbehaviour;
  readonly "replay-unknown-tool-v2": HttpMisbehaviour;
  readonly "replay-url-elicitation": HttpMisbehaviour;
  readonly "replay-url-elicitation-modern": HttpMisbehaviour;
  readonly "replay-zod-internal": HttpMisbehaviour;
  readonly "replay-zod-params": HttpMisbehaviour;
  readonly "result-and-error": HttpMisbehaviour;
  readonly "result-null": HttpMisbehaviour;
  readonly "string-id": HttpMisbehaviour;
  readonly "truncated-json": HttpMisbehaviour;
  readonly "unknown-block": HttpMisbehaviour;
  readonly "wrong-id": HttpMisbehaviour;
  readonly "wrong-jsonrpc": HttpMisbehaviour;
};
type MisbehaviourName = keyof typeof MISBEHAVIOURS;
type StepSpec<Name extends string> = Name | "ok" | {
  readonly do: Name | "ok"; 
  readonly delayMs?: number; 
  readonly commit?: boolean;
};
interface PlannedStep<Name extends string> {
  readonly do: Name;
  readonly delayMs: number | undefined;
  readonly commit: boolean;
}
interface StepOptions<Name extends string> {
  readonly steps?: readonly StepSpec<Name>[] | undefined;
  readonly tools?: Readonly<Record<string, StepSpec<Name>>> | undefined;
  readonly choose?: ((request: PeerRequest) => StepSpec<Name> | undefined) | undefined;
}
interface StepQueue<Name extends string> {
  next(steps: StepSpec<Name> | readonly StepSpec<Name>[], options?: {
    readonly on?: string;
  }): void;
  clear(): void;
  take(request: PeerRequest, requested?: string): PlannedStep<Name> | undefined;
}
declare const MISBEHAVE_KEY = "recourse/misbehave";
interface EffectCounts {
  readonly total: number;
  readonly calls: Readonly<Record<string, number>>;
  readonly keys: Readonly<Record<string, number>>;
}
interface PeerLimits {
  readonly messageBytes: number;
  readonly pageSize: number;
  readonly cursorMs: number;
  readonly toolMs: number;
}
type PeerDialect = "mcp" | "erlmcp";
interface CompliantServerOptions {
  readonly idempotency?: boolean;
  readonly dialect?: PeerDialect;
  readonly limits?: Partial<PeerLimits>;
  readonly now?: () => number;
  readonly onArrival?: ((arrival: Arrival) => void) | undefined;
}
type Arrival = {
  readonly what: "message";
  readonly message: ReceivedMessage;
}  | {
  readonly what: "unreadable";
  readonly reason: string;
}  | {
  readonly what: "http";
  readonly method: string;
  readonly path: string;
};
interface ReceivedMessage {
  readonly method: string;
  readonly id: RequestId | undefined;
  readonly tool: string | undefined;
  readonly callId: string;
  readonly attempt: number | undefined;
  readonly key: string | undefined;
  readonly step: string;
  readonly committed: boolean;
}
interface PeerOptions extends CompliantServerOptions, StepOptions<MisbehaviourName> {
  readonly delayMs?: number;
  readonly port?: number;
}
type PeerStep = StepSpec<MisbehaviourName>;
interface Peer {
  readonly url: URL;
  readonly controlUrl: URL;
  readonly calls: readonly ReceivedMessage[];
  effects(): EffectCounts;
  readonly next: StepQueue<MisbehaviourName>["next"];
  advanceClock(ms: number): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
declare function misbehave(options?: PeerOptions): Promise<Peer>;
interface StdioExchange {
  readonly request: PeerRequest;
  readonly delayMs: number;
  readonly signal: AbortSignal;
  readonly cancelled: AbortSignal;
  readonly writeStdout: (bytes: string | Uint8Array) => Promise<void>;
  readonly writeStderr: (...lines: readonly string[]) => Promise<void>;
  readonly closeStdout: () => void;
  readonly exit: (how: number | "SIGKILL") => void;
}
type StdioMisbehaviour = Misbehaviour<StdioExchange>;
declare const STDIO_MISBEHAVIOURS: {
  readonly "lost-exit": Misbehaviour<StdioExchange>;
  readonly "lost-exit-0": Misbehaviour<StdioExchange>;
  readonly "lost-kill": Misbehaviour<StdioExchange>;
  readonly "lost-silence": Misbehaviour<StdioExchange>;
  readonly "lost-stdout": Misbehaviour<StdioExchange>;
  readonly "dropped-exit": Misbehaviour<StdioExchange>;
  readonly "dropped-silence": Misbehaviour<StdioExchange>;
  readonly "partial-line": Misbehaviour<StdioExchange>;
  readonly "partial-exit": Misbehaviour<StdioExchange>;
  readonly "garbage-lines": Misbehaviour<StdioExchange>;
  readonly "oversize-line": Misbehaviour<StdioExchange>;
  readonly "stderr-flood": Misbehaviour<StdioExchange>;
  readonly "slow-line": Misbehaviour<StdioExchange>;
  readonly "split-line": Misbehaviour<StdioExchange>;
  readonly "answers-twice": Misbehaviour<StdioExchange>;
  readonly "late-after-cancel": Misbehaviour<StdioExchange>;
  readonly batch: StdioMisbehaviour;
  readonly bom: StdioMisbehaviour;
  readonly "content-text": StdioMisbehaviour;
  readonly "deep-json": StdioMisbehaviour;
  readonly "empty-body": StdioMisbehaviour;
  readonly "endless-pages": StdioMisbehaviour;
  readonly "error-extra": StdioMisbehaviour;
  readonly "error-float": StdioMisbehaviour;
  readonly "error-text": StdioMisbehaviour;
  readonly "false-green": StdioMisbehaviour;
  readonly "html-200": StdioMisbehaviour;
  readonly "huge-body": StdioMisbehaviour;
  readonly "id-null": StdioMisbehaviour;
  readonly "invalid-utf8": StdioMisbehaviour;
  readonly "no-id": StdioMisbehaviour;
  readonly "no-jsonrpc": StdioMisbehaviour;
  readonly "no-result": StdioMisbehaviour;
  readonly "no-result-type": StdioMisbehaviour;
  readonly "not-json": StdioMisbehaviour;
  readonly "odd-result-type": StdioMisbehaviour;
  readonly "replay-bad-arguments-v1": StdioMisbehaviour;
  readonly "replay-bad-arguments-v2": StdioMisbehaviour;
  readonly "replay-bad-uri-v1": StdioMisbehaviour;
  readonly "replay-bad-uri-v2": StdioMisbehaviour;
  readonly "replay-capability-lost": StdioMisbehaviour;
  readonly "replay-disabled-tool": StdioMisbehaviour;
  readonly "replay-disabled-tool-v1": StdioMisbehaviour;
  readonly "replay-driver-error": StdioMisbehaviour;
  readonly "replay-internal-leak": StdioMisbehaviour;
  readonly "replay-malformed-result": StdioMisbehaviour;
  readonly "replay-method-not-found": StdioMisbehaviour;
  readonly "replay-off-schema": StdioMisbehaviour;
  readonly "replay-output-invalid": StdioMisbehaviour;
  readonly "replay-output-invalid-v1": StdioMisbehaviour;
  readonly "replay-protocol-error-v1": StdioMisbehaviour;
  readonly "replay-protocol-error-v2": StdioMisbehaviour;
  readonly "replay-prototype-tool": StdioMisbehaviour;
  readonly "replay-refinement-leak": StdioMisbehaviour;
  readonly "replay-request-state": StdioMisbehaviour;
  readonly "replay-reserved-code": StdioMisbehaviour;
  readonly "replay-resource-missing-old": StdioMisbehaviour;
  readonly "replay-resource-missing-v1": StdioMisbehaviour;
  readonly "replay-resource-missing-v2": StdioMisbehaviour;
  readonly "replay-thrown-cause": StdioMisbehaviour;
  readonly "replay-thrown-error": StdioMisbehaviour;
  readonly "replay-thrown-null": StdioMisbehaviour;
  readonly "replay-thrown-object": StdioMisbehaviour;
  readonly "replay-thrown-string": StdioMisbehaviour;
  readonly "replay-undefined-result": StdioMisbehaviour;
  readonly "replay-unknown-prompt": StdioMisbehaviour;
  readonly "replay-unknown-tool-v1": StdioMisbehaviour;
  readonly "replay-unknown-tool-v2": StdioMisbehaviour;
  readonly "replay-url-elicitation": StdioMisbehaviour;
  readonly "replay-url-elicitation-modern": StdioMisbehaviour;
  readonly "replay-zod-internal": StdioMisbehaviour;
  readonly "replay-zod-params": StdioMisbehaviour;
  readonly "result-and-error": StdioMisbehaviour;
  readonly "result-null": StdioMisbehaviour;
  readonly "string-id": StdioMisbehaviour;
  readonly "truncated-json": StdioMisbehaviour;
  readonly "unknown-block": StdioMisbehaviour;
  readonly "wrong-id": StdioMisbehaviour;
  readonly "wrong-jsonrpc": StdioMisbehaviour;
};
type StdioMisbehaviourName = keyof typeof STDIO_MISBEHAVIOURS;
interface StdioPeerOptions {
  readonly steps?: readonly StdioPeerStep[];
  readonly tools?: Readonly<Record<string, StdioPeerStep>>;
  readonly idempotency?: boolean;
  readonly dialect?: PeerDialect;
  readonly delayMs?: number;
}
type StdioPeerStep = Extract<StepSpec<StdioMisbehaviourName>, string>;
interface StdioPeer {
  readonly command: string;
  readonly args: readonly string[];
  effects(): EffectCounts;
  close(): void;
  [Symbol.dispose](): void;
}
declare function misbehaveStdio(options?: StdioPeerOptions): StdioPeer;
declare const SECRET = "postgres://user:hunter2@db.internal/prod";
declare const PEER_OPTIONS: {
  readonly next: {
    readonly type: "string";
    readonly multiple: true;
  }; 
  readonly tool: {
    readonly type: "string";
    readonly multiple: true;
  };
  readonly dialect: {
    readonly type: "string";
  };
  readonly idempotency: {
    readonly type: "boolean";
  };
  readonly "delay-ms": {
    readonly type: "string";
  };
};
type PeerOptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
interface ReadPeerOptions<Name extends string> {
  readonly steps: readonly StepSpec<Name>[];
  readonly tools: Readonly<Record<string, StepSpec<Name>>>;
  readonly dialect: PeerDialect;
  readonly idempotency: boolean;
  readonly delayMs: number;
}
type PeerOptionsRead<Name extends string> = {
  readonly ok: true;
  readonly options: ReadPeerOptions<Name>;
} | {
  readonly ok: false;
  readonly problem: string;
};
declare function readPeerOptions<Name extends string>(values: PeerOptionValues, known: Readonly<Record<Name, unknown>>): PeerOptionsRead<Name>;
declare const MISBEHAVE_HEADER = "recourse-misbehave";
interface ServeStdioOptions extends CompliantServerOptions, StepOptions<StdioMisbehaviourName> {
  readonly delayMs?: number;
}
interface StdioProcessOptions extends ServeStdioOptions {
  readonly effectsFile?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
declare function serveThisProcess({
  effectsFile,
  signal,
  ...options
}: StdioProcessOptions): Promise<void>;
