// A small local HTTP server: /<flavour>/<situation>/... answers with the chosen status, headers and body of that kind of service.
import http from "node:http";
import https from "node:https";
import selfsigned from "selfsigned";

export const PORT = 29001,
  TLS_PORT = 29002,
  REFUSED = 29009;
export const PLANTED = {
  urlKey: "PlantedUrlKey7781",
  bearer: "PlantedBearer5521",
  apiKeyEcho: "sk-PlantedKey1234",
  dbPw: "PlantedPw99",
  dbHost: "db-7.internal.corp",
};
const M = {
  s400: "Request is malformed: due_date must be in the future.",
  s401: `Invalid API key ${PLANTED.apiKeyEcho} for account acct_9.`,
  s402: "Your card was declined.",
  s403: `Key ${PLANTED.apiKeyEcho} lacks the permission items:write.`,
  s404: "No item with id 42 exists.",
  s409: "Item 42 was changed by someone else.",
  s422: "due_date must be in the future.",
  s429: "Too many requests, slow down.",
  s500: `connect to ${PLANTED.dbHost}:5432 failed, password=${PLANTED.dbPw}`,
  s503: `Maintenance on ${PLANTED.dbHost}.`,
};
const base = (sit) => sit.replace(/ra$/, "");
const statusOf = (sit) => Number(base(sit).slice(1));
const J = (o) => ["application/json", JSON.stringify(o)];

