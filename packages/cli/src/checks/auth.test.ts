import { describe, expect, it } from "vitest";
import {
  bodyAnswer,
  type CheckCase,
  exchangeOf,
  OVER_HTTP,
  rpcError,
  rpcResult,
  saysOf,
} from "../../test/support/make-recording.ts";
import type { RecordedAnswer } from "../recording/recording.ts";

const HTTP = { target: OVER_HTTP };
const METADATA = 'Bearer resource_metadata="https://shop.example/.well-known/oauth-protected-resource"';

const refused = (status: number, challenge?: string, text = "no"): RecordedAnswer =>
  ({
    ...rpcError(-32600, text, { status }),
    http: { status, headers: challenge === undefined ? {} : { "www-authenticate": challenge }, streamed: false },
  }) as RecordedAnswer;
const given = (variant: string, answer: RecordedAnswer) => exchangeOf("credentials", answer, { variant });
const edge = (variant: string, answer: RecordedAnswer) => exchangeOf("http-edge", answer, { variant });
const none = given("none", refused(401, METADATA));
const json = bodyAnswer(200, '{"resource":"x"}', "application/json");

const CASES: Readonly<Record<string, readonly CheckCase[]>> = {
  "auth-challenge": [
    { about: "challenged", exchanges: [none], says: "pass" },
    {
      about: "no challenge",
      exchanges: [given("none", refused(401))],
      says: "without credentials gets 401 without a WWW-Authenticate",
    },
    { about: "403 for none", exchanges: [given("none", refused(403))], says: "gets 403 instead of 401" },
    {
      about: "no challenge for a wrong token",
      exchanges: [none, given("wrong", refused(401))],
      says: "A request with a wrong token gets 401 without",
    },
    { about: "an open server", exchanges: [given("none", rpcResult({}, 200))], says: "skipped" },
    { about: "nothing sent", exchanges: [], says: "skipped" },
  ],
  "auth-invalid-401": [
    { about: "401", exchanges: [none, given("wrong", refused(401, METADATA))], says: "pass" },
    {
      about: "403",
      exchanges: [none, given("wrong", refused(403))],
      says: "A request with a wrong token gets 403 instead of 401",
    },
    { about: "accepted", exchanges: [none, given("alg-none", rpcResult({}, 200))], says: "unsigned token is accepted" },
    {
      about: "400 for another scheme",
      exchanges: [none, given("wrong", refused(401)), given("basic", refused(400))],
      says: "pass",
    },
    {
      about: "an open server",
      exchanges: [given("none", rpcResult({}, 200)), given("wrong", rpcResult({}, 200))],
      says: "skipped",
    },
  ],
  "auth-opaque": [
    { about: "no reason", exchanges: [none, given("wrong", refused(401, METADATA, "Sign in again."))], says: "pass" },
    {
      about: "a malformed header",
      exchanges: [none, given("basic", refused(401, METADATA, "The Authorization header is malformed."))],
      says: "pass",
    },
    {
      about: "the signature",
      exchanges: [none, given("alg-none", refused(401, METADATA, "invalid signature"))],
      says: 'The answer to a request with an unsigned token names the reason of the verifier: "signature"',
    },
    {
      about: "a claim in the challenge",
      exchanges: [none, given("wrong", refused(401, `${METADATA}, error_description="aud claim missing"`))],
      says: '"claim"',
    },
    {
      about: "the address of the metadata",
      exchanges: [given("none", refused(401, 'Bearer resource_metadata="https://jwks.example/x"'))],
      says: "pass",
    },
    { about: "an open server", exchanges: [given("none", rpcResult({}, 200))], says: "skipped" },
  ],
  "auth-metadata": [
    { about: "named and read", exchanges: [none, given("metadata", json)], says: "pass" },
    { about: "not named", exchanges: [given("none", refused(401, "Bearer"))], says: "names no resource_metadata" },
    { about: "no challenge", exchanges: [given("none", refused(401))], says: "names no resource_metadata" },
    { about: "not found", exchanges: [none, given("metadata", bodyAnswer(404, "no"))], says: "answers with 404" },
    { about: "a page", exchanges: [none, given("metadata", bodyAnswer(200, "<p>"))], says: "not with a JSON document" },
    { about: "no OAuth", exchanges: [given("none", refused(401, "ApiKey"))], says: "skipped" },
    { about: "keys", exchanges: [given("none", refused(401, 'Bearer realm="API key"'))], says: "skipped" },
    { about: "an open server", exchanges: [given("none", rpcResult({}, 200))], says: "skipped" },
  ],
  "http-origin": [
    { about: "403", exchanges: [edge("foreign-origin", refused(403))], says: "pass" },
    { about: "served", exchanges: [edge("foreign-origin", rpcResult({}, 200))], says: "gets 200 instead of 403" },
    { about: "credentials first", exchanges: [edge("foreign-origin", refused(401))], says: "skipped" },
    { about: "nothing sent", exchanges: [], says: "skipped" },
  ],
  "http-host": [
    { about: "403", exchanges: [edge("foreign-host", refused(403))], says: "pass" },
    { about: "421", exchanges: [edge("foreign-host", bodyAnswer(421, ""))], says: "pass" },
    { about: "served", exchanges: [edge("foreign-host", rpcResult({}, 200))], says: "foreign Host gets 200" },
    {
      about: "another machine",
      exchanges: [edge("foreign-host", rpcResult({}, 200))],
      view: { target: { ...OVER_HTTP, loopback: false } },
      says: "skipped",
    },
    { about: "credentials first", exchanges: [edge("foreign-host", refused(401))], says: "skipped" },
  ],
};

describe.each(Object.entries(CASES))("%s", (id, cases) => {
  it.each(cases)("$about: $says", (one) => {
    expect(saysOf(id, { view: HTTP, ...one })).toContain(one.says);
  });
});
