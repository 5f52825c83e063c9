// The REST API behind the tools. Its failures are read from status, headers and body, so no tool has to look at them.
import { FaultError } from "@recourse/faults";
import { http } from "@recourse/faults/dialects";

/** Where the API is, and the key that it asks for. */
export interface ShopApiOptions {
  readonly url: string | URL;
  readonly key: string;
}

/** An order as the API returns it. */
export interface Order {
  readonly order: number;
  readonly item: string;
  readonly cents: number;
  readonly status: "open" | "shipped" | "refunded";
}

/** Calls the API. */
export class ShopApi {
  readonly #options: ShopApiOptions;

  constructor(options: ShopApiOptions) {
    this.#options = options;
  }

  /** Returns undefined where the API answers 404. */
  async get<T>(path: string, signal: AbortSignal): Promise<T | undefined> {
    const reply = await this.#send("GET", path, { signal });
    return reply.status === 404 ? undefined : await read<T>(reply, "GET");
  }

  /** Sends a change. If the answer is lost, nobody knows whether it was made: the fault says so. */
  async post<T>(path: string, body: object, signal: AbortSignal): Promise<T> {
    return read<T>(await this.#send("POST", path, { signal, body: JSON.stringify(body) }), "POST");
  }

  #send(method: string, path: string, init: RequestInit): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#options.key}`, "content-type": "application/json" };
    return fetch(new URL(path, this.#options.url), { ...init, method, headers });
  }
}

async function read<T>(reply: Response, httpMethod: string): Promise<T> {
  const body = await reply.text();
  const wire = { status: reply.status, headers: Object.fromEntries(reply.headers), body };
  const fault = http.decode(wire, { httpMethod, now: Date.now(), credential: "own", expects: "json" });
  if (fault === undefined) return JSON.parse(body) as T;
  // The fault is for the caller. The cause goes only to the log.
  const cause = new Error(`${httpMethod} ${reply.url} answered ${reply.status}: ${body.slice(0, 200)}`);
  throw new FaultError(fault, { cause });
}
