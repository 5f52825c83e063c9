import { randomBytes } from "node:crypto";
import type { RequestHead } from "../call/head.ts";
import type { Observer } from "../call/observer.ts";
import type { GatewayConfig } from "../config/types.ts";
import type { Audit } from "../incidents/audit.ts";
import type { Redis } from "../stores/redis.ts";
import { errorCode } from "../stores/store-error.ts";
import { type CrossSiteProblem, checkCrossSite, findOwnOrigin, readSourceHeaders } from "./cross-site.ts";
import { createEndedSessions } from "./ended-sessions.ts";
import { type ConsoleFiles, findConsoleFolder, readConsoleFiles } from "./files.ts";
import type { CookieScheme } from "./session-cookie.ts";
import { ConsoleSessions } from "./sessions.ts";
import { createSignInAudit, type SignInAudit } from "./sign-in-audit.ts";

/** A console that is served. */
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

/** What a console needs. */
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
