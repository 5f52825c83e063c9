import type { Details } from "../../fault/build.ts";
import type { Fault, RetryWord } from "../../fault/fault.ts";
import { KINDS, type Kind, knownKind } from "../../fault/kinds.ts";
import { readFault } from "../../fault/read.ts";
import { refused, upstream_account, upstream_auth, upstream_forbidden } from "../../reasons/library/rest.ts";
import type { TableReason } from "../dialect.ts";
import { integerAt, memberAt } from "../wire.ts";
import { GOOGLE, statusOfCodes } from "./codes.ts";
import { allHold, CONDITIONS, DAY_MS } from "./conditions.ts";
import type { HttpDecodeContext } from "./context.ts";
import { limitsOf } from "./limits.ts";
import { openReply, type Reply } from "./reply.ts";
import { includes, REROUTES, RULES, type Rule } from "./rules.ts";
import { sentenceOf } from "./text.ts";

/** A service that limits without naming a wait in any header asks for at least this one. */
const SECONDARY_WAIT_MS = 60_000;

/** Reads any HTTP reply: our own fault in it, or what the table says. */
export function decode(wire: unknown, context: HttpDecodeContext = {}): Fault | undefined {
  const reply = openReply(wire, context);
  if (reply === undefined) return undefined;
  const stated = reply.status >= 400 ? readFault(memberAt(reply.body, "fault"), context) : undefined;
  if (stated !== undefined) return ofOwnCredential(stated, context) ?? stated;
  const { as, guessed } = meaningOf(reply);
  const rule = RULES.find((one) => includes(one.status, as) && allHold(one.when ?? [], reply));
  if (rule === undefined) return undefined;
  const params = rule.reason === refused ? { status: reply.status } : {};
  return rule.reason.fault(params, {
    secrets: context.secrets,
    allow: context.allow,
    basis: guessed ? "guessed" : "mapped",
    ...detailsOf(rule, reply),
  });
}

/** What a service says about the credential of this server is nothing that the caller could act on. */
const OF_OWN_CREDENTIAL: Partial<Readonly<Record<Kind, TableReason>>> = {
  unauthenticated: upstream_auth,
  forbidden: upstream_forbidden,
  quota_exhausted: upstream_account,
};

function ofOwnCredential(stated: Fault, context: HttpDecodeContext): Fault | undefined {
  const reason = context.credential === "own" ? OF_OWN_CREDENTIAL[knownKind(stated)] : undefined;
  return reason?.fault({}, { effect: stated.effect, basis: stated.basis === "guessed" ? "guessed" : "mapped" });
}

/** The status that a reply is taken for, and whether only its text tells so. */
function meaningOf(reply: Reply): { readonly as: number; readonly guessed: boolean } {
  const as = statedStatus(reply);
  const other = REROUTES.find((one) => includes(one.status, as) && allHold(one.when, reply));
  return { as: other?.as ?? as, guessed: other?.guess === true };
}

/** The status of the reply, unless its body names a better one. */
function statedStatus(reply: Reply): number {
  const { status, google, body } = reply;
  if (google !== undefined) return GOOGLE[google] ?? status;
  if (status < 200 || status > 299 || !CONDITIONS.failedBody.holds(reply)) return status;
  const inner = integerAt(body, "status") ?? 0;
  return inner >= 400 && inner <= 599 ? inner : (statusOfCodes(reply.codes) ?? status);
}

const IDEMPOTENT = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"];

function detailsOf(rule: Rule, reply: Reply): Details {
  const { context, hint } = reply;
  const { kind } = rule.reason;
  const retry = wordOf(rule, reply);
  const repeatable = context.keyed === true || IDEMPOTENT.includes(context.httpMethod?.toUpperCase() ?? "");
  const limited = kind === "rate_limited" || kind === "quota_exhausted" || kind === "overloaded";
  const secondary = kind === "rate_limited" && hint === undefined && CONDITIONS.secondary.holds(reply);
  const quote = quoteOf(rule, reply);
  return {
    ...rule.details,
    ...(rule.effect !== undefined && { effect: rule.effect }),
    ...(repeatable && { repeatable }),
    ...(retry !== undefined && { retry }),
    ...(secondary && { afterMs: SECONDARY_WAIT_MS }),
    ...(kind === "invalid_input" && reply.issues.length > 0 && { issues: reply.issues }),
    ...(limited && { limits: limitsOf(reply) }),
    ...(quote !== undefined && { quote: { text: quote, from: "upstream" } }),
  };
}

/** The service's own word on repeating: a header that says nothing else, or a wait where the row takes it over. */
function wordOf(rule: Rule, reply: Reply): RetryWord | undefined {
  if (isPrivate(rule)) return undefined;
  const told = shouldRetry(reply);
  const taken = rule.wait !== undefined || takesWaits(rule);
  const afterMs = taken ? reply.hint?.ms : undefined;
  const soon = (afterMs ?? 0) <= DAY_MS && rule.wait !== "never";
  if (told === undefined && afterMs === undefined) return undefined;
  return { ...rule.details?.retry, allowed: (told ?? true) && soon, ...(afterMs !== undefined && { afterMs }) };
}

function takesWaits({ reason }: Rule): boolean {
  const { repeat } = KINDS[reason.kind];
  return (repeat === "waited" || repeat === "harmless") && reason.fault().retry?.allowed !== false;
}

function shouldRetry(reply: Reply): boolean | undefined {
  if (reply.status < 400) return undefined;
  const word = (reply.header("stripe-should-retry") ?? reply.header("x-should-retry"))?.trim().toLowerCase();
  return word === "true" ? true : word === "false" ? false : undefined;
}

/** Refused credentials all look alike, and what a service says about ours is not for the caller. */
function isPrivate({ reason }: Rule): boolean {
  return reason.kind === "unauthenticated" || Object.values(OF_OWN_CREDENTIAL).includes(reason);
}

const SHOWABLE = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** What the service wrote: a code that was declared, and the sentence where the reader asked for it. */
function quoteOf(rule: Rule, reply: Reply): string | undefined {
  if (isPrivate(rule)) return undefined;
  const { context, form, body, rawCodes } = reply;
  const code = rawCodes.find((one) => SHOWABLE.test(one) && context.declared?.includes(one) === true);
  if (context.text !== "quote") return code;
  const sentence = form === "text" ? String(body) : form === "json" ? sentenceOf(body) : undefined;
  if (code === undefined || sentence === undefined) return sentence ?? code;
  return `${code}: ${sentence}`;
}
