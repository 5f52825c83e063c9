// Errors about a reply of another service, by how clients of HTTP, of RPC and of single services keep it.

import { isInstance, peek, peekInteger, peekString, readClassNames } from "../../errors/peek.ts";
import { isObject, memberAt, stringAt } from "../../wire/json.ts";
import { GOOGLE_STATUSES } from "../http/body.ts";
import { rate_limited, timeout } from "../library/core.ts";
import { unexpected_content } from "../library/rest.ts";
import {
  errorChain,
  isObjectValue,
  mean,
  type ReadError,
  type Reply,
  secondsAt,
  statusAt,
  type ThrownRow,
} from "./meaning.ts";
import {
  bodyIn,
  fetchedResponse,
  isPlatformHeaders,
  readHeaders,
  readKeptBody,
  responseHead,
  sentenceBody,
} from "./reply-parts.ts";

const replied = (reply: Reply | undefined) => (reply === undefined ? undefined : { reply });

/** Members in which clients keep a response. */
const RESPONSE_MEMBERS = ["response", "rawResponse", "res", "resp"] as const;
const RESPONSE_BODIES = ["data", "_data", "_body", "body", "bodyAsText", "parsedBody", "text"] as const;
const ERROR_BODIES = ["data", "body", "responseBody", "json", "rawError", "error", "raw"] as const;

/** The body that an error keeps beside its status. Services put their own `error` around it. */
function errorBody(error: unknown): unknown {
  for (const member of ERROR_BODIES) {
    const body = readKeptBody(peek(error, member));
    if (body === undefined) continue;
    const isInner = (member === "error" || member === "raw") && isObject(body) && memberAt(body, "error") === undefined;
    return isInner ? { error: body } : body;
  }
  return undefined;
}

/** What a service says, where a client keeps it in the cause: gitbeaker and Meilisearch. */
function causeBody(error: unknown): unknown {
  const cause = peek(error, "cause");
  const message = peekString(cause, "message") ?? peekString(cause, "description");
  return message === undefined || isInstance(cause, Error) ? undefined : { message, code: peekString(cause, "code") };
}

/**
 * The reply in `response` of an error or of its cause: axios, got, ky, superagent, wretch, Octokit, gaxios, Azure,
 * graphql-request, Meilisearch, SendGrid, gitbeaker.
 */
function responseReply(error: unknown, response: unknown): Reply | undefined {
  const head = responseHead(response, statusAt(error, "code"));
  if (head === undefined) return undefined;
  const { status } = head;
  const errors = readKeptBody(peek(response, "errors"));
  const isList = Array.isArray(errors);
  if (status < 400) return isList ? { status, headers: {}, body: { errors, data: null } } : undefined;
  if (status > 599) return undefined;
  const body =
    bodyIn(response, RESPONSE_BODIES) ??
    bodyIn(error, ["data", "body", "json", "text"]) ??
    causeBody(error) ??
    (isList ? { errors } : undefined) ??
    // wretch has no other place for it.
    (peekString(error, "url") === undefined ? undefined : readKeptBody(peek(error, "message")));
  return { status, headers: { ...head.headers, ...readHeaders(peek(error, "details")) }, body };
}

/** Names under which RPC systems have codes from 1 to 16. */
const RPC_NAMES = Object.keys(GOOGLE_STATUSES);

function rpcReply(code: unknown, headers: unknown, message: string | undefined): Reply | undefined {
  const name = typeof code === "number" ? RPC_NAMES[code - 1] : undefined;
  const status = name === undefined ? undefined : GOOGLE_STATUSES[name];
  if (status === undefined) return undefined;
  return { status, headers: readHeaders(headers), body: { error: { status: name, message } } };
}

/** Names with which AWS says that a limit of calls is reached. */
const AWS_LIMITS =
  /^(?:Throttl|TooManyRequests|SlowDown|RequestLimitExceeded|ProvisionedThroughputExceeded|RequestThrottled)/;

function awsReply({ error }: ReadError): Reply | undefined {
  const metadata = peek(error, "$metadata");
  if (peekString(error, "$fault") === undefined || !isObjectValue(metadata)) return undefined;
  const name = peekString(error, "name") ?? "";
  const status = peekInteger(metadata, "httpStatusCode") ?? 500;
  const isLimit = peek(peek(error, "$retryable"), "throttling") === true || AWS_LIMITS.test(name);
  return {
    // A service that says so with 503 is out of capacity, and no share of this server is used up.
    status: isLimit && status < 500 ? 429 : status,
    headers: readHeaders(peek(peek(error, "$response"), "headers")),
    body: { code: name, message: peekString(error, "message") },
  };
}

