// The public API of @recourse/wire, written by `npm run build && node scripts/api-report.ts`.

// @recourse/wire
//   ABORTED
//   APPROVAL_KEY
//   BACKSLASH
//   ByteCollector
//   CALL_KEY
//   CLIENT_CAPABILITIES_KEY
//   CLIENT_INFO_KEY
//   CLOSE_OBJECT
//   CODES_KEY
//   COMMA
//   CallingPage
//   Clock
//   DECLARES_KEY
//   FAULTS_EXTENSION
//   FAULT_KEY
//   FIXED_STATUS
//   HANDSHAKE_VERSIONS
//   Host
//   ID
//   ID_ALPHABET
//   JSON_RPC_CODES
//   JsonObject
//   JsonScanner
//   LATEST_HANDSHAKE_REVISION
//   LATEST_REVISION
//   LEGAL_CODES
//   LOG_LEVEL_KEY
//   LimitedWork
//   LineReader
//   LineReaderOptions
//   MAX_MESSAGE_DEPTH
//   MAX_TIMER_MS
//   MemberSpan
//   MessageIssue
//   MessageOutline
//   NAMESPACE
//   NEWEST_REVISIONS
//   NumberRange
//   OPEN_OBJECT
//   QUOTE
//   RELATED_TASK_KEY
//   REVISIONS
//   RaceLimits
//   Raced
//   Random
//   ReadLinesOptions
//   Received
//   Revision
//   SERVER_INFO_KEY
//   SUBSCRIPTION_ID_KEY
//   Sleep
//   Span
//   SseEvent
//   SseReader
//   SseReaderOptions
//   StreamLine
//   TASKS_EXTENSION
//   TIMED_OUT
//   TOO_DEEP
//   TestingOptions
//   UNSEEN_CHARACTERS
//   VERSION_KEY
//   allowedOriginFor
//   arrayAt
//   basicAuthorization
//   booleanAt
//   canonical
//   canonicalWithin
//   checkNumber
//   checkNumbers
//   concatBytes
//   createIdBytes
//   eachMember
//   elementsOf
//   encodeHeaderValue
//   entriesOf
//   formatId
//   fromPointer
//   hasHandshake
//   hasInputErrorRule
//   hasInputRequired
//   hasListen
//   hasMessageHeaders
//   hasOutputSchemas
//   hasRequestMeta
//   hasResultTypes
//   hasUnknownToolRule
//   headerIssues
//   hostTest
//   idGenerator
//   integerAt
//   isLoopbackAddress
//   isLoopbackName
//   isLoopbackOrigin
//   isObject
//   isPreflight
//   isSentLocally
//   isTextAt
//   isTooDeep
//   memberAt
//   membersOf
//   messageIssues
//   metaIn
//   numberAt
//   objectAt
//   originTest
//   pageHeaders
//   paramIssues
//   parseHost
//   parseJson
//   parseRevision
//   prefersProblem
//   preflightHeaders
//   race
//   randomBytes
//   readHost
//   readId
//   readLines
//   readableId
//   requestedVersion
//   reservesCodes
//   revisionFor
//   runLimited
//   skipSpace
//   skipValue
//   sleep
//   staysLocal
//   stringAt
//   systemClock
//   timeOfId
//   toClock
//   toPointer
//   toRandom
//   unescapeToken
//   valuesOf

// @recourse/wire/node
//   Child
//   ChildExit
//   ChildOptions
//   Connect
//   ConnectTarget
//   ConnectorOptions
//   ProxyChoice
//   ProxyError
//   ProxyProblem
//   ProxyRules
//   RawOutcome
//   RawProgramOptions
//   RawRequest
//   RawResponse
//   StopWaits
//   createProxyChoice
//   hostEnvironment
//   onOneLine
//   openPipes
//   parseProxy
//   proxyCredential
//   readProxyRules
//   sendRaw
//   startChild
//   trustAlso
//   viaProxy
//   withMetaMember
//   withSpans