// bodies as the services themselves write them
const BODY = {
  generic: (sit, m, _st) =>
    J(sit === "s422" ? { message: "Validation failed", errors: [{ field: "due_date", message: m }] } : { message: m }),
  stripe: (_sit, m, st) =>
    J({
      error: {
        type:
          st === 429
            ? "rate_limit_error"
            : st === 401
              ? "invalid_request_error"
              : st === 402
                ? "card_error"
                : st >= 500
                  ? "api_error"
                  : "invalid_request_error",
        ...(st === 402 && { code: "card_declined", decline_code: "generic_decline" }),
        ...(st === 404 && { code: "resource_missing", param: "id" }),
        ...(st === 422 && { param: "due_date", code: "parameter_invalid" }),
        message: m,
      },
    }),
  openai: (sit, m, st) =>
    J({
      error: {
        message: m,
        type: st === 429 ? "requests" : "invalid_request_error",
        param: st === 422 ? "due_date" : null,
        code:
          sit === "quota"
            ? "insufficient_quota"
            : st === 429
              ? "rate_limit_exceeded"
              : st === 401
                ? "invalid_api_key"
                : null,
      },
    }),
  anthropic: (_sit, m, st) =>
    J({
      type: "error",
      error: {
        type:
          {
            429: "rate_limit_error",
            401: "authentication_error",
            403: "permission_error",
            404: "not_found_error",
            500: "api_error",
            503: "api_error",
            529: "overloaded_error",
          }[st] ?? "invalid_request_error",
        message: m,
      },
      request_id: "req_011CSHoEeqs5C35K2UUqR7Fy",
    }),
  dynamodb: (_sit, m, st) => [
    "application/x-amz-json-1.0",
    JSON.stringify({
      __type: `com.amazonaws.dynamodb.v20120810#${{ 400: "ProvisionedThroughputExceededException", 401: "UnrecognizedClientException", 403: "AccessDeniedException", 404: "ResourceNotFoundException", 409: "TransactionConflictException", 422: "ValidationException", 429: "ThrottlingException", 500: "InternalServerError", 503: "ServiceUnavailable" }[st]}`,
      message: m,
    }),
  ],
  s3: (_sit, m, st) => [
    "application/xml",
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${{ 400: "InvalidArgument", 401: "InvalidAccessKeyId", 403: "AccessDenied", 404: "NoSuchKey", 409: "OperationAborted", 422: "InvalidArgument", 429: "TooManyRequests", 500: "InternalError", 503: "SlowDown" }[st]}</Code><Message>${m}</Message><RequestId>4442587FB7D0A2F9</RequestId></Error>`,
  ],
  google: (sit, m, st) =>
    J({
      error: {
        code: st,
        message: m,
        status: {
          400: "INVALID_ARGUMENT",
          401: "UNAUTHENTICATED",
          403: "PERMISSION_DENIED",
          404: "NOT_FOUND",
          409: "ALREADY_EXISTS",
          422: "INVALID_ARGUMENT",
          429: "RESOURCE_EXHAUSTED",
          500: "INTERNAL",
          503: "UNAVAILABLE",
        }[st],
        errors: [{ message: m, domain: "global", reason: sit === "gquota" ? "userRateLimitExceeded" : "backendError" }],
      },
    }),
  azure: (_sit, m, st) => [
    "application/xml",
    `<?xml version="1.0" encoding="utf-8"?><Error><Code>${{ 401: "NoAuthenticationInformation", 403: "AuthorizationFailure", 404: "BlobNotFound", 409: "BlobAlreadyExists", 422: "InvalidInput", 429: "TooManyRequests", 500: "InternalError", 503: "ServerBusy" }[st]}</Code><Message>${m}</Message></Error>`,
  ],
  slack: (_sit, _m, st) =>
    J({
      ok: false,
      error: {
        401: "invalid_auth",
        403: "missing_scope",
        404: "channel_not_found",
        409: "name_taken",
        422: "invalid_arguments",
        429: "ratelimited",
        500: "internal_error",
        503: "service_unavailable",
      }[st],
    }),
  notion: (_sit, m, st) =>
    J({
      object: "error",
      status: st,
      code: {
        400: "validation_error",
        401: "unauthorized",
        403: "restricted_resource",
        404: "object_not_found",
        409: "conflict_error",
        422: "validation_error",
        429: "rate_limited",
        500: "internal_server_error",
        503: "service_unavailable",
      }[st],
      message: m,
      request_id: "0b1a2c3d-0000-4000-8000-0123456789ab",
    }),
  twilio: (_sit, m, st) =>
    J({
      code: { 401: 20003, 404: 20404, 409: 20409, 422: 21211, 429: 20429, 500: 20500, 503: 20503 }[st] ?? 20001,
      message: m,
      more_info: "https://www.twilio.com/docs/errors/20404",
      status: st,
    }),
  sendgrid: (_sit, m, st) => J({ errors: [{ message: m, field: st === 422 ? "due_date" : null, help: null }] }),
  jira: (_sit, m, st) =>
    J(st === 422 ? { errorMessages: [], errors: { due_date: m } } : { errorMessages: [m], errors: {} }),
  supabase: (_sit, m, st) =>
    J({
      code: {
        401: "PGRST301",
        403: "42501",
        404: "PGRST116",
        409: "23505",
        422: "23514",
        429: "PGRST003",
        500: "XX000",
        503: "PGRST001",
      }[st],
      details: null,
      hint: null,
      message: m,
    }),
  github: (sit, m, st) =>
    J({
      message: sit === "ghrate" ? "API rate limit exceeded for user ID 1." : m,
      ...(st === 422 && { errors: [{ resource: "Issue", field: "due_date", code: "invalid", message: m }] }),
      documentation_url: "https://docs.github.com/rest",
    }),
  graphql: (_sit, m, st) =>
    J({
      errors: [
        {
          message: m,
          extensions: {
            code: {
              401: "UNAUTHENTICATED",
              403: "FORBIDDEN",
              404: "NOT_FOUND",
              409: "CONFLICT",
              422: "BAD_USER_INPUT",
              429: "RATE_LIMITED",
              500: "INTERNAL_SERVER_ERROR",
              503: "SERVICE_UNAVAILABLE",
            }[st],
          },
        },
      ],
      data: null,
    }),
  linear: (_sit, m, st) =>
    J({
      errors: [
        {
          message: m,
          path: ["issue"],
          extensions: {
            type: {
              401: "authentication error",
              403: "forbidden",
              404: "invalid input",
              409: "invalid input",
              422: "invalid input",
              429: "ratelimited",
              500: "internal error",
              503: "internal error",
            }[st],
            code:
              {
                401: "AUTHENTICATION_ERROR",
                403: "FORBIDDEN",
                404: "INPUT_ERROR",
                409: "INPUT_ERROR",
                422: "INPUT_ERROR",
                429: "RATELIMITED",
              }[st] ?? "INTERNAL_SERVER_ERROR",
            userError: st < 500,
            userPresentableMessage: m,
          },
        },
      ],
    }),
  gitlab: (_sit, m, st) => J({ message: st === 422 ? { due_date: [m] } : `${st} ${m}` }),
  discord: (_sit, m, st) =>
    J(
      st === 429
        ? { message: m, retry_after: 7, global: false }
        : {
            message: m,
            code: { 401: 0, 403: 50013, 404: 10003, 422: 50035 }[st] ?? 0,
            ...(st === 422 && { errors: { due_date: { _errors: [{ code: "INVALID", message: m }] } } }),
          },
    ),
  hubspot: (_sit, m, st) =>
    J({
      status: "error",
      message: m,
      correlationId: "0b1a2c3d-0000-4000-8000-0123456789ab",
      category:
        {
          401: "INVALID_AUTHENTICATION",
          403: "MISSING_SCOPES",
          404: "OBJECT_NOT_FOUND",
          409: "CONFLICT",
          422: "VALIDATION_ERROR",
          429: "RATE_LIMITS",
        }[st] ?? "INTERNAL",
    }),
  k8s: (_sit, m, st) =>
    J({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: m,
      reason: {
        401: "Unauthorized",
        403: "Forbidden",
        404: "NotFound",
        409: "AlreadyExists",
        422: "Invalid",
        429: "TooManyRequests",
        500: "InternalError",
        503: "ServiceUnavailable",
      }[st],
      ...(st === 429 && { details: { retryAfterSeconds: 7 } }),
      code: st,
    }),
  airtable: (_sit, m, st) =>
    J({
      error: {
        type:
          {
            401: "AUTHENTICATION_REQUIRED",
            403: "INVALID_PERMISSIONS",
            404: "NOT_FOUND",
            422: "INVALID_VALUE_FOR_COLUMN",
            429: "RATE_LIMIT_REACHED",
          }[st] ?? "SERVER_ERROR",
        message: m,
      },
    }),
  elastic: (_sit, m, st) =>
    J({
      error: {
        type:
          {
            401: "security_exception",
            403: "security_exception",
            404: "index_not_found_exception",
            409: "version_conflict_engine_exception",
            422: "mapper_parsing_exception",
            429: "es_rejected_execution_exception",
          }[st] ?? "exception",
        reason: m,
        root_cause: [{ type: "exception", reason: m }],
      },
      status: st,
    }),
  qdrant: (_sit, m, _st) => J({ status: { error: m }, time: 0.001 }),
  meili: (_sit, m, st) =>
    J({
      message: m,
      code:
        {
          401: "missing_authorization_header",
          403: "invalid_api_key",
          404: "document_not_found",
          409: "index_already_exists",
          422: "invalid_document_fields",
          429: "too_many_search_requests",
        }[st] ?? "internal",
      type: st >= 500 ? "internal" : "invalid_request",
      link: "https://docs.meilisearch.com/errors",
    }),
  resend: (_sit, m, st) =>
    J({
      statusCode: st,
      name:
        {
          401: "missing_api_key",
          403: "invalid_api_key",
          404: "not_found",
          422: "validation_error",
          429: "rate_limit_exceeded",
        }[st] ?? "application_error",
      message: m,
    }),
  tavily: (_sit, m, _st) => J({ detail: { error: m } }),
  exa: (_sit, m, _st) => J({ error: m }),
  upstash: (_sit, m, _st) => J({ error: m }),
  firebase: (_sit, m, st) =>
    J({
      error: {
        code: st,
        message:
          {
            404: "USER_NOT_FOUND",
            401: "INVALID_ID_TOKEN",
            403: "INSUFFICIENT_PERMISSION",
            409: "DUPLICATE_LOCAL_ID",
            422: "INVALID_EMAIL",
            429: "TOO_MANY_ATTEMPTS_TRY_LATER",
          }[st] ?? "INTERNAL",
        errors: [{ message: m, domain: "global", reason: "invalid" }],
      },
    }),
  connect: (_sit, m, st) =>
    J({
      code: {
        401: "unauthenticated",
        403: "permission_denied",
        404: "not_found",
        409: "already_exists",
        422: "invalid_argument",
        429: "resource_exhausted",
        500: "internal",
        503: "unavailable",
      }[st],
      message: m,
    }),
};
const HEADERS = {
  github: (sit) =>
    sit === "ghrate"
      ? {
          "x-ratelimit-remaining": "0",
          "x-ratelimit-limit": "60",
          "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 7),
          "x-github-request-id": "ABCD:1234",
        }
      : { "x-github-request-id": "ABCD:1234" },
  elastic: () => ({ "x-elastic-product": "Elasticsearch" }),
  dynamodb: () => ({ "x-amzn-requestid": "4442587FB7D0A2F9" }),
  s3: () => ({ "x-amz-request-id": "4442587FB7D0A2F9" }),
  azure: (_sit) => ({ "x-ms-request-id": "0b1a2c3d-0000-4000-8000-0123456789ab", "x-ms-version": "2025-01-05" }),
  anthropic: () => ({ "request-id": "req_011CSHoEeqs5C35K2UUqR7Fy" }),
  stripe: () => ({ "request-id": "req_Abc123Def456" }),
  openai: () => ({ "x-request-id": "req_abc123def456" }),
  discord: (sit) =>
    sit.startsWith("s429")
      ? {
          "x-ratelimit-limit": "5",
          "x-ratelimit-remaining": "0",
          "x-ratelimit-reset-after": "7",
          "x-ratelimit-bucket": "b",
        }
      : {},
};
const SPECIAL = { ghrate: 403, quota: 429, gquota: 403, throttle400: 400, s529: 529, slack200: 200 };

function answer(req, res) {
  const chunks = [];
  req.on("data", (c) => chunks.push(c));
  req.on("error", () => {});
  req.on("end", () => {
    let [, flavour, sit] = req.url.split(/[/?]/);
    // clients that accept only a host: the address says flavour and situation, 127.0.<flavour>.<situation>
    const [, , f, n] = (req.socket.localAddress ?? "").split(".").map(Number);
    if (f > 0) {
      flavour = ADDRESSED[f];
      sit = SITS[n];
    }
    reply(flavour, sit, req, res, Buffer.concat(chunks).toString());
  });
}
function reply(flavour, sit, req, res, sent) {
  if (flavour === "identitytoolkit.googleapis.com") {
    // the emulator of Firebase Auth: the situation is in the uid or e-mail that was asked for
    sit = /s\d{3}(?:ra)?|badjson|reset|timeout/.exec(sent)?.[0] ?? "s404";
    flavour = "firebase";
  }
  if (sit === "timeout") return void setTimeout(() => res.destroy(), 20_000).unref();
  if (sit === "reset") {
    res.writeHead(200, {
      "content-type": flavour === "s3" ? "application/octet-stream" : "application/json",
      "content-length": "4000",
    });
    res.write('{"items":[{"id":42,"name":"half');
    return void setTimeout(() => {
      res.socket?.resetAndDestroy?.();
    }, 30);
  }
  if (sit === "badjson") {
    res.writeHead(200, { "content-type": "application/json", ...(HEADERS[flavour]?.(sit) ?? {}) });
    return void res.end("<html><body>proxy login db-7.internal.corp</body></html>");
  }
  if (/^gql200_\d+$/.test(sit)) {
    res.writeHead(200, { "content-type": "application/json" });
    const st = Number(sit.slice(7));
    return void res.end(BODY.graphql(sit, M[`s${st}`], st)[1]);
  }
  if (sit === "ok") {
    res.writeHead(200, { "content-type": "application/json" });
    return void res.end('{"ok":true}');
  }
  const status = sit.startsWith("slack200") ? 200 : (SPECIAL[sit] ?? statusOf(sit));
  if (!(status >= 200 && status < 600)) {
    res.writeHead(418);
    return void res.end(`no such situation ${sit}`);
  }
  const m = M[`s${status}`] ?? M[base(sit)] ?? "Refused.";
  const make = BODY[flavour] ?? BODY.generic;
  let [type, body] = make(sit, m, status);
  if (sit.startsWith("slack200")) {
    type = "application/json";
    body = JSON.stringify({ ok: false, error: /slack200_([a-z_]+)/.exec(req.url)?.[1] });
  }
  const headers = { "content-type": type, ...(HEADERS[flavour]?.(sit) ?? {}) };
  if (sit.endsWith("ra")) headers["retry-after"] = "7";
  res.writeHead(status, headers);
  res.end(req.method === "HEAD" ? undefined : body);
}
export const SITS = [
  "",
  "s429ra",
  "s429",
  "s401",
  "s403",
  "s404",
  "s409",
  "s422",
  "s500",
  "s503ra",
  "refused",
  "reset",
  "timeout",
  "badjson",
  "s402",
];
export const ADDRESSED = { 2: "google", 3: "generic", 4: "stripe", 5: "jira" };
export const hostOf = (flavour, sit) =>
  sit === "refused"
    ? `127.0.0.1:${REFUSED}`
    : `127.0.${Object.keys(ADDRESSED).find((k) => ADDRESSED[k] === flavour)}.${SITS.indexOf(sit)}:${PORT}`;
export async function startBackend() {
  const server = http.createServer(answer);
  server.on("clientError", (_e, s) => {
    if (s.writable) s.end("HTTP/1.1 400 Bad Request\r\n\r\n");
  });
  await new Promise((r) => server.listen(PORT, "127.0.0.1", r));
  const more = [];
  for (const f of Object.keys(ADDRESSED))
    for (let n = 1; n < SITS.length; n++) {
      const one = http.createServer(answer);
      one.on("clientError", (_e, s) => {
        if (s.writable) s.end("HTTP/1.1 400 Bad Request\r\n\r\n");
      });
      await new Promise((r) => one.listen(PORT, `127.0.${f}.${n}`, r));
      more.push(one);
    }
  const pems = await selfsigned.generate([{ name: "commonName", value: "localhost" }], { days: 30, keySize: 2048 });
  const tls = https.createServer({ key: pems.private, cert: pems.cert }, answer);
  await new Promise((r) => tls.listen(TLS_PORT, "127.0.0.1", r));
  return {
    close() {
      server.closeAllConnections();
      server.close();
      tls.closeAllConnections();
      tls.close();
    },
  };
}
if (import.meta.main) {
  await startBackend();
  console.log("up");
}
