import type { Replies } from "./stand-in.ts";

/** Who wrote the words: the authors of the server, the service behind it, Node and libraries, or the official SDK. */
export type Writer = "author" | "service" | "library" | "sdk";

/** A failure of an installed server: how a client provokes it, and what a model needs to read. */
export interface InstalledCase {
  /** Says what fails; unique for its server. */
  readonly name: string;
  readonly tool: string;
  /** `$DIR` stands for the directory of the server. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** How the service answers. @default it is not asked */
  readonly replies?: Replies;
  readonly by: Writer;
  /** How the failure leaves the handler of the tool. */
  readonly how: "thrown" | "returned";
  /**
   * The words of the bare text that a caller needs to go on. Written from the server's source, before any guarded text was
   * read. Each arrives, or the guarded text helps less.
   */
  readonly needs: readonly Need[];
  /** A secret in the text that the caller does not have. */
  readonly secret?: string;
  /** What is left to do, as an engineer who reads the bare text would say it. */
  readonly next: Next;
}

/** Words, or words that say the same: the first as the bare text says it, the others as the SDK or the library may. */
export type Need = string | readonly [bare: string, ...others: string[]];

/** Another call, the same call later, a person who changes something, or nothing. */
export type Next = "correct" | "later" | "person" | "unknown";

/** What installs and starts a server. `$DIR` stands for a new directory, which is also its home. */
export interface InstalledServer {
  readonly package: string;
  readonly file: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files of its directory. */
  readonly files?: Readonly<Record<string, string>>;
  /** The class of the official SDK that its authors use. */
  readonly is: "McpServer" | "Server";
  readonly about: string;
  readonly cases: readonly InstalledCase[];
}
