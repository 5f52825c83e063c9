// An MCP server that lists by the person it sees, and requests to it through a gateway.
import { createServer } from "node:http";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { onTestFinished } from "vitest";
import type { Gateway } from "../../src/gateway.ts";
import { tokenCheck } from "../credentials/support.ts";
import { MODERN_META, modernHeaders, post, type RawAnswer } from "../support/post.ts";
import type { TokenProvider } from "../support/token-provider.ts";

/** A request as the server saw it. */
interface SeenMessage {
  readonly method: string;
  /** The person; `gateway` for the gateway itself. */
  readonly subject: string;
}

/** A server of the newer era with a tool, a prompt and a resource for each person, and a tool for everybody. */
export interface ListingServer {
  readonly url: URL;
  readonly seen: SeenMessage[];
  /** Further tools of a person. */
  readonly more: Map<string, string[]>;
  /** Answers to lists of a person with this status. */
  readonly refused: Map<string, number>;
  /** Lists are answered only after this. */
  held: Promise<void> | undefined;
  /** Lists a tool whose description is the token that was shown. */
  showsToken: boolean;
  /** How often a method was used by a person. */
  count(method: string, subject?: string): number;
  close(): Promise<void>;
}

const ABOUT = {
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {}, prompts: {}, resources: {} },
  serverInfo: { name: "listing", version: "1.0.0" },
};

/** Starts such a server. Its address is the audience of its tokens. */
export async function openListing(provider: TokenProvider): Promise<ListingServer> {
  const { subject: readSubject } = tokenCheck(provider);
  const seen: SeenMessage[] = [];
  const state = {
    more: new Map<string, string[]>(),
    refused: new Map<string, number>(),
    held: undefined as Promise<void> | undefined,
    showsToken: false,
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
      id: unknown;
      method: string;
      params: { name?: string; uri?: string };
    };
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const subject = await readSubject(token, served.url.href);
    if (subject === undefined) return void response.writeHead(401).end();
    seen.push({ method, subject });
    const isList = method.endsWith("/list");
    if (isList) await state.held;
    const status = isList ? state.refused.get(subject) : undefined;
    if (status !== undefined) return void response.writeHead(status).end();
    const names = ["echo", `only_${subject}`, ...(state.more.get(subject) ?? [])];
    const results: Readonly<Record<string, object>> = {
      "server/discover": ABOUT,
      "tools/list": {
        tools: [
          ...names.map((name) => ({ name, inputSchema: { type: "object" } })),
          ...(state.showsToken ? [{ name: "leak", description: token, inputSchema: { type: "object" } }] : []),
        ],
      },
      "prompts/list": { prompts: [{ name: `greet_${subject}` }] },
      "prompts/get": { messages: [], description: subject },
      "resources/list": { resources: [{ name: "note", uri: `note://${subject}` }] },
      "resources/templates/list": { resourceTemplates: [{ name: "file", uriTemplate: `file://${subject}/{path}` }] },
      "resources/read": { contents: [{ uri: params.uri, text: subject }] },
      "tools/call": { content: [{ type: "text", text: `${subject} ${params.name}` }] },
    };
    const result = { resultType: "complete", ttlMs: 60_000, cacheScope: "private", ...results[method] };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  const served = await listenOnLoopback(server);
  onTestFinished(served.close);
  const count = (method: string, subject?: string) =>
    seen.filter((one) => one.method === method && (subject === undefined || one.subject === subject)).length;
  return Object.assign(state, { url: served.url, seen, count, close: served.close });
}

/** Sends a request as a client of the newer era. */
export function ask(
  { url }: Pick<Gateway, "url">,
  credential: string,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<RawAnswer> {
  const rest = JSON.stringify(params).slice(1, -1);
  const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${rest === "" ? "" : `${rest},`}"_meta":{${MODERN_META}}}}`;
  const target = (params["name"] ?? params["uri"]) as string | undefined;
  return post(url, body, { ...modernHeaders(method, target), authorization: `Bearer ${credential}` });
}

/** Calls a tool. */
export function callAs(gateway: Pick<Gateway, "url">, credential: string, name: string): Promise<RawAnswer> {
  return ask(gateway, credential, "tools/call", { name, arguments: {} });
}

/** What a caller is listed, by the member of the result and of its entries. */
export async function listFor(
  gateway: Pick<Gateway, "url">,
  credential: string,
  method = "tools/list",
  [member, key]: readonly [string, string] = ["tools", "name"],
): Promise<string[]> {
  const { json, text } = await ask(gateway, credential, method);
  const entries = (json().result as Record<string, Record<string, string>[]> | undefined)?.[member];
  if (entries === undefined) throw new Error(text);
  return entries.map((entry) => entry[key] ?? "");
}
