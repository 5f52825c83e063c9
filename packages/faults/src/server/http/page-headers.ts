// Lets pages that the server serves call it, and read its answers (CORS).

import { isPreflight, pageHeaders, preflightHeaders } from "@recourse/wire";
import type { EdgeExchange } from "./exchange.ts";

const ALLOWED_ORIGIN = "access-control-allow-origin";

/** The answer with the headers by which the page that calls may read it. Headers that are there already stay. */
export function allowPage(answer: Response, { page }: Pick<EdgeExchange, "page">): Response {
  if (page === undefined || answer.headers.has(ALLOWED_ORIGIN)) return answer;
  try {
    addHeaders(answer.headers, page);
    return answer;
  } catch {
    // The headers of an answer that came from elsewhere cannot be changed.
    const copy = new Response(answer.body, answer);
    addHeaders(copy.headers, page);
    return copy;
  }
}

function addHeaders(headers: Headers, page: string): void {
  for (const [name, value] of Object.entries(pageHeaders(page))) {
    if (name === "vary") headers.append(name, value);
    else if (!headers.has(name)) headers.set(name, value);
  }
}

/** Whether a browser asks what the page may send, and the handler has not said it. */
export function isLeftPreflight(answer: Response, { page, request }: EdgeExchange): boolean {
  const { method, headers } = request;
  return (
    page !== undefined &&
    isPreflight({ method, header: (name) => headers.get(name) }) &&
    !(answer.ok && answer.headers.has(ALLOWED_ORIGIN))
  );
}

/** The headers that tell a browser about an allowed page. The author's headers take precedence over the guard's. */
export function answerPreflight({ page = "", request, options }: EdgeExchange): Response {
  const asked = { method: request.method, header: (name: string) => request.headers.get(name) };
  const methods = ["POST", ...(options.methods ?? [])];
  const headers = new Headers({
    "cache-control": "no-store",
    ...pageHeaders(page),
    ...preflightHeaders(asked, { allowedOrigin: page, methods }),
  });
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  return new Response(null, { status: 204, headers });
}
