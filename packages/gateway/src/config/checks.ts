// What options say about each other. Each check sees the whole file, without the parts that are wrong by themselves.

import { isIP } from "node:net";
import { LATEST_REVISION, originTest, parseHost } from "@recourse/core/wire";
import { isOwnMachine } from "./console-url.ts";
import { type ConfigDocument, type Path, type Problem, pathText } from "./document.ts";
import type { Draft } from "./read.ts";
import type { ConfigFile } from "./schema.ts";

/** Options that contradict each other, or that have no effect. */
interface Finding {
  readonly level: "problem" | "warning";
  /** The option to look at. */
  readonly path: Path;
  readonly message: string;
  readonly fix: string;
}

/** Tells whether an option stands in the file, whatever is wrong with it. */
type IsWritten = (...path: Path) => boolean;

type ConfigDraft = Draft<ConfigFile>;
type UpstreamDraft = NonNullable<NonNullable<ConfigDraft["upstreams"]>[string]>;
type Check = (draft: ConfigDraft, isWritten: IsWritten) => Iterable<Finding>;

const CHECKS: readonly Check[] = [
  checkUpstreams,
  checkNames,
  checkCallers,
  checkExchanges,
  checkCallerLists,
  checkLimits,
  checkNetwork,
  checkSources,
  checkConsole,
  checkTelemetry,
];

/** Compares the options of a file with each other. */
export function crossCheck(
  draft: ConfigDraft,
  document: ConfigDocument,
): { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] } {
  const isWritten: IsWritten = (...path) => document.find(path) !== undefined;
  const findings = CHECKS.flatMap((check) => [...check(draft, isWritten)]);
  const ofLevel = (wanted: Finding["level"]) =>
    findings
      .filter(({ level }) => level === wanted)
      .map(({ path, message, fix }): Problem => {
        return { line: 1, column: 1, ...document.find(path), path: pathText(path), message, fix };
      });
  return { problems: ofLevel("problem"), warnings: ofLevel("warning") };
}

/** A finding that keeps the gateway from starting. */
const problem = (path: Path, message: string, fix: string): Finding => ({ level: "problem", path, message, fix });

const warning = (path: Path, message: string, fix: string): Finding => ({ level: "warning", path, message, fix });

const WAYS = ["url", "command", "openapi"] as const;

/** Options that belong to one way of reaching an upstream. */
const ONLY_WITH = {
  era: "url",
  server: "openapi",
  allowPrivate: "openapi",
  environment: "command",
  cwd: "command",
  per: "command",
  maxChildren: "command",
  idle: "command",
} as const satisfies Partial<Record<keyof UpstreamDraft, (typeof WAYS)[number]>>;

/** Each upstream is reached in one way, has a prefix that tells its names from those of others, and only the options of that way. */
function* checkUpstreams({ upstreams = {} }: ConfigDraft, isWritten: IsWritten): Generator<Finding> {
  const prefixes: { readonly of: string; readonly prefix: string }[] = [];
  for (const [name, upstream] of Object.entries(upstreams)) {
    yield* checkWay(name, isWritten);
    yield* checkCredential(name, isWritten);
    const prefix = toolPrefix(name, upstream);
    const other = prefixes.find((one) => prefix.startsWith(one.prefix) || one.prefix.startsWith(prefix));
    if (other !== undefined)
      yield problem(
        ["upstreams", name, ...(isWritten("upstreams", name, "prefix") ? ["prefix"] : [])],
        overlapText(prefix, other),
        "Give each upstream a prefix of its own that no other one begins with.",
      );
    prefixes.push({ of: name, prefix });
  }
}

/** What stands before the names of an upstream's tools. */
export function toolPrefix(name: string, upstream: Pick<UpstreamDraft, "prefix"> | undefined): string {
  return upstream?.prefix ?? `${name}__`;
}

function overlapText(prefix: string, other: { readonly of: string; readonly prefix: string }): string {
  if (other.prefix === prefix)
    return `the upstream ${other.of} has the same prefix, so their tools cannot be distinguished.`;
  return prefix.startsWith(other.prefix)
    ? `it begins with the prefix of the upstream ${other.of}, so their tools cannot be distinguished.`
    : `the prefix of the upstream ${other.of} begins with it, so their tools cannot be distinguished.`;
}

