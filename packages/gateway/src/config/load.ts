import { dirname, resolve } from "node:path";
import { MIN_SECRET_LENGTH, registerSecrets } from "@recourse/core";
import type { z } from "zod";
import { crossCheck, isUrl, toolPrefix, writeIpv6 } from "./checks.ts";
import { buildConsoleConfig, consoleUrl } from "./console-url.ts";
import { type ConfigDocument, type Environment, type Problem, parseYaml } from "./document.ts";
import { type ReadResult, readDocument } from "./read.ts";
import { CONFIG, type ConfigFile } from "./schema.ts";
import { readSecretFile, type SecretFile, type SecretFileValue, secretFileState } from "./secret-files.ts";
import type { GatewayConfig, StoreConfig, UpstreamConfig, UpstreamCredential } from "./types.ts";
import { readRoutes, type UpstreamRoutes } from "./upstream-routes.ts";

/** How to read a file. */
export interface LoadOptions {
  /** Where variables such as `${TOKEN}` come from. */
  readonly environment: Environment;
  /** The path of the file: other files that it names are relative to its folder. @default "gateway.yaml" */
  readonly file?: string;
}

/** What a file says, or everything that is wrong with it. */
export type LoadResult = (
  | { readonly ok: true; readonly config: GatewayConfig }
  | { readonly ok: false; readonly problems: readonly Problem[] }
) & {
  readonly warnings: readonly Problem[];
  /** The files of `${file:…}`, those that could not be read among them. */
  readonly secretFiles: readonly SecretFile[];
};

/**
 * Reads a configuration file. Secrets in it are registered, so that no fault and no log line shows them.
 *
 * @example
 * const loaded = loadConfig(await readFile("gateway.yaml", "utf8"), { environment: process.env, file: "gateway.yaml" });
 * if (!loaded.ok) for (const problem of loaded.problems) console.error(problemLine("gateway.yaml", problem));
 */
export function loadConfig(text: string, { environment, file: path = "gateway.yaml" }: LoadOptions): LoadResult {
  const files = new SecretFiles(dirname(path));
  const document = parseYaml(text, { environment, readFile: (name) => files.read(name) });
  if (!("value" in document)) return { ok: false, problems: document, warnings: [], secretFiles: [] };
  const { file, draft, problems } = readAndHide(document);
  const found = readRoutes(draft, document, { environment, readFile: (name) => files.readPublic(name) });
  for (const secret of found.secrets) hideSecret(secret);
  const checked = crossCheck(draft, document);
  const crossed = [...checked.problems, ...found.problems];
  const common = { warnings: inOrder(checked.warnings), secretFiles: files.all };
  if (file === undefined || crossed.length > 0)
    return { ok: false, problems: inOrder([...problems, ...crossed]), ...common };
  return { ok: true, config: buildConfig(file, dirname(path), found.routes), ...common };
}

/** One part of a file, or what is wrong with that part. Problems elsewhere in the file do not matter. */
type PartResult<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly problems: readonly Problem[] };

/** The part of a file that says where keys are kept. */
export function loadStore(
  text: string,
  options: LoadOptions,
): PartResult<{ readonly store: StoreConfig; readonly keyCacheMs: number }> {
  const part = loadPart(text, options, STORE_PART);
  return part.ok ? { ok: true, store: buildStore(part.data.store), keyCacheMs: part.data.keyCache } : part;
}

/** The part of a file that says where `/health` and `/ready` are. */
export function loadPagesAddress(
  text: string,
  options: LoadOptions,
): PartResult<{ readonly listen: GatewayConfig["listen"] }> {
  const part = loadPart(text, options, LISTEN_PART);
  return part.ok ? { ok: true, listen: part.data.telemetry.listen ?? part.data.listen } : part;
}

const STORE_PART = CONFIG.pick({ store: true, keyCache: true }).strip();
const LISTEN_PART = CONFIG.pick({ listen: true, telemetry: true }).strip();

