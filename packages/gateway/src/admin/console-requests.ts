// The console beside the API: its pages, and the sessions of operators who use it.

import { z } from "@hono/zod-openapi";
import type { Fault } from "@recourse/core";
import { auth, core, protocol } from "@recourse/core/reasons";
import type { Context, MiddlewareHandler, Next } from "hono";
import { UNAUTHORIZED } from "../auth/credential-cache.ts";
import type { RequestHead } from "../call/head.ts";
import type { CrossSiteProblem } from "../console/cross-site.ts";
import { CONSOLE_HEADERS, textAnswer } from "../console/files.ts";
import type { OpenConsole } from "../console/open-console.ts";
import { readCookie, removeCookie, writeCookie } from "../console/session-cookie.ts";
import type { ActiveSession } from "../console/sessions.ts";
import { type AdminFailure, ANSWER_HEADERS } from "./answer.ts";
import { type AdminEnv, type Operator, Refusal } from "./route.ts";
import { describeOperator } from "./routes/me.ts";

type ConsoleContext = Context<AdminEnv>;

/** What the app gives: how a body is read, and how a failure is answered. */
interface ConsoleTools {
  readonly readBody: (c: ConsoleContext, schema: z.ZodObject) => Promise<object | Refusal>;
  readonly answerFailure: (c: ConsoleContext, failure: AdminFailure) => Response;
}

const CONSOLE_ROOT = "/console/";
const SESSION_PATH = `${CONSOLE_ROOT}session`;
const PAGE_READS: readonly string[] = ["GET", "HEAD"];
/** Where browsers begin. The address is relative, since a proxy may serve the console below a path. */
const ENTRIES: readonly string[] = ["/", "/console"];

const SIGN_IN_BODY = z.looseObject({ key: z.string().optional() });
const KEY_MISSING = protocol.invalid_params.fault(
  {},
  { issues: [{ pointer: "/key", rule: "required", expected: "the key of an operator" }] },
);
const NOT_THERE = core.unsupported.fault({}, { effect: "none", recourse: [{ do: "stop" }] });

const ELSEWHERE =
  "The console opens on the machine of the gateway only. To open it from elsewhere, serve it over https and write that address as admin.console.url.";

/** What is said about a request that the console itself did not send. */
const SOURCE_SENTENCES = {
  site: "A session counts only for requests of the console itself. Open the console and use it there.",
  origin: "This page is not at the address of the console. Open the console at the address in admin.console.url.",
  type: "A change with a session needs the content type application/json.",
  marker: "A change with a session needs the header x-recourse-console.",
  address: ELSEWHERE,
} as const satisfies Record<CrossSiteProblem, string>;

/** Answers requests for the console; others pass. If the console is off, all pass. */
export function serveConsole({ readBody, answerFailure }: ConsoleTools): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    const { console, origin } = c.env;
    const { path, method } = origin.head;
    if (console === undefined) return next();
    const refuseMethod = (allow: string) => answerFailure(c, { fault: NOT_THERE, status: 405, allow });
    if (path === SESSION_PATH) {
      if (method !== "POST" && method !== "DELETE") return refuseMethod("POST, DELETE");
      const failure = checkConsoleSource(console, origin.head);
      if (failure !== undefined) return answerFailure(c, failure);
      return method === "POST" ? beginSession(c, console) : endConsoleSession(c, console);
    }
    const isEntry = ENTRIES.includes(path);
    // Browsers ask for it by themselves; without an answer each of them would look like a request without a key.
    const isIcon = path === "/favicon.ico";
    if (!isEntry && !isIcon && !path.startsWith(CONSOLE_ROOT)) return next();
    if (!PAGE_READS.includes(method)) return refuseMethod(PAGE_READS.join(", "));
    if (isIcon) return new Response(null, { status: 204, headers: CONSOLE_HEADERS });
    if (isEntry) return new Response(null, { status: 302, headers: { ...CONSOLE_HEADERS, location: "console/" } });
    return answerConsolePage(console, origin.head);
  };

  async function beginSession(c: ConsoleContext, console: OpenConsole): Promise<Response> {
    const { parts, origin, checkKey } = c.env;
    const { address } = origin.head;
    const body = await readBody(c, SIGN_IN_BODY);
    if (body instanceof Refusal) return answerFailure(c, { fault: body.fault });
    const { key } = body as z.output<typeof SIGN_IN_BODY>;
    if (key === undefined) return answerFailure(c, { fault: KEY_MISSING });
    const line = checkKey(key.trim(), address);
    if ("refused" in line) {
      console.audit.refused(address);
      return answerFailure(c, { fault: line.refused });
    }
    const session = console.sessions.begin(line);
    await console.audit.signedIn(session.operator, address);
    const headers = { ...ANSWER_HEADERS, "set-cookie": writeCookie(console.scheme, session.renewed) };
    return c.json(describeOperator(operatorOf(session), parts), 200, headers);
  }
}

async function endConsoleSession(c: ConsoleContext, console: OpenConsole): Promise<Response> {
  const { head } = c.env.origin;
  const cookie = readCookie(console.scheme, head);
  const operator = cookie && (await console.sessions.end(cookie));
  if (operator !== undefined && operator !== "") await console.audit.signedOut(operator, head.address);
  return new Response(null, {
    status: 204,
    headers: { ...ANSWER_HEADERS, "set-cookie": removeCookie(console.scheme) },
  });
}

function answerConsolePage({ files, isServedAt }: OpenConsole, head: RequestHead): Response {
  const { status, headers, body } = !isServedAt(head)
    ? textAnswer(403, ELSEWHERE)
    : files === undefined
      ? textAnswer(
          503,
          "The files of the console are missing in this installation. Build or install the gateway again.",
        )
      : files.find(head.path.slice(CONSOLE_ROOT.length), head.header("accept-encoding"));
  return new Response(new Uint8Array(body), { status, headers });
}

/**
 * Finds the operator of a request by its session. Undefined if the request has a key, because the key decides then, or if there
 * is no console. A request without both is not slowed down, because it is not an attempt to guess a key.
 */
export async function useSession(
  c: ConsoleContext,
  next: Next,
  answerFailure: ConsoleTools["answerFailure"],
): Promise<Response | undefined> {
  const { console, origin } = c.env;
  if (console === undefined) return undefined;
  const cookie = readCookie(console.scheme, origin.head);
  if (cookie === undefined) return answerFailure(c, { fault: UNAUTHORIZED });
  const failure = checkConsoleSource(console, origin.head);
  if (failure !== undefined) return answerFailure(c, failure);
  const session = await console.sessions.find(cookie);
  if (session === undefined) return answerFailure(c, { fault: UNAUTHORIZED });
  c.set("operator", operatorOf(session));
  await next();
  if (session.renewed !== undefined) c.header("set-cookie", writeCookie(console.scheme, session.renewed));
  return c.res;
}

function operatorOf({ operator, role, endsMs }: ActiveSession): Operator {
  return { id: operator, role, via: "session", endsAt: new Date(endsMs).toISOString() };
}

function checkConsoleSource(console: OpenConsole, head: RequestHead): AdminFailure | undefined {
  const problem = console.checkRequest(head);
  if (problem === undefined) return undefined;
  const fault: Fault = auth.access_denied.fault();
  return { fault, sentence: SOURCE_SENTENCES[problem] };
}