function* checkWay(name: string, isWritten: IsWritten): Generator<Finding> {
  const ways = WAYS.filter((way) => isWritten("upstreams", name, way));
  if (ways.length === 0)
    yield problem(["upstreams", name], "url, command or openapi is missing.", "Write one of them.");
  if (ways.length > 1)
    yield problem(["upstreams", name, ways[1] ?? ""], `${ways.join(" and ")} exclude each other.`, "Keep one of them.");
  for (const [option, way] of Object.entries(ONLY_WITH)) {
    if (ways.length !== 1 || ways[0] === way || !isWritten("upstreams", name, option)) continue;
    yield problem(["upstreams", name, option], `this option belongs to upstreams with ${way}.`, "Remove it.");
  }
}

function* checkCredential(name: string, isWritten: IsWritten): Generator<Finding> {
  const at = ["upstreams", name, "credential"];
  const has = (option: string) => isWritten(...at, option);
  if (!isWritten(...at)) return;
  if (isWritten("upstreams", name, "command"))
    yield problem(at, "programs get no credential.", "Put it into environment, under the name that the program reads.");
  const forms = CREDENTIAL_FORMS.filter((form) => has(form) || (form === "header" && has("value")));
  if (forms.length > 1) yield problem(at, `${forms.join(" and ")} exclude each other.`, "Keep one of them.");
  else if (has("header") !== has("value"))
    yield problem(at, "header and value belong together.", "Write { header: X-Api-Key, value: … }.");
  else if (forms.length === 0)
    yield problem(at, "the credential is empty.", "Write { bearer: … } or { header: X-Api-Key, value: … }.");
}

const CREDENTIAL_FORMS = ["bearer", "header", "clientCredentials", "exchange"] as const;
/** The forms that are fetched. */
const FETCHED_FORMS = ["clientCredentials", "exchange"] as const satisfies readonly (typeof CREDENTIAL_FORMS)[number][];

/** Lists for each caller need callers that the gateway and the upstream can distinguish. */
function* checkCallerLists({ upstreams = {}, authentication }: ConfigDraft, isWritten: IsWritten): Generator<Finding> {
  for (const [name, upstream] of Object.entries(upstreams)) {
    if (upstream?.lists !== "caller") continue;
    const at = ["upstreams", name, "lists"];
    if (authentication === "none")
      yield problem(
        at,
        "callers cannot be distinguished: authentication is none.",
        "Write lists: gateway, or let callers show a key or a token.",
      );
    else if (isWritten("upstreams", name, "openapi"))
      yield warning(at, "an API lists the same to every caller.", "Remove it.");
    else if (!isWritten("upstreams", name, "credential", "exchange") && !mayHaveSessions(upstream))
      yield warning(
        at,
        "the upstream cannot distinguish callers: it sees one credential, and has no sessions.",
        "Use credential: { exchange: … }, or per: caller for a program.",
      );
  }
}

/** Whether an upstream may have a session or a process for each caller. */
function mayHaveSessions({ command, per, era }: NonNullable<UpstreamDraft>): boolean {
  return command === undefined ? era !== LATEST_REVISION : per === "caller";
}

/** Upstreams that are used on behalf of a person: some callers must have tokens, and the others are refused. */
function* checkExchanges({ upstreams = {} }: ConfigDraft, isWritten: IsWritten): Generator<Finding> {
  for (const name of Object.keys(upstreams)) {
    const at = ["upstreams", name, "credential", "exchange"];
    if (!isWritten(...at)) continue;
    if (!isWritten("jwt"))
      yield problem(
        at,
        "no caller has a token to exchange: there is no jwt.",
        "Write jwt: { issuer: …, audience: … }, or use clientCredentials.",
      );
    else if (isWritten("keys", 0))
      yield warning(
        at,
        "callers with an API key have no token to exchange, so their calls to this upstream are refused.",
        "Let them use tokens, or hide its tools from them with keys[…].tools.",
      );
  }
}

/** Patterns of tool names that no upstream can have. */
function* checkNames({ upstreams = {}, tools = {}, keys = [], jwt, limits }: ConfigDraft): Generator<Finding> {
  const prefixes = Object.entries(upstreams).map(([name, upstream]) => toolPrefix(name, upstream));
  if (prefixes.length === 0) return;
  const patterns: (readonly [Path, string | undefined])[] = [
    ...Object.keys(tools).map((pattern) => [["tools", pattern], pattern] as const),
    ...Object.keys(limits?.tools ?? {}).map((pattern) => [["limits", "tools", pattern], pattern] as const),
    ...keys.flatMap((key, at) =>
      (key?.tools ?? []).map((pattern, no) => [["keys", at, "tools", no], pattern] as const),
    ),
    ...(jwt?.tools ?? []).map((pattern, no) => [["jwt", "tools", no], pattern] as const),
  ];
  const known = prefixes.map((prefix) => `${prefix}*`).join(", ");
  for (const [path, pattern = "*"] of patterns) {
    const [head = ""] = pattern.split("*", 1);
    const isExact = head === pattern;
    if (prefixes.some((prefix) => head.startsWith(prefix) || (!isExact && prefix.startsWith(head)))) continue;
    const fix = `Names begin with the prefix of their upstream: ${known}.`;
    yield problem(path, "no upstream has tools with such a name.", fix);
  }
}

