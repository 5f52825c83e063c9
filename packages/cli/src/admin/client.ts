import { type RawOutcome, type RawResponse, sendRaw } from "@recourse/core/node";
import { isObject, type JsonObject, objectAt, stringAt } from "@recourse/core/wire";
import type { CliFailure, Io, ParsedArguments } from "../program/command.ts";
import { textOption } from "../program/command-line.ts";
import { usageFailure } from "../program/output.ts";
import { printableUrl } from "../program/secrets.ts";
import { parseBounded } from "../recording/parse.ts";
import { cutTo } from "../terminal/layout.ts";
import { printableLine } from "../terminal/printable.ts";
import { isLoopback } from "../wire/limits.ts";
import { ADMIN_VARIABLES, DEFAULT_ADMIN_URL } from "./settings.ts";

const API_PATH = "/admin/v1";
/** The gateway answers within 10 seconds, or says that it cannot. */
const ADMIN_REPLY_MS = 15_000;
/** A page of approvals, each with the most arguments that a call may have. */
const MAX_REPLY_BYTES = 16 * 1_024 * 1_024;
const MAX_DETAIL = 300;

/** Options of `createAdminClient`. */
export interface AdminClientOptions {
  /** The address of the API, with or without `/admin/v1`. */
  readonly url: URL;
  /** The key of an operator. */
  readonly key: string;
  /** Ends every request at once. */
  readonly signal: AbortSignal;
  /** Milliseconds of a clock. */
  readonly now: () => number;
  /** How long to wait for an answer, in ms. @default 15_000 */
  readonly timeoutMs?: number;
}

/** Why the API did not do what it was asked for: ready to be shown, with the next step. */
interface AdminProblem extends CliFailure {
  /** The status of the answer. Undefined if there was none. */
  readonly status: number | undefined;
  /** The reason of the fault in the answer, such as `core/not_found`. */
  readonly reason: string | undefined;
}

/** The answer to one request. */
export type AdminReply =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly failure: AdminProblem };

/** Parameters of a query. Those that are undefined are left out. */
type QueryValues = Readonly<Record<string, string | number | undefined>>;

/** Asks the admin API of a gateway. */
export interface AdminClient {
  /** The address of the API, as it may be shown. */
  readonly address: string;
  /** Reads something. `path` is below `/admin/v1`. It never rejects. */
  get(path: string, query?: QueryValues): Promise<AdminReply>;
  /** Changes something. It never rejects. */
  post(path: string, body: object): Promise<AdminReply>;
}

/**
 * Makes a client for the admin API of a gateway. The package of the gateway is not needed: it may run anywhere.
 *
 * @example
 * const client = createAdminClient({ url: new URL("http://127.0.0.1:8081"), key, signal: io.signal, now: io.now });
 * const reply = await client.get("/incidents/01M7HXRMR83H8Q9JKGBAVMDXX4");
 * if (!reply.ok) return { failure: reply.failure };
 */
