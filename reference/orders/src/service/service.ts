import { createHash, timingSafeEqual } from "node:crypto";
import type { Fetch } from "@recourse/reference-ground";
import type { OrderBackend } from "../orders/backend.ts";
import { failureReply, reply } from "./failure.ts";
import { ROUTES } from "./routes.ts";

/** The longest body that is read. */
const MOST_BYTES = 65_536;

/** What the service is made of. */
export interface ServiceParts {
  readonly backend: OrderBackend;
  /** Who has it may ask. */
  readonly key: string;
  /** Where failures go that no caller can mend. */
  readonly onFailure?: (thrown: unknown) => void;
}

/** A REST service for orders. It stands for one that somebody else runs: it has its own codes, and knows nothing of MCP. */
export function createService({ backend, key, onFailure = () => {} }: ServiceParts): Fetch {
  return async (request) => {
    if (!isSame(request.headers.get("authorization") ?? "", `Bearer ${key}`)) return reply(401, { code: "NO_ACCESS" });
    const { pathname, searchParams: query } = new URL(request.url);
    const there = ROUTES.filter(({ path }) => path.test(pathname));
    if (there.length === 0) return reply(404, { code: "NO_SUCH_ADDRESS" });
    const route = there.find(({ method }) => method === request.method);
    if (route === undefined) return reply(405, { code: "NO_SUCH_METHOD" });
    try {
      const body = request.method === "POST" ? await bodyOf(request) : undefined;
      if (body === BROKEN) return reply(400, { code: "BROKEN_BODY" });
      const id = route.path.exec(pathname)?.groups?.["id"];
      const call = { signal: request.signal, key: request.headers.get("idempotency-key") ?? undefined };
      return await route.run(backend, { id, query, body, call });
    } catch (thrown) {
      const failed = failureReply(thrown);
      if (failed.status >= 500) onFailure(thrown);
      return failed;
    }
  };
}

const BROKEN = Symbol("broken");

async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text.length > MOST_BYTES) return BROKEN;
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return BROKEN;
  }
}

/** Compares in a time that tells nothing about where the two differ. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
