// Every failure of the document, with a real cause.
import { tokenBuckets } from "@recourse/reference-shared";
import type { TestEnvironment } from "../support/test-environment.ts";

export interface Failure {
  readonly code: number;
  readonly name: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly cause: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly token?: (environment: TestEnvironment) => Promise<string>;
  /** Causes the failure, and returns a function that undoes it. */
  readonly arrange?: (environment: TestEnvironment) => Promise<() => Promise<void>>;
  /** The reason in MCP's own dialect. */
  readonly reason: string;
  /** What the document says beside the common members. */
  readonly also?: Readonly<Record<string, unknown>>;
  /** The address, if no arguments make it. */
  readonly path?: string;
  /** Only one of the two ways can be asked so. */
  readonly only?: "REST" | "MCP";
}

const OATS = "09520123456788";
const BOOTS = "09521234543213";
const UNKNOWN = "00614141123452";
const WRONG = "00614141123453";
const IN_STORE = "2112345678900";

const qr = (environment: TestEnvironment) => environment.token(["qr:generate"]);
const invalid = { code: -32101, name: "validation_error", status: 422, retryable: false } as const;
const missing = { code: -32200, name: "not_found", status: 404, retryable: false } as const;
const refused = { code: -32001, name: "unauthorized", status: 401, retryable: false } as const;

export const FAILURES: readonly Failure[] = [
  {
    ...refused,
    cause: "no token",
    tool: "generate_qr_url",
    args: { gtin: OATS },
    reason: "auth/unauthorized",
  },
  {
    ...refused,
    cause: "an expired token",
    tool: "lookup_product",
    args: { gtin: OATS },
    token: (environment) => environment.token([], { lifetimeMs: -60_000 }),
    reason: "auth/unauthorized",
  },
  {
    code: -32002,
    name: "forbidden",
    status: 403,
    retryable: false,
    cause: "a token without qr:generate",
    tool: "generate_qr_url",
    args: { gtin: OATS },
    token: (environment) => environment.token(["gtin:claim"]),
    reason: "auth/insufficient_scope",
  },
  {
    code: -32003,
    name: "rate_limited",
    status: 429,
    retryable: true,
    cause: "the share of calls is used up",
    tool: "resolve_gtin",
    args: { gtin: OATS },
    arrange: async (environment) => {
      const { limiter } = environment;
      environment.limiter = tokenBuckets({ calls: 1, windowMs: 30_000, now: () => 0 });
      await fetch(`${environment.url}/v1/gtin/${OATS}/product`);
      return async () => {
        environment.limiter = limiter;
      };
    },
    reason: "core/rate_limited",
    also: { retry_after: 30 },
  },
  {
    code: -32100,
    name: "bad_request",
    status: 400,
    retryable: false,
    cause: "an address whose escapes cannot be read",
    tool: "resolve_gtin",
    args: {},
    path: "/v1/gtin/%E0%A4/resolve",
    reason: "protocol/bad_request",
    only: "REST",
  },
  ...["resolve_gtin", "lookup_product", "generate_qr_url"].map((tool) => ({
    ...invalid,
    cause: "a wrong check digit",
    tool,
    args: { gtin: WRONG },
    token: qr,
    reason: "gtin/invalid",
    also: {
      errors: [
        { pointer: "#/gtin", code: "format", detail: "The last digit is not the check digit of those before it." },
      ],
    },
  })),
  {
    ...invalid,
    cause: "a number instead of a string",
    tool: "lookup_product",
    args: { gtin: 614141123452 },
    reason: "tool/invalid_arguments",
    also: { errors: [{ pointer: "#/gtin", code: "type", detail: "a string" }] },
    only: "MCP",
  },
  {
    ...invalid,
    cause: "an in-store number in a public link",
    tool: "generate_qr_url",
    args: { gtin: IN_STORE },
    token: qr,
    reason: "gtin/restricted_circulation",
    also: {
      errors: [{ pointer: "#/gtin", code: "custom", detail: "the GTIN of a product that is sold publicly" }],
    },
  },
  {
    code: -32102,
    name: "unprocessable_entity",
    status: 422,
    retryable: false,
    cause: "a lot together with a third party's serial number",
    tool: "generate_qr_url",
    args: { gtin: OATS, lot: "L1", third_party_serial: "T1" },
    token: qr,
    reason: "core/unprocessable",
    also: { errors: [{ pointer: "#/third_party_serial", code: "custom", detail: "the only qualifier" }] },
  },
  { ...missing, cause: "no such product", tool: "resolve_gtin", args: { gtin: UNKNOWN }, reason: "gtin/not_found" },
  {
    ...missing,
    cause: "a product without a default link",
    tool: "resolve_gtin",
    args: { gtin: BOOTS },
    reason: "gtin/no_default_link",
  },
  {
    ...missing,
    cause: "no link of the type asked for",
    tool: "resolve_gtin",
    args: { gtin: OATS, link_type: "gs1:epil" },
    reason: "gtin/link_type_unavailable",
  },
  {
    code: -32201,
    name: "conflict",
    status: 409,
    retryable: false,
    cause: "claimed by somebody else already",
    tool: "claim_gtin",
    args: { gtin: OATS },
    token: (environment) => environment.token(["gtin:claim"], { subject: "retailer" }),
    arrange: async ({ database }) => {
      await database.query("insert into claim (gtin, subject) values ($1, 'brand-owner')", [OATS]);
      return async () => {
        await database.query("delete from claim");
      };
    },
    reason: "gtin/already_claimed",
  },
  ...["resolve_gtin", "lookup_product", "generate_qr_url"].map((tool) => ({
    code: -32300,
    name: "internal_error",
    status: 500,
    retryable: true,
    cause: "the database is away",
    tool,
    args: { gtin: OATS },
    token: qr,
    arrange: async ({ proxy }: TestEnvironment) => {
      proxy.disconnect();
      return async () => proxy.reconnect();
    },
    reason: "gtin/database_unavailable",
    also: { retry_after: 2 },
  })),
  {
    code: -32300,
    name: "internal_error",
    status: 500,
    retryable: true,
    cause: "a bug: a column that the statement names is gone",
    tool: "lookup_product",
    args: { gtin: OATS },
    arrange: async ({ database }) => {
      await database.query("alter table product rename column brand to trademark");
      return async () => {
        await database.query("alter table product rename column trademark to brand");
      };
    },
    reason: "core/internal",
  },
];