/** Who may call: at least one caller must be possible, each key is there once, and tokens need a public address. */
function* checkCallers(draft: ConfigDraft, isWritten: IsWritten): Generator<Finding> {
  const { authentication, keys = [], jwt, store } = draft;
  const hasCallers = isWritten("keys", 0) || isWritten("jwt");
  if (authentication === "none" && (isWritten("keys") || jwt !== undefined))
    yield problem(
      ["authentication"],
      "keys and jwt have no effect without authentication.",
      "Remove them, or write authentication: required.",
    );
  if (authentication === "required" && !hasCallers && store === "memory")
    yield problem(
      ["store"],
      "no one can call: there is no key and no jwt.",
      "Run recourse keys add, or write authentication: none.",
    );
  if (jwt !== undefined && !isWritten("publicUrl"))
    yield problem(
      ["jwt"],
      "tokens need publicUrl, so that callers learn where to get one.",
      "Write publicUrl: https://… with the address that callers use.",
    );
  yield* duplicates(keys, "id", "This id is written twice, so limits would count two callers as one.");
  yield* duplicates(keys, "sha256", "Two keys have the same hash, so they are the same key.");
  yield* unreachableTools(draft);
}

function* duplicates(
  keys: NonNullable<ConfigDraft["keys"]>,
  member: "id" | "sha256",
  message: string,
): Generator<Finding> {
  const seen = new Set<string>();
  for (const [at, key] of keys.entries()) {
    const value = key?.[member]?.toLowerCase();
    if (value === undefined) continue;
    if (seen.has(value)) yield problem(["keys", at, member], message, "Remove one of them, or give it another value.");
    seen.add(value);
  }
}

/** Tools that need what no caller of the file has. Tokens and keys of the database are not known here. */
function* unreachableTools({ keys = [], jwt, store, tools = {}, authentication }: ConfigDraft): Generator<Finding> {
  if (jwt !== undefined || (store !== "memory" && authentication === "required")) return;
  const scopes = new Set(keys.flatMap((key) => key?.scopes ?? []));
  const entitlements = new Set(keys.flatMap((key) => key?.entitlements ?? []));
  for (const [pattern, rule] of Object.entries(tools)) {
    if (rule?.scopes?.some((scope) => !scopes.has(scope)))
      yield warning(["tools", pattern, "scopes"], "no key has all of these scopes.", "Add them to keys[…].scopes.");
    if (rule?.entitlement !== undefined && !entitlements.has(rule.entitlement))
      yield warning(["tools", pattern, "entitlement"], "no key has it.", "Add it to keys[…].entitlements.");
  }
}

/** Limits that have no effect, let nothing through, or contradict the store. */
function* checkLimits(draft: ConfigDraft, isWritten: IsWritten): Generator<Finding> {
  const { tools = {}, limits, store, away, maxHeld, maxAnswer } = draft;
  for (const [pattern, rule] of Object.entries(tools)) {
    if (!isWritten("tools", pattern, "cost")) continue;
    if (!isWritten("limits", "cost"))
      yield warning(
        ["tools", pattern, "cost"],
        "cost has no effect without limits.cost.",
        "Write limits: { cost: { rate: 100/m, burst: 100 } }.",
      );
    else if ((rule?.cost ?? 0) > (limits?.cost?.burst ?? Number.POSITIVE_INFINITY))
      yield problem(
        ["tools", pattern, "cost"],
        "a call costs more than the burst of limits.cost, so it can never pass.",
        "Raise limits.cost.burst, or lower the cost.",
      );
  }
  if (store === "memory" && (away?.replicas ?? 1) > 1)
    yield problem(
      ["away", "replicas"],
      "store: memory is one process.",
      "Remove away.replicas, or use Redis and PostgreSQL as the store.",
    );
  if (store === "memory" && isWritten("away", "limits"))
    yield warning(["away", "limits"], "memory is never away, so this has no effect.", "Remove it.");
  if (store !== "memory" && away?.limits === "local" && !isWritten("away", "replicas"))
    yield warning(
      ["away", "limits"],
      "each process would count the whole limit while Redis is down.",
      "Write away.replicas: the number of processes.",
    );
  if (store === "memory" && isWritten("limits", "mode"))
    yield warning(["limits", "mode"], "in memory every limit is exact, so this has no effect.", "Remove it.");
  if (maxHeld !== undefined && maxAnswer !== undefined && maxHeld < maxAnswer)
    yield problem(["maxHeld"], "it is smaller than maxAnswer.", "Make it several times as large as maxAnswer.");
}

