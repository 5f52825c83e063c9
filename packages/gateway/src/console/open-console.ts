import { randomBytes } from "node:crypto";
import { race, sleep } from "@recourse/core/wire";
import type { RequestHead } from "../call/head.ts";
import { inBackground, type Observer } from "../call/observer.ts";
import type { Audit, AuditEntry } from "../changes/audit.ts";
import type { GatewayConfig, Rate } from "../config/types.ts";
import { AddressLimit } from "../edge/address-limit.ts";
import type { Redis } from "../stores/redis.ts";
import { errorCode } from "../stores/store-error.ts";
import { type CrossSiteProblem, checkCrossSite, findOwnOrigin, readSourceHeaders } from "./cross-site.ts";
import { type ConsoleFiles, findConsoleFolder, readConsoleFiles } from "./files.ts";
import type { CookieScheme } from "./session-cookie.ts";
import { ConsoleSessions, createEndedSessions } from "./sessions.ts";

export interface OpenConsole {
  readonly sessions: ConsoleSessions;
  readonly audit: SignInAudit;
  /** Undefined if they could not be read. */
  readonly files: ConsoleFiles | undefined;
  /** How its cookies are written. */
  readonly scheme: CookieScheme;
  /** What is wrong with a request that has, begins or ends a session; undefined if the console itself sent it. */
  readonly checkRequest: (head: RequestHead) => CrossSiteProblem | undefined;
  /** Whether the console may be opened at the address that a browser asks for. */
  readonly isServedAt: (head: RequestHead) => boolean;
}

interface ConsoleParts {
  readonly config: () => Pick<GatewayConfig, "admin" | "name">;
  /** Tells the other processes which sessions were ended. @default there are none */
  readonly redis?: Pick<Redis, "eval"> | undefined;
  /** Where the built console is. @default the one in the package */
  readonly folder?: string | undefined;
  readonly audit: Audit | undefined;
  readonly observer: Observer;
  /** Clock in ms since 1970. */
  readonly now: () => number;
  /** Monotonic clock in ms. */
  readonly monotonic: () => number;
}

const SESSION_SECRET_BYTES = 32;
const SESSION_ID_BYTES = 16;

/** Opens the console of a configuration; undefined if it has none. Missing files do not keep the gateway from starting. */
export async function openConsole(parts: ConsoleParts): Promise<OpenConsole | undefined> {
  const { config, redis, folder = findConsoleFolder(), audit, observer, now, monotonic } = parts;
  const options = config().admin?.console;
  if (options === undefined) return undefined;
  const { url, secret = randomBytes(SESSION_SECRET_BYTES), idleMs, longestMs } = options;
  const files = await readConsoleFiles(folder).catch((error: unknown) => {
    observer.log("warn", "The files of the console cannot be read, so its pages answer 503.", {
      ...{ folder, code: errorCode(error) },
    });
    return undefined;
  });
  const sessions = new ConsoleSessions({
    key: () => ({ secret, gateway: config().name }),
    operators: () => config().admin?.keys ?? [],
    ended: createEndedSessions({ redis, monotonic }),
    createSessionId: () => randomBytes(SESSION_ID_BYTES).toString("base64url"),
    ...{ idleMs, longestMs, now },
  });
  return {
    sessions,
    audit: createSignInAudit({ audit, observer, monotonic }),
    files,
    scheme: url?.startsWith("https:") === true ? "https" : "http",
    checkRequest: (head) => checkCrossSite(readSourceHeaders(head), findOwnOrigin(url, head)),
    isServedAt: (head) => findOwnOrigin(url, head) !== undefined,
  };
}

/** Tells the audit who signed in and out. No method rejects: operators sign in while the database is down, too. */
interface SignInAudit {
  signedIn(operator: string, address: string): Promise<void>;
  signedOut(operator: string, address: string): Promise<void>;
  /** A key was not accepted. Nothing is kept of it but the address, at most once a minute. */
  refused(address: string): void;
}

interface SignInAuditOptions {
  readonly audit: Audit | undefined;
  readonly observer: Observer;
  /** Monotonic clock in ms. */
  readonly monotonic: () => number;
}

const NO_OPERATOR = "-";
/** How long an operator waits for the audit. */
const AUDIT_MS = 1_000;
/** Refusals of one address, and of all addresses together: nobody fills the audit from many addresses. */
const SIGN_IN_REFUSALS: Rate = { perSecond: 1 / 60, burst: 1 };
const ALL_SIGN_IN_REFUSALS: Rate = { perSecond: 1 / 6, burst: 10 };

/** Makes the entries of sign-ins. */
function createSignInAudit({ audit, observer, monotonic }: SignInAuditOptions): SignInAudit {
  const byAddress = new AddressLimit(SIGN_IN_REFUSALS, monotonic);
  const together = new AddressLimit(ALL_SIGN_IN_REFUSALS, monotonic);
  async function record(entry: AuditEntry): Promise<void> {
    try {
      await audit?.record(entry);
    } catch (error) {
      const { by, action } = entry;
      observer.log("warn", "The audit does not know about a sign-in.", { by, action, code: errorCode(error) });
    }
  }
  const recordSoon = async (entry: AuditEntry) => void (await race(record(entry), { ms: AUDIT_MS, sleep }));
  return {
    signedIn: (by, address) => recordSoon({ by, action: "console.sign-in", target: "console", facts: { address } }),
    signedOut: (by, address) => recordSoon({ by, action: "console.sign-out", target: "console", facts: { address } }),
    refused(address) {
      if (byAddress.take(address) !== undefined || together.take("") !== undefined) return;
      const entry = { by: NO_OPERATOR, action: "console.sign-in-refused", target: "console", facts: { address } };
      inBackground("audit", observer, record(entry));
    },
  };
}
