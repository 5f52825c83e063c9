// One call over HTTP by a caller whom an authenticator has described, to a server of the official SDK.

import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { type Fault, readFault } from "@recourse/core";
import type { Era } from "./sdk-pairs.ts";

export interface KeyedRequest {
  /** @default none: the request is anonymous */
  readonly auth?: unknown;
  readonly tool: string;
  /** @default {} */
  readonly args?: object;
  readonly key: string;
  /** Further headers. @default none */
  readonly headers?: Readonly<Record<string, string>>;
}

interface KeyedAnswer {
  readonly text: string | undefined;
  readonly fault: Fault | undefined;
}

type Serve = (make: () => object, request: Request, authInfo: never) => Promise<Response>;
const serveCallV2: Serve = (make, request, authInfo) =>
  createMcpHandler(make as never).fetch(request, authInfo === undefined ? {} : { authInfo });

const SERVE: Readonly<Record<Era, Serve>> = {
  "v2 modern": serveCallV2,
  "v2 legacy": serveCallV2,
  async v1(make, request, authInfo) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await (make() as { connect(to: unknown): Promise<void> }).connect(transport);
    return transport.handleRequest(request, authInfo === undefined ? {} : { authInfo });
  },
};

const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function createRequest(era: Era, { tool, args = {}, key, headers }: KeyedRequest): Request {
  const isModern = era === "v2 modern";
  const _meta = { ...(isModern && MODERN_META), "recourse/call": { key } };
  const params = { name: tool, arguments: args, _meta };
  return new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": isModern ? "2026-07-28" : "2025-06-18",
      ...(isModern && { "mcp-method": "tools/call", "mcp-name": tool }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
}

interface Message {
  readonly result?: {
    readonly content?: readonly { readonly text?: string }[];
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

/** The answer in an HTTP response, which may be JSON or a stream of events. */
async function answerIn(response: Response): Promise<KeyedAnswer> {
  const body = await response.text();
  const line = body.split("\n").find((one) => one.startsWith("data: {"));
  const { result } = JSON.parse(line?.slice("data: ".length) ?? body) as Message;
  return { text: result?.content?.[0]?.text, fault: readFault(result?._meta?.["recourse/fault"]) };
}

/** Makes a call; `make` creates the server of the request. */
export async function callAs(era: Era, make: () => object, request: KeyedRequest): Promise<KeyedAnswer> {
  return answerIn(await SERVE[era](make, createRequest(era, request), request.auth as never));
}

// Forms in which authenticators describe a caller. In each of them two people use the same idempotency key.

/** A person, as an authenticator describes them. */
interface IdentityShape {
  readonly name: string;
  readonly ann: unknown;
  /** The same person in a later request, which mostly has another token. */
  readonly annAgain: unknown;
  readonly bob: unknown;
}

interface Person {
  readonly name: string;
  readonly number: number;
  readonly token: string;
}

const PEOPLE = {
  ann: { name: "ann", number: 1, token: "t-1" },
  annAgain: { name: "ann", number: 1, token: "t-2" },
  bob: { name: "bob", number: 2, token: "t-3" },
} as const satisfies Record<string, Person>;

const AUTH_INFO = { clientId: "app", scopes: [] };

function shape(name: string, describe: (person: Person) => unknown): IdentityShape {
  return { name, ann: describe(PEOPLE.ann), annAgain: describe(PEOPLE.annAgain), bob: describe(PEOPLE.bob) };
}

/** A shape whose members stand beside the token, as the SDK's own `AuthInfo` has them. */
const info = (name: string, describe: (person: Person) => object) =>
  shape(name, (person) => ({ ...AUTH_INFO, token: person.token, ...describe(person) }));

/** The user of a framework: its members are getters of a class. */
class User {
  readonly #person: Person;
  constructor(person: Person) {
    this.#person = person;
  }
  get id(): number {
    return this.#person.number;
  }
  get email(): string {
    return `${this.#person.name}@example.com`;
  }
}

/** A user whose `id` comes from the class below it. */
class Member extends User {
  readonly role = "member";
}

/** Claims that throw where they are not set. */
class StrictClaims {
  readonly token: string;
  readonly email: string;
  constructor({ name, token }: Person) {
    this.token = token;
    this.email = `${name}@example.com`;
  }
  get sub(): string {
    throw new Error("the claim sub is not set");
  }
}

const two = (name: string, describe: (which: number) => object): IdentityShape => ({
  name,
  ann: { ...AUTH_INFO, token: "t-1", ...describe(1) },
  annAgain: { ...AUTH_INFO, token: "t-2", ...describe(1) },
  bob: { ...AUTH_INFO, token: "t-3", ...describe(2) },
});

/** Two people who are told apart, and one person who is recognised. */
export const SHAPES: readonly IdentityShape[] = [
  info("extra.sub", ({ name }) => ({ extra: { sub: name } })),
  info("sub", ({ name }) => ({ sub: name })),
  info("subject", ({ name }) => ({ subject: name })),
  info("userId, text", ({ name }) => ({ extra: { userId: name } })),
  info("userId, number", ({ number }) => ({ extra: { userId: number } })),
  info("user_id, number", ({ number }) => ({ user_id: number })),
  info("uid, bigint", ({ number }) => ({ uid: BigInt(number) })),
  info("oid within tid", ({ name }) => ({ extra: { tid: "acme", oid: name } })),
  info("id, number", ({ number }) => ({ id: number })),
  info("id, zero and one", ({ number }) => ({ id: number - 1 })),
  info("user, text", ({ name }) => ({ user: name })),
  info("user.id", ({ number }) => ({ user: { id: number } })),
  info("extra.user.email", ({ name }) => ({ extra: { user: { email: `${name}@example.com` } } })),
  info("username", ({ name }) => ({ extra: { username: name } })),
  info("login", ({ name }) => ({ login: name })),
  info("email", ({ name }) => ({ extra: { email: `${name}@example.com` } })),
  info("principal", ({ name }) => ({ principal: name })),
  info("extra.claims.sub", ({ name }) => ({ extra: { claims: { sub: name } } })),
  info("payload.sub", ({ name }) => ({ payload: { sub: name } })),
  info("profile.email", ({ name }) => ({ profile: { email: `${name}@example.com` } })),
  info("session.userId", ({ name, token }) => ({ session: { id: token, userId: name } })),
  info("session.user.id", ({ name, token }) => ({ session: { id: token, user: { id: name } } })),
  info("a null sub and a userId", ({ number }) => ({ sub: null, userId: number })),
  info("an empty sub and an email", ({ name }) => ({ extra: { sub: "", email: `${name}@example.com` } })),
  shape("getters of a class", (person) => new User(person)),
  shape("inherited getters", (person) => new Member(person)),
  info("a class instance in extra", (person) => ({ extra: { user: new User(person) } })),
  shape("a prototype", ({ name }) => Object.create({ sub: name })),
  shape("a getter that throws, and an email", (person) => new StrictClaims(person)),
  two("one sub in two tenants", (which) => ({ extra: { sub: "ann", tenantId: which } })),
  two("one sub in two organizations", (which) => ({ extra: { sub: "ann", organization: { id: `o-${which}` } } })),
  two("one sub of two issuers", (which) => ({ extra: { sub: "ann", iss: `https://${which}.example` } })),
  two("one sub through two clients", (which) => ({ clientId: `app-${which}`, extra: { sub: "ann" } })),
  two("a username that reads like a userId", (which) => ({ extra: which === 1 ? { username: "7" } : { userId: 7 } })),
  { name: "a number, and the same in text", ann: { id: 7 }, annAgain: { id: "7" }, bob: { id: 8 } },
  ...[
    ["a token alone", {}],
    ["an empty sub and a token", { extra: { sub: "" } }],
    ["a blank sub and a token", { sub: "  " }],
    ["a number too large to be exact, and a token", { sub: 2 ** 60 }],
  ].map(([name, more]) => ({
    name: String(name),
    ann: { ...AUTH_INFO, token: "t-1", ...(more as object) },
    annAgain: { ...AUTH_INFO, token: "t-1", ...(more as object) },
    bob: { ...AUTH_INFO, token: "t-2", ...(more as object) },
  })),
];

/** Authenticated requests that name nobody. */
export const UNUSABLE: readonly (readonly [name: string, auth: object])[] = [
  ["a client alone", AUTH_INFO],
  ["an empty token", { ...AUTH_INFO, token: "" }],
  ["an empty sub", { ...AUTH_INFO, token: "", extra: { sub: "" } }],
  ["an issuer and a tenant alone", { iss: "https://a.example", tid: "acme" }],
  ["a user without a name", { user: {}, extra: { user: null } }],
  ["an id that is not a number", { id: Number.NaN, sub: true, email: [] }],
  [
    "getters that throw",
    new Proxy(
      {},
      {
        get() {
          throw new Error("not set");
        },
      },
    ),
  ],
];
