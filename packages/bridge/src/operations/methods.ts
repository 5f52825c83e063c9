import type { Annotations, Method } from "./operation.ts";

/** What each method promises by its definition. `POST` and `PATCH` promise nothing. */
export const ANNOTATIONS = {
  GET: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  HEAD: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  PUT: { readOnlyHint: false, idempotentHint: true },
  DELETE: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  POST: { readOnlyHint: false, idempotentHint: false },
  PATCH: { readOnlyHint: false, idempotentHint: false },
} as const satisfies Readonly<Record<Method, Annotations>>;

/** The fields of a path that are operations; `OPTIONS` and `TRACE` are about the connection, not the API. */
export const METHOD_FIELDS = {
  get: "GET",
  head: "HEAD",
  put: "PUT",
  post: "POST",
  patch: "PATCH",
  delete: "DELETE",
  options: undefined,
  trace: undefined,
} as const satisfies Readonly<Record<string, Method | undefined>>;

/** Whether a body has a meaning with this method. */
export function takesBody(method: Method): boolean {
  return method !== "GET" && method !== "HEAD";
}
