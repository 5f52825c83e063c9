import type { Kind } from "@recourse/core";

/** What an upstream answers, and what a caller should make of it. */
export interface Reply {
  /** Whose form it has, and what it says. */
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly status: number;
  /** The kinds of fault that it is rightly read as, for a bridge with a credential of its own; none for a success. */
  readonly kinds: readonly Kind[];
  /** The body, with a text in it that must not cross. */
  readonly body: (leak: string) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The wait that it names. */
  readonly waitMs?: number;
}

type More = Pick<Reply, "headers" | "waitMs">;

/** Replies to a read. */
export const get = (name: string, status: number, kinds: string, body: Reply["body"], more: More = {}): Reply => ({
  name,
  method: "GET",
  status,
  kinds: kinds.split(" ").filter(Boolean) as Kind[],
  body,
  ...more,
});

/** Replies to a write. */
export const post: typeof get = (...args) => ({ ...get(...args), method: "POST" });

/** A wait in whole seconds, as most services name it. */
export const after = (seconds: number): More => ({
  headers: { "retry-after": String(seconds) },
  waitMs: seconds * 1_000,
});