function loadPart<Part extends typeof STORE_PART | typeof LISTEN_PART>(
  text: string,
  { environment, file = "gateway.yaml" }: LoadOptions,
  schema: Part,
): PartResult<{ readonly data: z.output<Part> }> {
  const files = new SecretFiles(dirname(file));
  const document = parseYaml(text, { environment, readFile: (name) => files.read(name) });
  if (!("value" in document)) return { ok: false, problems: document };
  const { problems } = readAndHide(document);
  const { data } = schema.safeParse(document.value);
  const names = Object.keys(schema.shape);
  const concerning = problems.filter(({ path }) => names.includes(path.split(/[.[]/, 1)[0] ?? ""));
  if (data === undefined || concerning.length > 0)
    return { ok: false, problems: inOrder(concerning.length > 0 ? concerning : problems) };
  return { ok: true, data: data as z.output<Part> };
}

/** The files that one reading of the configuration takes values from. Each is read once, so all places see the same value. */
class SecretFiles {
  readonly #folder: string;
  readonly #read = new Map<string, SecretFileValue>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get all(): readonly SecretFile[] {
    return [...this.#read].map(([path, read]) => ({ path, state: secretFileState(read) }));
  }

  /** What a file holds is a secret, wherever it stands in the configuration. */
  read(name: string): SecretFileValue {
    const read = this.readPublic(name);
    if ("value" in read) hideSecret(read.value);
    return read;
  }

  /** What such a file holds is not a secret. */
  readPublic(name: string): SecretFileValue {
    const path = resolve(this.#folder, name);
    const read = this.#read.get(path) ?? readSecretFile(path);
    this.#read.set(path, read);
    return read;
  }
}

function readAndHide(document: ConfigDocument): ReadResult {
  const read = readDocument(document);
  for (const secret of read.secrets) hideSecret(secret);
  return read;
}

const hidden = new Set<string>();

/** Registers a secret once, however often the file is read. Shorter texts than the filter takes are left out. */
function hideSecret(text: string): void {
  const secret = secretPart(text);
  if (secret.length < MIN_SECRET_LENGTH || hidden.has(secret)) return;
  hidden.add(secret);
  registerSecrets(secret);
}

/** Of an address the password is the secret. */
function secretPart(text: string): string {
  const url = text.includes("://") ? URL.parse(text) : null;
  if (url === null) return text;
  try {
    return decodeURIComponent(url.password);
  } catch {
    return url.password;
  }
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** The configuration that a file stands for. `folder` is where the file is. */
function buildConfig(file: ConfigFile, folder: string, routes: UpstreamRoutes["routes"]): GatewayConfig {
  const { limits, idempotency, approvals, breaker, incidents, telemetry } = file;
  const store = buildStore(file.store);
  const admin = file.admin && { ...file.admin, console: buildConsoleConfig(file.admin.console) };
  return {
    listen: file.listen,
    path: file.path,
    name: file.name,
    publicUrl: file.publicUrl,
    hosts: file.hosts === "any" ? "any" : file.hosts?.map(writeIpv6),
    origins: file.origins,
    proxies: file.proxies,
    store,
    authentication: file.authentication,
    keys: (file.keys ?? []).map((key) => ({ ...key, dialect: key.dialect })),
    jwt: buildJwt(file.jwt),
    keyCacheMs: file.keyCache,
    upstreams: Object.entries(file.upstreams).map(([name, upstream]) => ({
      ...buildUpstream(name, upstream, folder),
      ...routes.get(name),
    })),
    tools: Object.entries(file.tools ?? {}).map(([pattern, rule]) => ({
      pattern,
      ...rule,
      entitlement: rule.entitlement,
    })),
    limits: {
      address: limits.address,
      key: limits.key,
      tenant: limits.tenant,
      cost: limits.cost,
      tools: Object.entries(limits.tools ?? {}).map(([pattern, rate]) => ({ pattern, rate })),
      mode: limits.mode,
    },
    away: file.away,
    idempotency: { keepMs: idempotency.keep },
    questions: { waitMs: file.questions.wait },
    approvals:
      approvals.tools.length + approvals.denied.length === 0
        ? undefined
        : {
            tools: approvals.tools,
            denied: approvals.denied,
            expiresMs: approvals.expires,
            link: approvals.link ?? approvalLink(admin),
            notify: approvals.notify,
          },
    breaker: breaker.enabled
      ? { failures: breaker.failures, pauseMs: breaker.pause, maxPauseMs: breaker.maxPause }
      : undefined,
    incidents: {
      keepMs: incidents.keep,
      samplesPerMinute: incidents.samples,
      callers: incidents.callers,
      texts: incidents.texts,
    },
    admin,
    maxRequestBytes: file.maxRequest,
    maxAnswerBytes: file.maxAnswer,
    maxHeldBytes: file.maxHeld,
    maxStreams: file.maxStreams,
    deadlineMs: file.deadline,
    drainMs: file.drain,
    telemetry: {
      otlp: telemetry.otlp,
      prometheus: telemetry.prometheus,
      logLevel: telemetry.log,
      listen: telemetry.listen,
      public: telemetry.public,
    },
  };
}

/** Where a person decides, if the file does not say it: a page of the console. */
function approvalLink(admin: GatewayConfig["admin"]): string | undefined {
  const url = admin && consoleUrl(admin);
  return url && `${url}/approvals/{id}`;
}

/** Where things are kept. */
function buildStore(store: ConfigFile["store"]): StoreConfig {
  return store === "memory" ? { mode: "memory" } : { mode: "shared", ...store, redis: [store.redis].flat() };
}

function buildJwt(jwt: ConfigFile["jwt"]): GatewayConfig["jwt"] {
  if (jwt === undefined) return undefined;
  const { jwksUrl = `${jwt.issuer.replace(/\/$/, "")}/.well-known/jwks.json` } = jwt;
  return { ...jwt, jwksUrl, dialect: jwt.dialect };
}

function buildUpstream(name: string, file: ConfigFile["upstreams"][string], folder: string): UpstreamConfig {
  const options = {
    name,
    prefix: toolPrefix(name, file),
    foreignText: file.foreignText,
    speaksFaults: file.speaksFaults,
    // The annotations of an API are those of the bridge.
    trustAnnotations: file.trustAnnotations || file.openapi !== undefined,
    dialect: file.dialect,
    timeoutMs: file.timeout,
    maxCalls: file.maxCalls,
    honoursKeys: file.idempotency === "honoured",
    credential: buildCredential(file.credential),
    lists: file.lists,
  };
  if (file.url !== undefined) return { ...options, kind: "http", url: file.url, era: file.era };
  if (file.openapi !== undefined) {
    const document = isUrl(file.openapi) ? file.openapi : resolve(folder, file.openapi);
    return { ...options, kind: "openapi", document, server: file.server, allowPrivate: file.allowPrivate };
  }
  const [program = "", ...args] = file.command ?? [];
  return {
    ...options,
    kind: "stdio",
    command: [program, ...args],
    environment: file.environment ?? {},
    cwd: resolve(folder, file.cwd ?? "."),
    per: file.per,
    maxChildren: file.maxChildren,
    idleMs: file.idle,
  };
}

function buildCredential(file: ConfigFile["upstreams"][string]["credential"]): UpstreamCredential {
  const { bearer, header, value, clientCredentials, exchange } = file;
  if (clientCredentials !== undefined) return { kind: "clientCredentials", ...clientCredentials };
  if (exchange !== undefined) return { kind: "exchange", ...exchange };
  if (bearer !== undefined) return { kind: "bearer", token: bearer };
  if (header !== undefined && value !== undefined) return { kind: "header", name: header, value };
  return { kind: "none" };
}