/** Members that only an error about another service has. */
const CLIENT_SIGNS = /* @__PURE__ */ (
  "requestID requestId request_id url bodyTruncated retriesLeft responseBody rawResponse " + "requestBodyValues"
).split(" ");

/** Classes of single services, whose message is the one of the service. */
const SERVICE_CLASSES =
  /* @__PURE__ */ "RestException FirebaseError DiscordAPIError AirtableError ExaError LinearError ApiError APIError".split(
    " ",
  );

/** What a service says: a body in the message, a body beside it, or the message itself. */
function serviceBody(error: unknown): unknown {
  const message = peekString(error, "message");
  const body = message?.startsWith("{") === true ? message : errorBody(error);
  return isObject(body) || body === message ? body : sentenceBody(error);
}

/** Classes whose status their author wrote for the caller of this server. */
const AUTHORS_CLASSES = /* @__PURE__ */ (
  "HttpException HTTPException H3Error FastifyError TRPCError GraphQLError FeathersError ConvexError " + "UserError"
).split(" ");

const ENGINE_ERROR = /^(?:Type|Range|Syntax|Reference|Eval|URI|Internal)Error$|^DOMException$/;

/** A status beside nothing that says where it comes from. */
function bareStatus({ error, names }: ReadError): Reply | undefined {
  const status = statusAt(error, "status", "statusCode", "httpStatus", "httpStatusCode", "code");
  if (status === undefined || ENGINE_ERROR.test(names[0] ?? "")) return undefined;
  if (names.some((name) => AUTHORS_CLASSES.includes(name)) || peek(error, "expose") !== undefined) return undefined;
  if (peek(error, "isBoom") === true || peek(error, "unhandled") !== undefined) return undefined;
  const headers = readHeaders(peek(error, "headers"));
  return { status, headers, isGuess: true, afterMs: peekInteger(error, "retryAfterMs") };
}

/** Slack reports failures under status 200. Its codes are words; anything else was not written by Slack. */
function slackReply({ error }: ReadError) {
  const code = peekString(peek(error, "data"), "error");
  if (code === undefined) return undefined;
  if (!/^[a-z_]{1,64}$/.test(code)) return mean(unexpected_content);
  return replied({ status: 200, headers: {}, body: { ok: false, error: code } });
}