const MAX_PORT = 65_535;

/** Addresses: can they be used, and what do others on the way see? */
function* checkNetwork(draft: ConfigDraft): Generator<Finding> {
  const { listen: { host = "" } = {}, authentication, proxies = [], jwt, upstreams = {} } = draft;
  const ports = [
    [["listen"], draft.listen?.port],
    [["admin", "listen"], draft.admin?.listen?.port],
    [["telemetry", "listen"], draft.telemetry?.listen?.port],
  ] as const;
  for (const [path, port = 0] of ports)
    if (port > MAX_PORT) yield problem(path, "ports go up to 65535.", "Take another port.");
  if (authentication === "none" && host !== "" && !isOwnMachine(host))
    yield warning(
      ["authentication"],
      "anyone who reaches this address can call every tool.",
      "Listen on 127.0.0.1, or use keys.",
    );
  for (const [at, proxy] of proxies.entries())
    if (proxy !== undefined && !isNetwork(proxy))
      yield problem(
        ["proxies", at],
        "expected an address, or a network such as 10.0.0.0/8, that is not the whole internet.",
        "Write the addresses of your own proxies only: what they say is believed.",
      );
  yield* checkUrls(draft);
  yield* checkNotify(draft);
  const keys = jwt?.jwksUrl ?? jwt?.issuer;
  if (keys !== undefined && isPlainRemote(keys))
    yield problem(
      ["jwt", jwt?.jwksUrl === undefined ? "issuer" : "jwksUrl"],
      "the keys of the issuer would be read over plain http, where others can replace them.",
      "Use https.",
    );
  for (const [name, upstream] of Object.entries(upstreams)) {
    yield* checkTransport(name, upstream ?? {});
    for (const form of FETCHED_FORMS) {
      const tokenUrl = upstream?.credential?.[form]?.tokenUrl;
      if (tokenUrl !== undefined && isPlainRemote(tokenUrl))
        yield problem(
          ["upstreams", name, "credential", form, "tokenUrl"],
          "secrets and tokens would be sent over plain http, where others on the way can read them.",
          "Use https.",
        );
    }
  }
}

/** Hosts and origins that no request can have. */
function* checkSources({ hosts = [], origins = [] }: ConfigDraft): Generator<Finding> {
  for (const [at, host = ""] of [hosts === "any" ? [] : hosts].flat().entries())
    if (parseHost(writeIpv6(host)) === undefined)
      yield problem(
        ["hosts", at],
        "expected a host name or an address, with or without a port.",
        "Write it as the Host header has it, such as mcp.example.com.",
      );
  for (const [at, origin = ""] of [origins === "any" ? [] : origins].flat().entries())
    if (!isOrigin(origin))
      yield problem(
        ["origins", at],
        "expected an origin, or a host name.",
        "Write it as the Origin header has it, such as https://app.example.com.",
      );
}

/** Whether the check of requests takes an origin; it throws for one that no request can have. */
function isOrigin(text: string): boolean {
  try {
    originTest([text]);
    return true;
  } catch {
    return false;
  }
}

