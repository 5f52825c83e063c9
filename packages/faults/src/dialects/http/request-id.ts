import { readRequestId } from "../../fault/request-id.ts";
import { objectAt, stringAt } from "../../json/read.ts";
import type { SecretFilter } from "../../safety/secrets.ts";
import type { ReplySource } from "./waits.ts";

/** Headers in which services and proxies name the request, those of the service itself first. */
export const REQUEST_ID_HEADERS: readonly string[] = [
  "x-request-id",
  "request-id",
  "x-correlation-id",
  "x-amzn-requestid",
  "x-amz-request-id",
  "x-ms-request-id",
  "x-github-request-id",
  "x-trace-id",
  "cf-ray",
];

/** The id of the request in a reply: in a header, in the body, or the trace that it belongs to. */
export function requestIdOf(reply: ReplySource, secrets: SecretFilter | undefined): string | undefined {
  const { header, body } = reply;
  const found = [
    ...REQUEST_ID_HEADERS.map(header),
    ...[body, objectAt(body, "error")].map((one) => stringAt(one, "request_id")),
    header("traceparent")?.slice(3, 35),
  ];
  return found.find((value) => readRequestId(value, secrets) !== undefined);
}
