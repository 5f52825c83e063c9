// Requests to the API for operators. A failure is a value: the sentence, the next move and the incident of its problem document.

/** A request that failed. */
export interface ApiFailure {
  /** 0: no answer came. */
  readonly status: number;
  readonly reason: string;
  /** What went wrong and what to do, in the words of the problem document. */
  readonly sentence: string;
  readonly incident?: string;
  /** How long to wait before another try. */
  readonly afterMs?: number;
}

/** What came of a request. */
export type ApiAnswer<T> = { readonly value: T } | { readonly failure: ApiFailure };

/** What the first sentence of a page does not need waits so long at most. */
const FIRST_ANSWER_MS = 1_000;

let noteFirst: () => void = () => {};
/** Fulfilled after the first answer, or soon: until then only what the first sentence of a page needs is asked for. */
export const firstAnswer: Promise<void> = new Promise((resolve) => {
  noteFirst = resolve;
  setTimeout(resolve, FIRST_ANSWER_MS);
});

/** Where the console begins: the part of the address up to `/console/`. */
export function consoleBase(): URL {
  const { origin, pathname } = window.location;
  const at = pathname.indexOf("/console/");
  return new URL(`${origin}${pathname.slice(0, Math.max(at, 0))}/console/`);
}

/** The address of a path of the API, such as `incidents/01M7…`. */
export function apiUrl(path: string): URL {
  return new URL(`../admin/v1/${path}`, consoleBase());
}

/** Reads. It never rejects. An answer that is the same as the last one is the same object. */
export function read<T>(path: string, signal?: AbortSignal): Promise<ApiAnswer<T>> {
  return send<T>("GET", path, undefined, signal);
}

/** The last answers with an `ETag`, by path, so that a page that asks again and again loads only what changed. */
const tagged = new Map<string, { readonly tag: string; readonly value: unknown }>();
const MAX_TAGGED = 8;

function keepTagged(path: string, { headers }: Response, value: unknown): void {
  const tag = headers.get("etag");
  tagged.delete(path);
  if (tag === null) return;
  tagged.set(path, { tag, value });
  for (const oldest of [...tagged.keys()].slice(0, -MAX_TAGGED)) tagged.delete(oldest);
}

/** Changes something. It never rejects. */
export function change<T>(method: "POST" | "DELETE", path: string, body?: object): Promise<ApiAnswer<T>> {
  return send<T>(method, path, body);
}

/** Sends to an address of the API, or beside it. */
export async function send<T>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<ApiAnswer<T>> {
  const isChange = method !== "GET";
  const known = isChange ? undefined : tagged.get(path);
  try {
    const response = await fetch(apiUrl(path), {
      method,
      credentials: "same-origin",
      ...(isChange && { headers: { "content-type": "application/json", "x-recourse-console": "1" } }),
      ...(isChange && { body: JSON.stringify(body ?? {}) }),
      ...(known && { headers: { "if-none-match": known.tag } }),
      ...(signal && { signal }),
    });
    if (response.status === 304 && known !== undefined) return { value: known.value as T };
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok && !isChange) keepTagged(path, response, answer);
    if (response.ok) return { value: answer as T };
    return { failure: readProblem(response, answer) };
  } catch {
    return { failure: NO_ANSWER };
  } finally {
    noteFirst();
  }
}

const NO_ANSWER: ApiFailure = {
  status: 0,
  reason: "console/no_answer",
  sentence: "The gateway does not answer. Check that it runs and that this browser reaches it.",
};

function readProblem(response: Response, answer: unknown): ApiFailure {
  const problem = (answer ?? {}) as { detail?: unknown; fault?: { reason?: unknown; incident?: unknown } };
  const after = Number(response.headers.get("retry-after"));
  const incident = problem.fault?.incident;
  return {
    status: response.status,
    reason: String(problem.fault?.reason ?? ""),
    sentence: typeof problem.detail === "string" ? problem.detail : "The gateway answered with an error.",
    ...(typeof incident === "string" && { incident }),
    ...(Number.isFinite(after) && after > 0 && { afterMs: after * 1_000 }),
  };
}
