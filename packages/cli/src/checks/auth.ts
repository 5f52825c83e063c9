import { isObject, parseJson } from "@recourse/core/wire";
import type { RecordedAnswer, RecordedExchange } from "../recording/recording.ts";
import { type CheckResult, type EraView, judgeEach, type ProbeCheck, quoteText, skipCheck } from "./check.ts";
import { answerStatus, isSuccess, select, subject } from "./exchanges.ts";
import { failureIn, withoutOwn } from "./failures.ts";

const OPEN_SERVER = "The server asks for no credentials.";

const AUTHENTICATE = `const handler = guardHandler(createMcpHandler(createServer), {
  resourceMetadata: "https://api.example.com/.well-known/oauth-protected-resource",
  authenticate: async (request) => {
    const user = await userOf(request.headers.get("authorization"));
    return user ? { ok: true, auth: { sub: user.id } } : { ok: false };
  },
});`;

/** Judges refused credentials, if the server refuses any. */
function judgeRefused(
  view: EraView,
  variants: readonly string[],
  wrong: (exchange: RecordedExchange) => string | undefined,
): CheckResult {
  const all = select(view, "credentials").filter(({ answer }) => answer.kind === "message" || answer.kind === "body");
  const bare = all.find(({ variant }) => variant === "none");
  if (bare === undefined || (answerStatus(bare.answer) ?? 200) < 400) return skipCheck(OPEN_SERVER);
  return judgeEach(
    all.filter(({ variant = "" }) => variants.length === 0 || variants.includes(variant)),
    { nothing: OPEN_SERVER, wrong },
  );
}

const authChallenge: ProbeCheck = {
  id: "auth-challenge",
  category: "auth",
  severity: "high",
  source: "yours",
  transport: "http",
  title: "A request without credentials gets 401 with a challenge.",
  failsWhen: "The 401 has no `WWW-Authenticate` header, or a request without credentials gets 403.",
  notCounted: "Servers without authentication.",
  why: "The challenge tells a host that it can sign the user in.",
  fix: {
    text: "`guardHandler` with the option `authenticate` answers with 401 and the challenge.",
    code: AUTHENTICATE,
  },
  run: (view) =>
    judgeRefused(view, ["none", "wrong"], (exchange) => {
      const { variant, answer } = exchange;
      const status = answerStatus(answer);
      if (status === 403 && variant === "none") return "A request without credentials gets 403 instead of 401.";
      return status === 401 && authChallengeText(answer) === ""
        ? `${subject(exchange)} gets 401 without a WWW-Authenticate header.`
        : undefined;
    }),
};

function authChallengeText(answer: RecordedAnswer): string {
  const http = answer.kind === "message" || answer.kind === "body" ? answer.http : undefined;
  return http?.headers["www-authenticate"] ?? "";
}

const authInvalid401: ProbeCheck = {
  id: "auth-invalid-401",
  category: "auth",
  severity: "high",
  source: "yours",
  transport: "http",
  follows: ["http-no-5xx"],
  title: "Wrong credentials get 401.",
  failsWhen: "A wrong token, or a token without a signature, gets a status other than 401.",
  notCounted: "Servers without authentication. Credentials of another scheme and empty tokens, which may get 400.",
  why: "401 makes a host sign in again. 403 makes it ask a person for permissions that are not the problem.",
  fix: {
    text: "`guardHandler` with the option `authenticate` answers all wrong credentials with 401.",
    code: AUTHENTICATE,
  },
  run: (view) =>
    judgeRefused(view, ["wrong", "alg-none"], (exchange) => {
      const { answer } = exchange;
      if (isSuccess(answer)) return `${subject(exchange)} is accepted.`;
      const status = answerStatus(answer);
      return status === 401 ? undefined : `${subject(exchange)} gets ${status} instead of 401.`;
    }),
};

const authOpaque: ProbeCheck = {
  id: "auth-opaque",
  category: "auth",
  severity: "medium",
  source: "yours",
  transport: "http",
  title: "A refusal does not say what is wrong with a token.",
  failsWhen: "The answer contains the verifier's reason, such as the signature, a key id or a claim.",
  notCounted:
    'Servers without authentication. "The header is malformed" and "the token has expired", which tell an attacker nothing.',
  why: "Each reason tells an attacker how close a forged token is to a valid one.",
  fix: {
    text: "`guardHandler` with the option `authenticate` answers all wrong credentials with the same bytes.",
    code: AUTHENTICATE,
  },
  run: (view) =>
    judgeRefused(view, [], (exchange) => {
      const challenge = authChallengeText(exchange.answer).replaceAll(RESOURCE_METADATA, "");
      const said = `${failureIn(exchange)?.everything ?? ""}\n${challenge}`;
      const reason = VERIFIER.exec(withoutOwn(said, view, exchange))?.[0];
      return (
        reason &&
        `The answer to ${subject(exchange).replace(/^A/, "a")} names the reason of the verifier: ${quoteText(reason)}.`
      );
    }),
};

