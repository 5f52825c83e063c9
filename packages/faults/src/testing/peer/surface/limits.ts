import { erlmcp } from "../../../dialects/erlmcp/erlmcp.ts";

/** Where the peer draws its lines. */
export interface Limits {
  /** Longest message in bytes. */
  readonly messageBytes: number;
  /** Longest single text within a message, in bytes. */
  readonly contentBytes: number;
  /** Longest description of a tool that is registered. */
  readonly descriptionLength: number;
  /** Items on one page of a list. */
  readonly pageSize: number;
  /** How long a cursor is good for. */
  readonly cursorMs: number;
  /** How long the token `expiring` is good for, from the start of the peer. */
  readonly tokenMs: number;
  /** How long a tool may run; a deadline that the caller names may be shorter. */
  readonly toolMs: number;
  /** How long any other request may take. */
  readonly requestMs: number;
  /** How long a task may run. */
  readonly taskMs: number;
  /** How long the peer waits for the client's user or model. */
  readonly questionMs: number;
  /** Requests per window; none unless told. */
  readonly rate: { readonly limit: number; readonly windowMs: number } | undefined;
}

/** What holds unless the peer is told otherwise. */
export const LIMITS: Limits = {
  messageBytes: erlmcp.defaults.maxMessageBytes,
  contentBytes: 1_048_576,
  descriptionLength: erlmcp.defaults.maxDescriptionLength,
  pageSize: 50,
  cursorMs: 300_000,
  tokenMs: 3_600_000,
  toolMs: 30_000,
  requestMs: 30_000,
  taskMs: 300_000,
  questionMs: 60_000,
  rate: undefined,
};
