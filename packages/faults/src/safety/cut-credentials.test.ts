import { describe, expect, it } from "vitest";
import { formatId } from "../fault/id.ts";
import { cutCredentials } from "./cut-credentials.ts";

const id = formatId(Date.now(), crypto.getRandomValues(new Uint8Array(16)));
const PEM =
  "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n-----END PRIVATE KEY-----";
const CUT_PEM =
  "-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n    at open (a.ts:1)";

describe("cutCredentials", () => {
  it.each([
    [
      "connect ECONNREFUSED postgres://app:hunter2@10.0.0.5/db",
      "connect ECONNREFUSED postgres://app:<removed>@10.0.0.5/db",
    ],
    ["Authorization: Bearer abcdef123456, retry", "Authorization: Bearer <removed>, retry"],
    ['{"authorization":"Bearer abcdef123456","host":"h"}', '{"authorization":"Bearer <removed>","host":"h"}'],
    ["Cookie: sid=abc123456; theme=dark\nnext", "Cookie: <removed>\nnext"],
    ["password=hunter22 and user=ann", "password=<removed> and user=ann"],
    [
      '"{\\"password\\":\\"hunter22\\",\\"user\\":\\"ann\\"}"',
      '"{\\"password\\":\\"<removed>\\",\\"user\\":\\"ann\\"}"',
    ],
    ["key sk_live_51H8xyzABCDEFGHIJKLMNOP refused", "key <removed> refused"],
    ["jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def here", "jwt <removed> here"],
    [`before ${PEM} after`, "before <removed> after"],
    [`bad key ${CUT_PEM}`, "bad key <removed>\n    at open (a.ts:1)"],
    ["GET https://b.example/o?X-Amz-Signature=0123456789abcdef&x=1", "GET https://b.example/o<removed>"],
  ])("cuts the value out of %s", (text, kept) => {
    expect(cutCredentials(text)).toBe(kept);
  });

  it.each([
    `incident=${id} token=${id}`,
    "no user ada@example.com at 10.0.0.5:5432 in /srv/app/db.ts",
    "relation orders does not exist",
    "User: arn:aws:iam::123456789012:user/x is not authorized to perform: s3:GetObject",
    "max_tokens=4096 token_type=bearer",
    "password: required",
  ])("keeps %s", (text) => {
    expect(cutCredentials(text)).toBe(text);
  });
});