/** Errors about a reply. The first row that knows an error counts. */
export const REPLY_ROWS = {
  response: {
    weight: "reply",
    names: ["Response"],
    read: ({ error }) => {
      const head = fetchedResponse(error);
      return head !== undefined && head.status >= 400 ? replied(head) : undefined;
    },
  },
  inResponse: {
    weight: "reply",
    read: ({ error }) => {
      const holders = RESPONSE_MEMBERS.map((member) => peek(error, member));
      for (const response of [...holders, peek(peek(error, "cause"), "response")]) {
        const reply = responseReply(error, response);
        if (reply !== undefined) return { reply };
      }
      return undefined;
    },
  },
  /** ofetch keeps the reply behind a getter of the error itself. */
  ofetch: {
    weight: "reply",
    names: ["FetchError"],
    read: ({ error }) => {
      try {
        const response: unknown = Reflect.getOwnPropertyDescriptor(error as object, "response")?.get?.call(error);
        return replied(responseReply(error, response));
      } catch {
        return undefined;
      }
    },
  },
  aws: { weight: "reply", member: "$metadata", read: (read) => replied(awsReply(read)) },
  elastic: {
    weight: "reply",
    member: "meta",
    read: ({ error }) => {
      const meta = peek(error, "meta");
      const status = statusAt(meta, "statusCode");
      if (status === undefined) return undefined;
      const body = readKeptBody(peek(meta, "body"));
      const inner = memberAt(body, "error");
      const said = isObject(inner) ? { code: stringAt(inner, "type"), message: stringAt(inner, "reason") } : body;
      return replied({ status, headers: readHeaders(peek(meta, "headers")), body: said });
    },
  },
  /** Clients that a generator wrote, such as those of Kubernetes and HubSpot. */
  generated: {
    weight: "reply",
    member: "headers",
    read: ({ error }) => {
      const status = statusAt(error, "code");
      const headers = peek(error, "headers");
      if (status === undefined || !isObjectValue(headers)) return undefined;
      return replied({ status, headers: readHeaders(headers), body: readKeptBody(peek(error, "body")) });
    },
  },
  firebase: {
    weight: "reply",
    member: "httpResponse",
    read: ({ error }) => {
      const response = peek(error, "httpResponse");
      const status = statusAt(response, "status");
      if (status === undefined) return undefined;
      const code = peekString(error, "code")?.split("/").at(-1);
      const said = sentenceBody(error);
      return replied({ status, headers: readHeaders(peek(response, "headers")), body: { code, ...said } });
    },
  },
  trpcClient: {
    weight: "reply",
    names: ["TRPCClientError"],
    member: "data",
    read: ({ error }) => {
      const status = statusAt(peek(error, "data"), "httpStatus");
      return status === undefined ? undefined : replied({ status, headers: {}, body: sentenceBody(error) });
    },
  },
  connect: {
    weight: "reply",
    names: ["ConnectError"],
    read: ({ error, code }) => {
      if (peek(error, "isWireError") === true)
        return replied(rpcReply(code, peek(error, "metadata"), peekString(error, "rawMessage")));
      // Without a reply: 4 is the limit of time of the client, and what it could not parse is a reply.
      const isUnreadable = errorChain(error).some((inner) => readClassNames(inner).includes("SyntaxError"));
      if (code === 4) return mean(timeout);
      return isUnreadable ? mean(unexpected_content) : undefined;
    },
  },
  grpc: {
    weight: "reply",
    member: "metadata",
    read: ({ error, code }) => {
      const details = peekString(error, "details");
      return details === undefined ? undefined : replied(rpcReply(code, peek(error, "metadata"), details));
    },
  },
  /** Status and headers on the error itself: OpenAI, Anthropic, Stripe, Notion, undici, the AI SDK. */
  onError: {
    weight: "reply",
    read: ({ error, names }) => {
      const status = statusAt(error, "status", "statusCode");
      const headers = peek(error, "headers") ?? peek(error, "responseHeaders");
      if (status === undefined || !isObjectValue(headers)) return undefined;
      // Authors write plain headers; only a client has those of the platform.
      if (!isPlatformHeaders(headers) && !CLIENT_SIGNS.some((member) => peek(error, member) !== undefined))
        return undefined;
      if (names.some((name) => AUTHORS_CLASSES.includes(name))) return undefined;
      return replied({ status, headers: readHeaders(headers), body: errorBody(error) });
    },
  },
  slack: {
    weight: "reply",
    member: "data",
    read: (read) => (read.code === "slack_webapi_platform_error" ? slackReply(read) : undefined),
  },
  slackLimit: {
    weight: "reply",
    member: "retryAfter",
    names: ["WebAPIRateLimitedError"],
    read: ({ error }) => mean(rate_limited, { afterMs: secondsAt(error, "retryAfter") }),
  },
  qdrantLimit: {
    weight: "reply",
    names: ["QdrantClientResourceExhaustedError"],
    read: ({ error }) => mean(rate_limited, { afterMs: secondsAt(error, "retry_after") }),
  },
  /** Its wait is in ms. */
  discordLimit: {
    weight: "reply",
    member: "timeToReset",
    names: /^RateLimitError/,
    read: ({ error }) => mean(rate_limited, { afterMs: Math.ceil(Number(peek(error, "retryAfter"))) || undefined }),
  },
  /** Clients of one service without headers: the class says that the status is the service's. */
  service: {
    weight: "reply",
    names: SERVICE_CLASSES,
    read: ({ error, names }) => {
      const status = statusAt(error, "status", "statusCode");
      if (status === undefined) return undefined;
      const wait = names.includes("LinearError") ? secondsAt(error, "retryAfter") : peekInteger(error, "retryAfterMs");
      return replied({ status, headers: {}, body: serviceBody(error), afterMs: wait });
    },
  },
  bareStatus: { weight: "guess", read: (read) => replied(bareStatus(read)) },
} as const satisfies Readonly<Record<string, ThrownRow>>;
