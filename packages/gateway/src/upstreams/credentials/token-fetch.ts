import { ByteCollector } from "@recourse/core/wire";
import { Pool } from "undici";
import { type UpstreamAccess, upstreamConnector } from "../connections.ts";

/** Longer answers of a token service are not read. */
const MAX_TOKEN_ANSWER_BYTES = 64 * 1_024;

/** A request as `oauth4webapi` hands it over. */
interface FetchedRequest {
  readonly method?: string;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

export interface TokenFetch {
  /** Sends one request and reads its whole answer. Redirects are not followed: the client's secret would go elsewhere. */
  readonly fetch: (url: string, request: FetchedRequest) => Promise<Response>;
  close(): Promise<void>;
}

interface TokenFetchOptions {
  readonly url: URL;
  /** Proxies and CAs, as for the upstream. @default it is reached directly, with a CA that Node knows */
  readonly route?: UpstreamAccess | undefined;
  readonly connections: number;
  readonly timeoutMs: number;
}

/** Opens connections to a token service. Nothing is sent before the first request. */
export function createTokenFetch({ url, route = {}, connections, timeoutMs }: TokenFetchOptions): TokenFetch {
  const pool = new Pool(url.origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    connect: upstreamConnector(route, timeoutMs),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  return {
    async fetch(address, { headers, body, signal }) {
      const { pathname, search } = new URL(address);
      const answer = await pool.request({
        path: `${pathname}${search}`,
        method: "POST",
        headers: headers as Record<string, string>,
        body: String(body),
        signal: signal ?? null,
      });
      const bytes = new ByteCollector();
      for await (const chunk of answer.body) {
        bytes.push(chunk as Buffer);
        // Leaving the loop ends the connection.
        if (bytes.bytes > MAX_TOKEN_ANSWER_BYTES) throw new Error("the answer of the token service is too large");
      }
      const status = answer.statusCode;
      const isBodiless = status === 204 || status === 205 || status === 304;
      return new Response(isBodiless ? null : Buffer.from(bytes.take()), {
        status,
        headers: Object.entries(answer.headers).flatMap(([name, value]) =>
          value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
        ),
      });
    },
    close: () => pool.destroy(),
  };
}
