import type { Dispatcher } from "undici";
import type { HttpRequest } from "../request/request.ts";
import { type Failure, type Flaw, failureOf } from "./failure.ts";
import type { Limits } from "./limits.ts";
import type { Reply, ReplyHeaders } from "./reply.ts";
import { unpack } from "./unpack.ts";

/** How one request ended. */
export type Exchanged =
  | { readonly ok: true; readonly reply: Reply }
  | { readonly ok: false; readonly failure: Failure };

/** What one exchange is done with. */
export interface Setting {
  readonly dispatcher: Dispatcher;
  readonly limits: Pick<Limits, "headersMs" | "bodyMs" | "maxResponseBytes">;
  /** Ends the exchange; `whyAborted` tells whose wish it was. */
  readonly signal: AbortSignal;
  readonly whyAborted: () => "late" | "cancelled";
}

/** Sends a request once, and reads its answer within the limits; never rejects. */
export async function exchange(request: HttpRequest, setting: Setting): Promise<Exchanged> {
  const raw = await receive(request, setting);
  if (!raw.ok || raw.reply.flaw !== undefined) return raw;
  const unpacked = await unpack(raw.reply, setting.limits.maxResponseBytes);
  const reply = unpacked.ok
    ? { ...raw.reply, body: unpacked.bytes }
    : { ...raw.reply, body: NOTHING, flaw: unpacked.why };
  return { ok: true, reply };
}

const NOTHING = new Uint8Array();

function receive(request: HttpRequest, { dispatcher, limits, signal, whyAborted }: Setting): Promise<Exchanged> {
  const { url, method, headers, body } = request;
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let head: Pick<Reply, "status" | "headers"> | undefined;
    let size = 0;
    let sent = false;
    let stop = () => {};

    /** The first end counts; whatever comes after it is late. */
    function end(failure: Failure | undefined): void {
      signal.removeEventListener("abort", onAbort);
      if (head === undefined) resolve({ ok: false, failure: failure ?? { why: "lost", sent } });
      else if (failure === undefined) resolve({ ok: true, reply: { ...head, body: Buffer.concat(chunks) } });
      else resolve({ ok: true, reply: { ...head, body: NOTHING, flaw: flawOf(failure) } });
      stop();
    }
    const onAbort = () => end({ why: whyAborted(), sent, cause: signal.reason });
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        // Some services turn away who does not say what it is.
        headers: { "user-agent": "recourse-bridge", ...headers, "accept-encoding": "gzip, br" },
        body: body ?? null,
        headersTimeout: limits.headersMs,
        bodyTimeout: limits.bodyMs,
      },
      {
        onRequestStart(controller) {
          stop = () => controller.abort(new Error("the answer is no longer wanted"));
          if (signal.aborted) stop();
          else sent = true;
        },
        onResponseStart(_, status, replyHeaders) {
          // Informational answers come before the real one.
          if (status >= 200) head = { status, headers: replyHeaders as ReplyHeaders };
        },
        onResponseData(_, chunk) {
          size += chunk.byteLength;
          if (size <= limits.maxResponseBytes) chunks.push(chunk);
          else end({ why: "too_large", sent });
        },
        onResponseEnd() {
          stop = () => {};
          end(undefined);
        },
        onResponseError(_, error) {
          stop = () => {};
          end(failureOf(error, sent));
        },
      },
    );
  });
}

/** What became of a body is told in fewer words than what became of a request. */
function flawOf({ why }: Failure): Flaw {
  return why === "late" || why === "unreadable" || why === "too_large" || why === "cancelled" ? why : "lost";
}
