import type { JsonObject } from "@recourse/faults/internal-do-not-use";
import type { Revision } from "../recording/revisions.ts";
import { headersFor, type Session } from "../wire/envelope.ts";
import { openSocket, openTls } from "./connect.ts";
import { type ExchangeOptions, exchange } from "./exchange.ts";
import type { HttpSeen } from "./http-seen.ts";
import type { DoctorContext } from "./journal.ts";
import { portOf } from "./judge-connection.ts";

/** A server behind one address, to which each request has a connection of its own. */
export interface HttpLink {
  /** Sends a message of an era. */
  post(message: JsonObject, how: PostOptions): Promise<HttpSeen>;
  /** Opens a stream. */
  get(how: Pick<PostOptions, "url" | "session" | "ms" | "enough">): Promise<HttpSeen>;
  /** Ends a session. */
  end(session: Session): Promise<HttpSeen>;
}

/** How a message is sent. */
interface PostOptions {
  readonly revision: Revision;
  /** @default the address of the target */
  readonly url?: URL;
  readonly session?: Session;
  readonly ms?: number;
  readonly enough?: NonNullable<ExchangeOptions["enough"]>;
}

/** Sends requests to one network address. */
export function openLink(
  target: { readonly url: URL; readonly headers: Readonly<Record<string, string>>; readonly address: string },
  { timeoutMs, signal, now, clean }: DoctorContext,
): HttpLink {
  const send = async (
    request: Pick<ExchangeOptions, "method" | "headers" | "body" | "enough"> & Pick<PostOptions, "url" | "ms">,
  ): Promise<HttpSeen> => {
    const { url = target.url, ms = timeoutMs, method, headers, body, enough } = request;
    const began = now();
    const failed = (error: string): HttpSeen =>
      error === "ETIMEDOUT" ? { kind: "silent", ms: now() - began } : { kind: "closed", error, ms: now() - began };
    const tcp = await openSocket({ address: target.address, port: portOf(url) }, { ms, signal });
    if (typeof tcp === "string") return failed(tcp);
    const tls = url.protocol === "https:" ? await openTls(tcp, url.hostname, { ms, signal }) : undefined;
    if (typeof tls === "string") return failed(tls);
    // Credentials never travel to a server that did not prove its name.
    if (tls !== undefined && tls.problems.length > 0) {
      tls.socket.destroy();
      return failed(tls.problems.join(", "));
    }
    return exchange({
      socket: tls?.socket ?? tcp,
      method,
      url,
      headers: { ...headers, ...target.headers },
      ms,
      signal,
      now,
      clean,
      ...(body !== undefined && { body }),
      ...(enough !== undefined && { enough }),
    });
  };
  return {
    post: (message, { revision, session = {}, ...how }) =>
      send({
        ...how,
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headersFor(revision, message, session),
        },
        body: JSON.stringify(message),
      }),
    get: ({ session = {}, ...how }) =>
      send({
        ...how,
        method: "GET",
        headers: { accept: "text/event-stream", ...headersFor("2025-11-25", undefined, session) },
      }),
    end: (session) => send({ method: "DELETE", headers: headersFor("2025-11-25", undefined, session), ms: 2_000 }),
  };
}