const RESOURCE_METADATA = /resource_metadata="?[^",\s]*"?/gi;
const VERIFIER =
  /\b(?:signatures?|kid|jwks?|claims?|hmac|public key|signing key|alg|algorithm|audience|issuer|jwt malformed|invalid token format)\b/i;

const authMetadata: ProbeCheck = {
  id: "auth-metadata",
  category: "auth",
  severity: "medium",
  source: "yours",
  transport: "http",
  follows: ["auth-challenge"],
  title: "The challenge names metadata that a host can read.",
  failsWhen: "The challenge has no `resource_metadata`, or its URL does not answer with a JSON object.",
  notCounted:
    'Servers without authentication. Servers whose scheme is not Bearer, or whose challenge says `realm="API key"`: they do not use OAuth.',
  why: "The metadata says where to sign in. Without it, a person has to get a token and paste it.",
  fix: {
    text: 'Pass `resourceMetadata` to `guardHandler`, and serve the document at that URL. If your tokens are fixed keys, there is no sign-in: answer with `WWW-Authenticate: Bearer realm="API key"`, or list this finding in your baseline.',
    code: AUTHENTICATE,
  },
  run(view) {
    const [bare] = select(view, "credentials", "none");
    const challenge = bare === undefined ? "" : authChallengeText(bare.answer);
    const isKey = /\brealm="?API[ -]?keys?\b/i.test(challenge) && !/\bresource_metadata=/i.test(challenge);
    if (isKey || (challenge !== "" && !/\bBearer\b/i.test(challenge)))
      return skipCheck("The server does not use OAuth.");
    return judgeRefused(view, ["none", "metadata"], (exchange) =>
      exchange.variant === "metadata" ? unreadable(exchange) : unnamed(challenge),
    );
  },
};

function unnamed(challenge: string): string | undefined {
  return /\bresource_metadata=/i.test(challenge) ? undefined : "The 401 names no resource_metadata.";
}

function unreadable({ answer }: RecordedExchange): string | undefined {
  const isJson = answer.kind === "body" && isObject(parseJson(answer.text));
  return isJson && answerStatus(answer) === 200
    ? undefined
    : `The URL in resource_metadata answers with ${answerStatus(answer)}, not with a JSON document.`;
}

const httpOrigin: ProbeCheck = {
  id: "http-origin",
  category: "auth",
  severity: "high",
  severityOn: { remote: "medium" },
  source: "yours",
  transport: "http",
  title: "Requests from foreign web pages are refused.",
  failsWhen: "A request with the `Origin` of another site does not get 403.",
  notCounted: "Servers that require credentials first and answer with 401.",
  why: "Any web page that a user visits can call a server on the user's machine.",
  fix: {
    text: "On loopback addresses, `guardHandler` refuses foreign pages. On other addresses, list the origins that may call.",
    code: `const handler = guardHandler(createMcpHandler(createServer), {
  allowedOrigins: ["https://app.example.com"],
  allowedHosts: ["api.example.com"],
});`,
  },
  run: (view) =>
    judgeEach(answeredEdges(view, "foreign-origin"), {
      nothing: "No request from a foreign page was answered.",
      wrong: ({ answer }) =>
        answerStatus(answer) === 403
          ? undefined
          : `A request with a foreign Origin gets ${answerStatus(answer)} instead of 403.`,
    }),
};

const httpHost: ProbeCheck = {
  id: "http-host",
  category: "auth",
  severity: "medium",
  source: "yours",
  transport: "http",
  title: "Requests to a foreign host name are refused.",
  failsWhen: "On a loopback address, a request with a foreign `Host` gets an answer other than 400, 403 or 421.",
  notCounted:
    "Servers on other machines, because a proxy in front may change the name. Servers that answer with 401 first.",
  why: "A web page can make its own name resolve to 127.0.0.1, and only the Host header shows it (DNS rebinding).",
  fix: {
    text: "On loopback addresses, `guardHandler` refuses foreign names. Use `toNodeListener` to pass it the address, or list the names.",
    code: `const handler = guardHandler(createMcpHandler(createServer), {
  allowedHosts: ["localhost", "127.0.0.1"],
});`,
  },
  run(view) {
    if (!view.recording.target.loopback) return skipCheck("The server is not on this machine.");
    return judgeEach(answeredEdges(view, "foreign-host"), {
      nothing: "No request to a foreign name was answered.",
      wrong: ({ answer }) =>
        REFUSED_HOST.has(answerStatus(answer) ?? 0)
          ? undefined
          : `A request with a foreign Host gets ${answerStatus(answer)}.`,
    });
  },
};

const REFUSED_HOST: ReadonlySet<number> = new Set([400, 403, 421]);

/** Odd requests that were answered, but not because of their credentials. */
function answeredEdges(view: EraView, variant: string): readonly RecordedExchange[] {
  return select(view, "http-edge", variant).filter(({ answer }) => (answerStatus(answer) ?? 401) !== 401);
}

/** Who may call. */
export const AUTH_CHECKS: readonly ProbeCheck[] = [
  authChallenge,
  authInvalid401,
  authOpaque,
  authMetadata,
  httpOrigin,
  httpHost,
];