import { Readable, Writable } from "node:stream";
import { Socket } from "node:net";
import { SecureContext } from "node:tls";
import { Agent, IncomingHttpHeaders } from "node:http";
declare class ByteCollector {
  #private;
  get bytes(): number;
  push(piece: Uint8Array): void;
  take(): Uint8Array;
  takePieces(): readonly Uint8Array[];
}
declare function concatBytes(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer>;
interface NumberRange {
  readonly min: number;
  readonly max?: number;
  readonly whole?: true;
}
declare function checkNumber(path: string, value: unknown, {
  min,
  max,
  whole
}: NumberRange): void;
declare function checkNumbers<T extends object>(path: string, options: T, ranges: Readonly<Partial<Record<keyof T & string, NumberRange>>>): void;
declare const TIMED_OUT: unique symbol;
declare const ABORTED: unique symbol;
type Sleep = (ms: number, signal?: AbortSignal) => Promise<unknown>;
interface RaceLimits {
  readonly ms?: number | undefined;
  readonly sleep?: Sleep | undefined;
  readonly signal?: AbortSignal | undefined;
}
type Raced<T> = T | typeof TIMED_OUT | typeof ABORTED;
declare function race<T>(work: Promise<T>, limits: Pick<RaceLimits, "signal">): Promise<T | typeof ABORTED>;
declare function race<T>(work: Promise<T>, limits: RaceLimits): Promise<Raced<T>>;
interface LimitedWork<T> {
  readonly ms?: number | undefined;
  readonly sleep: Sleep;
  readonly signal?: AbortSignal | undefined;
  readonly run: (signal: AbortSignal) => T | Promise<T>;
  readonly onLateResult?: ((result: T) => void) | undefined;
}
declare function runLimited<T>(work: LimitedWork<T>): Promise<Raced<T>>;
declare const MAX_TIMER_MS: number;
declare function sleep(ms: number, signal?: AbortSignal): Promise<void>;
interface Clock {
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly sleep: Sleep;
}
type Random = () => number;
interface TestingOptions {
  readonly clock?: Partial<Clock>;
  readonly random?: Random;
  readonly createId?: () => string;
}
declare const systemClock: Clock;
declare function toClock({
  clock
}?: TestingOptions): Clock;
declare function toRandom({
  random
}?: TestingOptions): Random;
interface CallingPage {
  readonly origin: string;
  readonly allowed: readonly string[] | "any" | undefined;
  readonly isLocal: boolean;
}
declare function allowedOriginFor({
  origin,
  allowed,
  isLocal
}: CallingPage): string | undefined;
declare function pageHeaders(allowedOrigin: string): Readonly<Record<string, string>>;
interface AskingRequest {
  readonly method: string;
  header(name: string): string | null | undefined;
}
declare function isPreflight(request: AskingRequest): boolean;
declare function preflightHeaders(request: AskingRequest, {
  allowedOrigin,
  methods
}: {
  readonly allowedOrigin: string;
  readonly methods: readonly string[];
}): Readonly<Record<string, string>>;
type JsonObject = Readonly<Record<string, unknown>>;
declare function isObject(value: unknown): value is JsonObject;
declare function objectAt(from: unknown, key: string): JsonObject | undefined;
declare function stringAt(from: unknown, key: string): string | undefined;
declare function numberAt(from: unknown, key: string): number | undefined;
declare function integerAt(from: unknown, key: string): number | undefined;
declare function booleanAt(from: unknown, key: string): boolean | undefined;
declare function arrayAt(from: unknown, key: string): readonly unknown[];
declare function entriesOf(value: unknown): readonly (readonly [key: string, value: unknown])[];
declare function memberAt(from: unknown, key: string): unknown;
declare function parseJson(text: unknown, limit?: number): unknown;
declare function canonical(value: unknown): string;
declare function canonicalWithin(value: unknown, max: number): string | undefined;
declare function toPointer(path: readonly (string | number)[]): string;
declare function fromPointer(pointer: string): string[];
declare function unescapeToken(token: string): string;
interface MessageIssue {
  readonly pointer: string;
  readonly rule: "required" | "type" | "custom";
  readonly expected: string;
}
declare function messageIssues(value: unknown): readonly MessageIssue[] | undefined;
declare function readableId(value: unknown): string | number | undefined;
declare const REVISIONS: readonly ["2025-06-18", "2025-11-25", "2026-07-28"];
type Revision = (typeof REVISIONS)[number];
declare const LATEST_REVISION = "2026-07-28";
declare const LATEST_HANDSHAKE_REVISION = "2025-11-25";
declare const NEWEST_REVISIONS: readonly ["2025-11-25", "2026-07-28"];
declare const JSON_RPC_CODES: readonly number[];
declare const LEGAL_CODES: Readonly<Record<Revision, readonly number[]>>;
declare const FIXED_STATUS: Readonly<Record<Revision, Readonly<Record<number, number>>>>;
declare function parseRevision(version: string | undefined): Revision;
declare function hasHandshake(revision: Revision | undefined): boolean;
declare function hasRequestMeta(revision: Revision | undefined): boolean;
declare function hasMessageHeaders(revision: Revision | undefined): boolean;
declare function hasResultTypes(revision: Revision | undefined): boolean;
declare function hasInputRequired(revision: Revision | undefined): boolean;
declare function hasListen(revision: Revision | undefined): boolean;
declare function reservesCodes(revision: Revision | undefined): boolean;
declare const HANDSHAKE_VERSIONS: readonly string[];
declare function hasOutputSchemas(version: string): boolean;
declare function hasUnknownToolRule(version: string): boolean;
declare function hasInputErrorRule(version: string): boolean;
interface Received {
  header(name: string): string | null | undefined;
  readonly message: unknown;
}
declare function metaIn(message: unknown): JsonObject | undefined;
declare function requestedVersion(received: Received): unknown;
declare function revisionFor(received: Received): Revision;
declare function paramIssues(received: Received): readonly MessageIssue[];
declare function headerIssues(received: Received): readonly MessageIssue[];
declare function encodeHeaderValue(text: string): string;
declare function prefersProblem(accept: string | null): boolean;
declare function basicAuthorization(id: string, secret: string): string;
interface Host {
  readonly name: string;
  readonly port: string | undefined;
}
declare function parseHost(text: string): Host | undefined;
declare function readHost(header: string): Host | undefined;
declare function isLoopbackName({
  name
}: Host): boolean;
declare function isSentLocally(localAddress: string | undefined, host: Host | undefined): boolean;
declare function staysLocal(host: Host): boolean;
declare function isLoopbackAddress(address: string): boolean;
declare function isLoopbackOrigin(header: string): boolean;
declare function hostTest(entries: readonly string[]): (host: Host) => boolean;
declare function originTest(entries: readonly string[]): (header: string) => boolean;
declare const ID_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
declare const ID: RegExp;
declare function timeOfId(id: string): number | undefined;
declare function readId(value: unknown): string | undefined;
declare function formatId(timeMs: number, random: Uint8Array): string;
declare function createIdBytes(fill: (block: Uint8Array<ArrayBuffer>) => void): () => Uint8Array;
declare const randomBytes: () => Uint8Array;
declare function idGenerator(now: () => number): () => string;
interface Span {
  readonly start: number;
  readonly end: number;
}
declare const QUOTE = 34;
declare const BACKSLASH = 92;
declare const COMMA = 44;
declare const OPEN_OBJECT = 123;
declare const CLOSE_OBJECT = 125;
declare const TOO_DEEP = -2;
declare function skipSpace(bytes: Uint8Array, from: number): number;
declare function skipValue(bytes: Uint8Array, start: number, maxDepth?: number): number;
declare function isTextAt(bytes: Uint8Array, start: number, end: number, text: string): boolean;
type VisitMember = (keyStart: number, keyEnd: number, value: Span) => boolean;
declare function eachMember(bytes: Uint8Array, start: number, visit: VisitMember): number;
declare function valuesOf(bytes: Uint8Array, start: number, key: string): readonly Span[];
declare function membersOf(bytes: Uint8Array, start: number): ReadonlyMap<string, Span> | undefined;
declare function elementsOf(bytes: Uint8Array, start: number): Generator<Span, boolean, void>;
declare class MessageOutline {
  #private;
  take(bytes: Uint8Array): void;
  get id(): string | number | undefined;
  get callId(): string | number | undefined;
}
interface MemberSpan {
  readonly name: string;
  readonly start: number;
  readonly value: Span;
}
declare const MAX_MESSAGE_DEPTH = 64;
declare function isTooDeep(bytes: Uint8Array): boolean;
type ScanValue = () => void;
declare class JsonScanner {
  #private;
  problem: "depth" | "key" | undefined;
  constructor(bytes: Uint8Array);
  object(parsed: unknown, within?: (name: string) => ScanValue | undefined): readonly MemberSpan[];
}
interface LineReaderOptions {
  readonly onLine: (line: Uint8Array, size: number) => void;
  readonly maxBytes?: number;
  readonly onExcess?: (piece: Uint8Array) => void;
  readonly onTooLong?: (size: number) => void;
  readonly keepEnd?: boolean;
}
declare class LineReader {
  #private;
  constructor(options: LineReaderOptions);
  get excessBytes(): number;
  push(chunk: Uint8Array): void;
  end(): void;
}
interface ReadLinesOptions {
  readonly maxBytes?: number;
  readonly lastLine?: boolean;
}
interface StreamLine {
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
}
declare function readLines(chunks: AsyncIterable<Uint8Array>, {
  maxBytes,
  lastLine
}?: ReadLinesOptions): AsyncGenerator<StreamLine>;
declare const NAMESPACE = "recourse";
declare const FAULT_KEY: string;
declare const CALL_KEY: string;
declare const FAULTS_EXTENSION = "io.github.recourse-mcp/faults";
declare const DECLARES_KEY: string;
declare const APPROVAL_KEY: string;
declare const CODES_KEY: string;
declare const VERSION_KEY: string;
declare const CLIENT_INFO_KEY: string;
declare const CLIENT_CAPABILITIES_KEY: string;
declare const SERVER_INFO_KEY: string;
declare const LOG_LEVEL_KEY: string;
declare const SUBSCRIPTION_ID_KEY: string;
declare const RELATED_TASK_KEY: string;
declare const TASKS_EXTENSION: string;
interface SseEvent {
  readonly data: Uint8Array;
  readonly type: string;
  readonly id: string | undefined;
}
interface SseReaderOptions {
  readonly onEvent: (event: SseEvent) => void;
  readonly maxBytes?: number;
  readonly onTooLong?: () => void;
}
declare class SseReader {
  #private;
  constructor(options: SseReaderOptions);
  get heldBytes(): number;
  get lines(): number;
  push(chunk: Uint8Array): void;
}
declare const UNSEEN_CHARACTERS: RegExp;
interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
interface ChildExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: NodeJS.ErrnoException;
}
interface StopWaits {
  readonly closeMs?: number;
  readonly terminateMs?: number;
}
interface Child {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ChildExit>;
  exit(): ChildExit | undefined;
  stop(waits?: StopWaits): Promise<ChildExit>;
}
declare function startChild({
  command,
  args,
  env,
  cwd,
  signal
}: ChildOptions): Child;
declare function hostEnvironment(own: Readonly<Record<string, string | undefined>>, given?: Readonly<Record<string, string>>): Record<string, string>;
interface ProxyRules {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  readonly except?: string | undefined;
}
type ProxyChoice = (address: URL) => URL | undefined;
interface ProxyProblem {
  readonly variable: string;
}
declare function readProxyRules(environment: Readonly<Record<string, string | undefined>>): ProxyRules | ProxyProblem | undefined;
declare function parseProxy(text: string): URL | undefined;
declare function createProxyChoice({
  http,
  https,
  except
}: ProxyRules): ProxyChoice;
interface ConnectTarget {
  readonly hostname: string;
  readonly protocol: string;
  readonly port: string;
  readonly httpSocket?: Socket | undefined;
}
type Connected<S> = (...result: [null, S] | [Error, null]) => void;
type Connect<T extends ConnectTarget, S> = (target: T, done: Connected<S>) => void;
interface ConnectorOptions {
  readonly proxy?: ProxyChoice | undefined;
  readonly timeoutMs: number;
  readonly secureContext?: SecureContext | undefined;
}
declare function viaProxy<T extends ConnectTarget, S>(connect: Connect<T, S>, {
  proxy: choose,
  timeoutMs,
  secureContext
}: ConnectorOptions): Connect<T, S | Socket>;
declare function trustAlso(certificates: readonly string[] | undefined): SecureContext | undefined;
declare class ProxyError extends Error {
  readonly name = "ProxyError";
  readonly code = "ERR_PROXY_TUNNEL";
  readonly isMisconfigured: boolean;
  constructor(message: string, {
    cause,
    isMisconfigured
  }: {
    cause?: unknown;
    isMisconfigured: boolean;
  });
}
declare function proxyCredential({
  username,
  password
}: URL): string;
declare function withSpans(bytes: Buffer, spans: readonly Span[], text: string): Buffer;
declare function withMetaMember(bytes: Buffer, start: number, members: Readonly<Record<string, unknown>>): Buffer;
declare function onOneLine(json: Buffer): Buffer;
interface RawRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly agent?: Agent | undefined;
  readonly socket?: Socket | undefined;
  readonly maxBytes: number;
  readonly maxStreamText: number;
  readonly onEvent: (data: string) => void;
  readonly isEnough: (response: RawResponse) => boolean;
}
interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly isStream: boolean;
  readonly headersMs: number;
  readonly text: string;
  readonly bytes: number;
}
interface RawOutcome {
  readonly how: "complete" | "enough" | "too-long" | "cut" | "late" | "aborted" | "broken" | "unsendable";
  readonly ms: number;
  readonly response: RawResponse | undefined;
  readonly error: NodeJS.ErrnoException | undefined;
  readonly firstBytes: Uint8Array;
}
declare function sendRaw(options: RawRequest): Promise<RawOutcome>;
interface RawProgramOptions {
  readonly maxLineBytes: number;
  readonly maxBytes: number;
  readonly onLine: (text: string, size: number) => void;
  readonly onTooLong?: (size: number) => void;
  readonly onFlood?: () => void;
}
declare function openPipes(child: Child, options: RawProgramOptions): (line: string | Uint8Array) => void;