export function createAdminClient({
  url,
  key,
  signal,
  now,
  timeoutMs = ADMIN_REPLY_MS,
}: AdminClientOptions): AdminClient {
  const base = apiBase(url);
  const address = printableUrl(base);
  const send = async (
    method: "GET" | "POST",
    path: string,
    { query = {}, body }: AdminRequestParts,
  ): Promise<AdminReply> => {
    const target = new URL(`${base.href}${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) target.searchParams.set(name, String(value));
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const outcome = await sendRaw({
      url: target,
      method,
      headers: {
        host: target.host,
        authorization: `Bearer ${key}`,
        accept: "application/json, application/problem+json",
        ...(bytes !== undefined && { "content-type": "application/json", "content-length": String(bytes.length) }),
      },
      body: bytes,
      timeoutMs,
      signal,
      now,
      maxBytes: MAX_REPLY_BYTES,
      maxStreamText: 0,
      onEvent: () => {},
      // The API streams nothing, so a stream comes from another server.
      isEnough: () => true,
    });
    return readAdminReply(outcome, { address, host: target.host, timeoutMs });
  };
  return {
    address,
    get: (path, query) => send("GET", path, { query }),
    post: (path, body) => send("POST", path, { body }),
  };
}

interface AdminRequestParts {
  readonly query?: QueryValues | undefined;
  readonly body?: object;
}

/** `recourse serve` prints the address with its path; people also write it without. */
function apiBase(url: URL): URL {
  const path = url.pathname.replace(/\/{1,8}$/, "");
  return new URL(`${url.origin}${path.endsWith(API_PATH) ? path : `${path}${API_PATH}`}`);
}

/** The client that a command line asks for, or what is missing. The key is hidden in all that is written from then on. */
export function openAdminClient(
  given: ParsedArguments,
  io: Io,
): { readonly client: AdminClient } | { readonly failure: CliFailure } {
  const typed = textOption(given.options, "url");
  const text = typed ?? (io.env[ADMIN_VARIABLES.url] || DEFAULT_ADMIN_URL);
  const url = parseAdminUrl(text);
  if (url === undefined) {
    const source = typed === undefined ? `The variable ${ADMIN_VARIABLES.url}` : "The option --url";
    const message = `${source} is not the address of a gateway.`;
    return { failure: usageFailure(message, `Write it like this: ${DEFAULT_ADMIN_URL}`) };
  }
  const key = io.env[ADMIN_VARIABLES.key]?.trim() ?? "";
  if (!/^[\x21-\x7e]{1,1024}$/.test(key))
    return {
      failure: {
        exit: "credentials",
        code: "no-key",
        message:
          key === ""
            ? `The key of an operator is missing: the variable ${ADMIN_VARIABLES.key} is not set.`
            : `The variable ${ADMIN_VARIABLES.key} holds something that is not a key.`,
        fix: `export ${ADMIN_VARIABLES.key}=…   (recourse init prints one; recourse keys add <id> --operator makes another)`,
      },
    };
  io.hide?.(key);
  if (url.protocol === "http:" && !isLoopback(url) && given.options["json"] !== true)
    io.stderr.write(
      `Your key goes to ${printableLine(url.host)} without encryption. Use https outside of your machine.\n`,
    );
  return { client: createAdminClient({ url, key, signal: io.signal, now: io.now }) };
}

function parseAdminUrl(text: string): URL | undefined {
  const full = /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

/** What a failure is reported with. */
interface ReplyContext {
  readonly address: string;
  readonly host: string;
  readonly timeoutMs: number;
}

function readAdminReply(outcome: RawOutcome, context: ReplyContext): AdminReply {
  const { how, response } = outcome;
  if (how !== "complete" || response === undefined)
    return {
      ok: false,
      failure: { ...connectionFailure(outcome, context), status: response?.status, reason: undefined },
    };
  const body = parseBounded(response.text);
  const isSuccess = response.status >= 200 && response.status < 300;
  if (isSuccess && isObject(body)) return { ok: true, value: body };
  const fault = objectAt(body, "fault");
  const failure = fault === undefined ? otherServer(context) : problemFailure(response, body, fault);
  return { ok: false, failure: { ...failure, status: response.status, reason: stringAt(fault, "reason") } };
}

const START_GATEWAY = "Start it with recourse serve, and with admin: in its file; or name its address with --url.";

function connectionFailure({ how, error }: RawOutcome, { address, host, timeoutMs }: ReplyContext): CliFailure {
  const failure = (code: string, message: string, fix: string): CliFailure => ({
    exit: "unreachable",
    code,
    message,
    fix,
    ...(error !== undefined && { cause: error }),
  });
  switch (how) {
    case "late":
      return failure("late", `${address} did not answer within ${timeoutMs / 1_000} s.`, `recourse doctor ${address}`);
    case "aborted":
      return failure("aborted", "You ended it before the gateway had answered.", "Run it again.");
    case "too-long":
      return failure(
        "too-long",
        `${address} answered with more than ${MAX_REPLY_BYTES / 1_048_576} MB.`,
        START_GATEWAY,
      );
    case "enough":
    case "complete":
      return otherServer({ address });
    case "unsendable":
    case "cut":
    case "broken":
      if (error?.code === "ECONNREFUSED") return failure("refused", `Nothing listens on ${host}.`, START_GATEWAY);
      return failure(
        "broken",
        `The gateway could not be asked at ${host} (${printableLine(error?.code ?? how)}).`,
        "Check the address, and whether the admin API of the gateway listens there.",
      );
    default:
      return how satisfies never;
  }
}

function otherServer({ address }: Pick<ReplyContext, "address">): CliFailure {
  return {
    exit: "unreachable",
    code: "not-the-api",
    message: `What answers at ${address} is not the admin API of a gateway.`,
    fix: "recourse serve prints the address of the API; name it with --url.",
  };
}

/** Failures that have a next step of their own, by the reason of the fault. */
const FAILURES_BY_REASON: Readonly<Record<string, (fault: JsonObject) => CliFailure>> = {
  "auth/unauthorized": () => ({
    exit: "credentials",
    code: "key-refused",
    message: `The gateway does not accept the key in ${ADMIN_VARIABLES.key}.`,
    fix: "recourse keys add <id> --operator   makes a key, and the line for admin.keys of gateway.yaml.",
  }),
  "auth/not_authorized": (fault) => {
    const role = stringAt(objectAt(fault, "params"), "requiredRole");
    const needed = role !== undefined && /^[a-z]{1,20}$/.test(role) ? role : "admin";
    return {
      exit: "credentials",
      code: "role",
      message: `The key in ${ADMIN_VARIABLES.key} may not do this. It needs the role ${needed}.`,
      fix: `recourse keys add <id> --operator --role ${needed}`,
    };
  },
  "auth/access_denied": () => ({
    exit: "usage",
    code: "host-refused",
    message: "The gateway does not serve this host name.",
    fix: "Use the address that recourse serve prints, or add the name to hosts in gateway.yaml.",
  }),
  "core/rate_limited": () => ({
    exit: "credentials",
    code: "too-many-keys",
    message: "Too many keys that are not accepted came from this address.",
    fix: `Wait a minute, and check ${ADMIN_VARIABLES.key}.`,
  }),
  "core/unavailable": () => ({
    exit: "unreachable",
    code: "store",
    message: "A store that the gateway needs for this does not answer.",
    fix: "recourse status",
  }),
};

/** The failure in a problem document. Its reason decides; its text is shown for reasons that are not in the table. */
function problemFailure({ status }: RawResponse, body: unknown, fault: JsonObject): CliFailure {
  const reason = stringAt(fault, "reason") ?? "";
  const known = Object.hasOwn(FAILURES_BY_REASON, reason) ? FAILURES_BY_REASON[reason] : undefined;
  if (known !== undefined) return known(fault);
  const detail = printableLine(cutTo((stringAt(body, "detail") ?? "").slice(0, 2 * MAX_DETAIL), MAX_DETAIL));
  const incident = stringAt(fault, "incident");
  return {
    exit: status >= 500 ? "unreachable" : "usage",
    code: "refused",
    message: `The gateway answered ${status}: ${detail === "" ? "it does not say why." : detail}`,
    ...(incident !== undefined && /^[0-9A-Z]{26}$/.test(incident) && { fix: `recourse incident ${incident}` }),
  };
}
