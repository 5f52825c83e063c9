// A host as people use one: a client of the official SDK with handlers for everything that a server can ask.
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

/** The clients: version 1, version 2 in the older era, and version 2 in the newer. */
export const HOST_KINDS = ["v1", "v2 legacy", "v2 modern"] as const;
type HostKind = (typeof HOST_KINDS)[number];

export interface HostOptions {
  readonly kind: HostKind;
  /** The caller: its name is part of every answer. */
  readonly name: string;
  readonly key: string;
  readonly url: URL;
  readonly fetch: typeof fetch;
  /** How long a person takes to answer, in ms. */
  readonly thinkMs: () => number;
}

/** A call, and what came of it. */
export interface HostCall {
  readonly tool: string;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly outcome: "answered" | "wrong" | "failed" | "late";
  /** What the caller read, where it was not answered. */
  readonly text: string;
}

const CALL_MS = 40_000;
const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: {} };
const NONCE = /n-[\w-]+/;

/** One host. It counts the questions that belong to calls of other hosts. */
export class Host {
  readonly options: HostOptions;
  readonly #open = new Set<string>();
  #client: ClientV1 | ClientV2 | undefined;
  #calls = 0;
  /** Questions that were put to this host and answered. */
  asked = 0;
  /** Questions about a call that this host did not make. */
  strange = 0;

  constructor(options: HostOptions) {
    this.options = options;
  }

  /** Makes one call, and compares its result with what this host answered. */
  async call(tool: string): Promise<HostCall> {
    this.#calls += 1;
    const nonce = `n-${this.options.name}-${this.#calls}`;
    const startedMs = performance.now();
    const ended = (outcome: HostCall["outcome"], text: string): HostCall => {
      return { tool, startedMs, endedMs: performance.now(), outcome, text };
    };
    this.#open.add(nonce);
    try {
      this.#client ??= await this.#connect();
      const options = { timeout: CALL_MS, signal: AbortSignal.timeout(CALL_MS) };
      const params = { name: tool, arguments: { nonce } };
      const result = (await (this.#client instanceof ClientV1
        ? this.#client.callTool(params, undefined, options)
        : this.#client.callTool(params, options))) as { isError?: boolean; content: { text?: string }[] };
      const text = result.content.map((one) => one.text ?? "").join("\n");
      if (result.isError === true) return ended("failed", text);
      const isRight = text.includes(`"nonce":"${nonce}"`) && text.includes(this.#answer(nonce, tool.endsWith("roots")));
      return ended(isRight ? "answered" : "wrong", text);
    } catch (error) {
      const text = describe(error);
      const isLate = performance.now() - startedMs >= CALL_MS - 100;
      // A host whose session is gone begins a new one.
      if (/404|session|Not connected|fetch failed|terminated/i.test(text)) await this.#reset();
      return ended(isLate ? "late" : "failed", text);
    } finally {
      this.#open.delete(nonce);
    }
  }

  async close(): Promise<void> {
    await this.#reset();
  }

  async #reset(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.close().catch(() => {});
  }

  #answer(nonce: string, isRoots: boolean): string {
    return isRoots ? `file:///${this.options.name}` : `${this.options.name} ${nonce}`;
  }

  async #reply(text: string): Promise<string> {
    const [nonce = "none"] = NONCE.exec(text) ?? [];
    if (!this.#open.has(nonce)) this.strange += 1;
    this.asked += 1;
    await new Promise((resolve) => setTimeout(resolve, this.options.thinkMs()));
    return this.#answer(nonce, false);
  }

  async #connect(): Promise<ClientV1 | ClientV2> {
    const { kind, url, key, fetch } = this.options;
    const info = { name: this.options.name, version: "1.0.0" };
    const transport = { fetch, requestInit: { headers: { authorization: `Bearer ${key}` } } };
    const elicit = async (message: string) => ({
      action: "accept" as const,
      content: { city: await this.#reply(message) },
    });
    const sample = async (messages: unknown) => ({
      model: "host",
      role: "assistant" as const,
      content: { type: "text" as const, text: await this.#reply(JSON.stringify(messages)) },
    });
    const listRoots = async () => {
      this.asked += 1;
      await new Promise((resolve) => setTimeout(resolve, this.options.thinkMs()));
      return { roots: [{ uri: this.#answer("", true), name: this.options.name }] };
    };
    if (kind === "v1") {
      const client = new ClientV1(info, { capabilities: CAPABILITIES });
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params.message));
      client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => sample(params.messages));
      client.setRequestHandler(ListRootsRequestSchema, listRoots);
      await client.connect(new TransportV1(url, transport) as never);
      return client;
    }
    const era = kind === "v2 modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {};
    const client = new ClientV2(info, { capabilities: CAPABILITIES, ...era });
    client.setRequestHandler("elicitation/create", ({ params }) => elicit(params.message));
    client.setRequestHandler("sampling/createMessage", ({ params }) => sample(params.messages));
    client.setRequestHandler("roots/list", listRoots);
    await client.connect(new TransportV2(url, transport));
    return client;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `${error.name}: ${error.message}${cause}`;
}
