import { createHash, timingSafeEqual } from "node:crypto";
import type { Fetch } from "@recourse/reference-shared";
import type { OrderBackend } from "../orders/backend.ts";
import { failureResponse, jsonResponse } from "./failure.ts";
import { ROUTES } from "./routes.ts";

/** The largest accepted body. */
const MAX_BODY_BYTES = 65_536;

/** Options of the REST service. */
export interface ServiceOptions {
  readonly backend: OrderBackend;
  /** The key that clients have to send. */
  readonly key: string;
  /**
   * Receives failures that callers cannot correct.
   *
   * @default they are dropped
   */
  readonly onFailure?: (thrown: unknown) => void;
}

/** A REST service for orders. It represents a third-party service: it has its own codes and does not know MCP. */
export function createService({ backend, key, onFailure = () => {} }: ServiceOptions): Fetch {
  return async (request) => {
    if (!isEqual(request.headers.get("authorization") ?? "", `Bearer ${key}`))
      return jsonResponse(401, { code: "NO_ACCESS" });
    const { pathname, searchParams: query } = new URL(request.url);
    const there = ROUTES.filter(({ path }) => path.test(pathname));
    if (there.length === 0) return jsonResponse(404, { code: "NO_SUCH_ADDRESS" });
    const route = there.find(({ method }) => method === request.method);
    if (route === undefined) return jsonResponse(405, { code: "NO_SUCH_METHOD" });
    try {
      const body = request.method === "POST" ? await readBody(request) : undefined;
      if (body === INVALID_BODY) return jsonResponse(400, { code: "BROKEN_BODY" });
      const id = route.path.exec(pathname)?.groups?.["id"];
      const call = { signal: request.signal, idempotencyKey: request.headers.get("idempotency-key") ?? undefined };
      return await route.run(backend, { id, query, body, call });
    } catch (thrown) {
      const failed = failureResponse(thrown);
      if (failed.status >= 500) onFailure(thrown);
      return failed;
    }
  };
}

const INVALID_BODY = Symbol("broken");

async function readBody(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text.length > MAX_BODY_BYTES) return INVALID_BODY;
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return INVALID_BODY;
  }
}

/** Compares in constant time. */
function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(sha256(one), sha256(other));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
