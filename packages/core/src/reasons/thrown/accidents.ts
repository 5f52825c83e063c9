// Errors of the platform, of sockets, of files, of programs, and of libraries that give up waiting.

import { peek, peekInteger, peekString } from "../../errors/peek.ts";
import { readAbort, readSystemFault, type SystemFailure } from "../../errors/system-codes.ts";
import * as core from "../library/core.ts";
import { response_too_large, unexpected_content } from "../library/rest.ts";
import type { TableReason } from "../types.ts";
import { reasonOfCode } from "./codes.ts";
import { wasParsedElsewhere } from "./frames.ts";
import { isObjectValue, mean, type ReadError, type ThrownRow } from "./meaning.ts";

/** What a failure of the system, the network or an HTTP client means for the call. */
export const SYSTEM_REASONS = {
  unknown_host: core.misconfigured,
  unreachable: core.unavailable,
  certificate: core.misconfigured,
  tls: core.misconfigured,
  lost: core.unavailable,
  failed: core.unavailable,
  timeout: core.timeout,
  cancelled: core.timeout,
  closed: core.unavailable,
  overloaded: core.overloaded,
  storage: core.misconfigured,
  bad_reply: core.upstream_failed,
  reply_too_large: response_too_large,
  bad_call: undefined,
} as const satisfies Record<SystemFailure, TableReason | undefined>;

/** An abort that the caller asked for is a cancellation. Any other is a limit of time that the handler has set. */
function abortMeaning({ error, names, isAborted }: ReadError) {
  const found = readAbort(error, names);
  if (found === undefined) return undefined;
  return mean(found === "abort" && isAborted ? core.cancelled : core.timeout, { isSilent: true });
}

function isCallersPath({ error, callerTexts }: ReadError): boolean {
  const path = peekString(error, "path");
  return path !== undefined && callerTexts.some((text) => text !== "" && (text === path || path.endsWith(`/${text}`)));
}

function isCallersInput({ error, callerTexts }: ReadError): boolean {
  const input = peekString(error, "input") ?? peekString(peek(error, "mark"), "buffer");
  return input !== undefined && callerTexts.some((text) => text !== "" && input.startsWith(text));
}

/** SMTP: 4yz asks to come back later, and 5yz about the envelope is about an address. */
function mailMeaning({ error, code }: ReadError) {
  const reply = peekInteger(error, "responseCode") ?? 0;
  if (code === "EAUTH" || reply === 530 || reply === 535) return mean(core.misconfigured, { unsent: true });
  if (reply >= 400 && reply < 500) return mean(core.busy);
  return code === "EENVELOPE" ? mean(core.validation_failed) : undefined;
}

/** Rows of everything that is neither a reply nor a database. The first that knows an error counts. */
export const ACCIDENT_ROWS = {
  /** ioredis calls it an abort too. */
  redisRetries: { weight: "code", names: ["MaxRetriesPerRequestError"], read: () => mean(core.unavailable) },
  abort: { weight: "code", read: abortMeaning },
  /** Programs that were ended because they ran too long: execa, and `child_process` with a limit. */
  programTimeout: {
    weight: "code",
    read: ({ error }) => {
      const isKilled = peek(error, "killed") === true && peekString(error, "cmd") !== undefined;
      const isTimeout = peek(error, "timedOut") === true || (isKilled && peekString(error, "signal") !== undefined);
      return isTimeout ? mean(core.timeout) : undefined;
    },
  },
  program: {
    weight: "code",
    member: "syscall",
    read: ({ error, code }) =>
      peekString(error, "syscall")?.startsWith("spawn") === true && typeof code === "string"
        ? mean(core.misconfigured, { unsent: true })
        : undefined,
  },
  file: {
    weight: "code",
    member: "path",
    read: (read) => {
      const reason = isCallersPath(read) ? reasonOfCode("file", String(read.code)) : undefined;
      return mean(reason, { unsent: reason === core.misconfigured });
    },
  },
  mail: { weight: "code", member: "responseCode", read: mailMeaning },
  ssh: {
    weight: "code",
    member: "level",
    read: ({ error }) => {
      const level = peek(error, "level");
      if (level === "client-authentication") return mean(core.misconfigured, { unsent: true });
      return level === "client-timeout" ? mean(core.timeout) : undefined;
    },
  },
  unreadable: {
    weight: "code",
    names: /^(?:ParseError|DeserializationError|JSONParseError|AI_JSONParseError|UpstashJSONParseError)$/,
    read: () => mean(unexpected_content),
  },
  unreadableCode: {
    weight: "code",
    read: ({ code, error, names }) => {
      const isParse =
        code === "ERR_BODY_PARSE_FAILURE" ||
        code === "ERR_HTTP_CONTENT_LENGTH_MISMATCH" ||
        code === "app/unable-to-parse-response" ||
        (code === "PARSE_ERROR" && names.includes("RestError")) ||
        (names[0] === "SyntaxError" && peek(error, "$response") !== undefined);
      return isParse ? mean(unexpected_content) : undefined;
    },
  },
  /** A library that waited too long for what has no code of the system. */
  waited: {
    weight: "code",
    names: /Time[oO]ut(?:Error|Exception)?\d?$/,
    read: ({ error }) => {
      const known = readSystemFault(error);
      return known === undefined || !known.unsent ? mean(core.timeout) : undefined;
    },
  },
  waitedCode: {
    weight: "code",
    read: ({ error, code, names }) => {
      if (code === "TimeoutError") return mean(core.timeout);
      const isLimit = names.includes("AxiosError") || peekInteger(error, "timeout") !== undefined;
      return code === "ECONNABORTED" && isLimit ? mean(core.timeout) : undefined;
    },
  },
  system: {
    weight: "connection",
    read: ({ error }) => {
      const found = readSystemFault(error);
      return found === undefined ? undefined : mean(SYSTEM_REASONS[found.failure], { unsent: found.unsent });
    },
  },
  input: { weight: "guess", read: (read) => (isCallersInput(read) ? mean(core.validation_failed) : undefined) },
  /** Programs that run have no mistakes of syntax: what a client could not parse is the reply that it read. */
  syntax: {
    weight: "guess",
    names: ["SyntaxError"],
    read: ({ error, ownPackage }) => {
      const isReply = isObjectValue(error) && wasParsedElsewhere(error, ownPackage);
      return isReply && peek(error, "expose") === undefined ? mean(unexpected_content) : undefined;
    },
  },
  /** A library that gave up connecting, and says so by its class only. */
  gaveUp: {
    weight: "guess",
    names: /(?:Connection|Network|ServerSelection|ConnectionRefused)Error$|^RetryError$/,
    read: () => mean(core.unavailable),
  },
} as const satisfies Readonly<Record<string, ThrownRow>>;
