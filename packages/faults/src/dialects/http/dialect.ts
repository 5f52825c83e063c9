import { createDecoder } from "../decoder.ts";
import type { Dialect, EncodeContext } from "../dialect.ts";
import { decodeHttp } from "./decode.ts";
import { encodeHttp, type HttpWire } from "./encode.ts";
import type { HttpDecodeContext } from "./reply.ts";
import { httpAfterRoundTrip } from "./round-trip.ts";

/**
 * HTTP: writes RFC 9457 problem documents with `Retry-After` and `RateLimit`, and reads any reply of any service.
 *
 * A fault in the body is believed as far as kind and wait, unless you say that the service speaks faults (`speaksFaults`).
 * Then a reader gets the same failure, with its texts as those of the service. A refused credential loses more: all become
 * `auth/unauthorized`, so nothing but effect and basis survive.
 *
 * @example
 * import { http } from "@recourse/faults/dialects";
 *
 * const response = await fetch("https://api.example.com/orders", { method: "POST", body });
 * const fault = http.decode(
 *   { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() },
 *   { httpMethod: "POST", now: Date.now() },
 * );
 * if (fault !== undefined) console.error(fault.kind, fault.effect, fault.recourse[0].do);
 */
export const http: Dialect<HttpWire, EncodeContext, HttpDecodeContext> = {
  name: "http",
  encode: encodeHttp,
  decode: createDecoder(decodeHttp),
  afterRoundTrip: httpAfterRoundTrip,
};