/** A host as the `Host` header has it: an address of IPv6 may be written without brackets. */
export function writeIpv6(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** The pages for probes and Prometheus: they must be somewhere. */
function* checkTelemetry({ telemetry }: ConfigDraft, isWritten: IsWritten): Generator<Finding> {
  const at = ["telemetry", "public"];
  if (telemetry?.public !== false || isWritten("telemetry", "listen")) return;
  const fix = "Write telemetry.listen with an address such as 0.0.0.0:8082, or remove telemetry.public.";
  if (telemetry.prometheus === false) yield warning(at, "no probe can ask for /health and /ready.", fix);
  else yield problem(at, "no address would have /health, /ready and /metrics.", fix);
}

/** The console: its sessions, and who could read them on the way. */
function* checkConsole({ admin, store }: ConfigDraft, isWritten: IsWritten): Generator<Finding> {
  const { console = false, listen: { host = "" } = {} } = admin ?? {};
  if (console === false) return;
  const at = ["admin", "console"];
  const { url, idle, longest, cells = [] } = console === true ? {} : console;
  if (store !== undefined && store !== "memory" && !isWritten(...at, "secret"))
    yield problem(
      at,
      "sessions need a secret that all processes share.",
      `Write admin.console: { secret: "\${CONSOLE_SECRET}" }, with a random text of at least 32 characters.`,
    );
  const addresses = [
    [[...at, "url"], url],
    ...cells.map((cell, index) => [[...at, "cells", index, "url"], cell?.url] as const),
  ] as const;
  for (const [path, address] of addresses) {
    if (address !== undefined && isPlainRemote(address))
      yield problem(
        path,
        "keys and sessions of operators would be sent over plain http, where others on the way can read them.",
        "Use https, with a proxy in front.",
      );
    if (address !== undefined && /[?#]/.test(address))
      yield problem(path, "a query or a fragment has no meaning here.", "Write the address without it.");
  }
  if (!isWritten(...at, "url") && host !== "" && !isOwnMachine(host))
    yield warning(
      at,
      "the console opens only on this machine: the address that browsers use is not set.",
      "Write admin.console: { url: https://… } with the address of your proxy.",
    );
  if (idle !== undefined && longest !== undefined && idle > longest)
    yield warning([...at, "idle"], "it is longer than longest, so it has no effect.", "Make it shorter, or remove it.");
}

/** Messages about approvals: names of callers and tools are in them. */
function* checkNotify({ approvals }: ConfigDraft): Generator<Finding> {
  const url = approvals?.notify?.url;
  if (url !== undefined && isPlainRemote(url))
    yield problem(
      ["approvals", "notify", "url"],
      "messages would be sent over plain http, where others on the way can read them.",
      "Use https.",
    );
}

function* checkUrls({ publicUrl, jwt, telemetry, approvals, upstreams = {}, admin }: ConfigDraft): Generator<Finding> {
  const console = typeof admin?.console === "object" ? admin.console : undefined;
  const urls: (readonly [Path, string | undefined])[] = [
    [["publicUrl"], publicUrl],
    [["admin", "console", "url"], console?.url],
    ...(console?.cells ?? []).map((cell, at) => [["admin", "console", "cells", at, "url"], cell?.url] as const),
    [["jwt", "issuer"], jwt?.issuer],
    [["jwt", "jwksUrl"], jwt?.jwksUrl],
    [["telemetry", "otlp"], telemetry?.otlp],
    [["approvals", "notify", "url"], approvals?.notify?.url],
    ...Object.entries(upstreams).flatMap(([name, upstream]) => [
      [["upstreams", name, "url"], upstream?.url] as const,
      [["upstreams", name, "server"], upstream?.server] as const,
      ...FETCHED_FORMS.flatMap((form) => {
        const { tokenUrl, resource } = upstream?.credential?.[form] ?? {};
        const at = ["upstreams", name, "credential", form];
        return [[[...at, "tokenUrl"], tokenUrl] as const, [[...at, "resource"], resource] as const];
      }),
      // The path of a file is no address.
      [["upstreams", name, "openapi"], isUrl(upstream?.openapi) ? upstream?.openapi : undefined] as const,
    ]),
  ];
  for (const [path, text] of urls) {
    if (text === undefined) continue;
    const url = URL.parse(text);
    if (url === null) yield problem(path, "expected a URL with http or https.", "Check its host and port.");
    else if (url.username !== "" || url.password !== "")
      yield problem(path, "a URL must not hold a user or a password.", "Write them as a credential of the upstream.");
  }
}

function* checkTransport(name: string, { url, server, openapi, credential }: UpstreamDraft): Generator<Finding> {
  const hasCredential = [
    credential?.bearer,
    credential?.value,
    ...FETCHED_FORMS.map((form) => credential?.[form]),
  ].some((one) => one !== undefined);
  const [option, target] = url === undefined ? (["server", server] as const) : (["url", url] as const);
  if (target !== undefined && hasCredential && isPlainRemote(target))
    yield warning(
      ["upstreams", name, option],
      "the credential is sent over plain http, where others on the way can read it.",
      "Use https.",
    );
  if (openapi !== undefined && isPlainRemote(openapi))
    yield warning(
      ["upstreams", name, "openapi"],
      "the document is read over plain http, where others on the way can change it.",
      "Use https, or a file.",
    );
}

/** Whether a document is at an address, not in a file. */
export function isUrl(text: string | undefined): boolean {
  return text !== undefined && /^https?:\/\//i.test(text);
}

/** Whether a text is an address, or a network with the length of its prefix; that of all addresses is not accepted. */
export function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || address.includes("%") || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** Whether an address is reached over plain http, and not on this machine. */
function isPlainRemote(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "http:" && !isOwnMachine(url.hostname.replace(/^\[(.*)\]$/, "$1"));
}
