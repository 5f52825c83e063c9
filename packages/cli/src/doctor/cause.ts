/** What `doctor` makes of a cause: it stops there, asks for credentials, or mentions it and goes on. */
export type Weight = "broken" | "credentials" | "note";

/** One reason why a server cannot be started, reached or spoken to. Texts are for people who meet it for the first time. */
export interface Cause {
  /** What is wrong, in a few words, without a full stop. */
  readonly title: string;
  /** What `doctor` sees: the rule behind the verdict. */
  readonly seen: string;
  /** Why it happens, in one sentence. */
  readonly because: string;
  /** What to do, in one or two sentences. */
  readonly fix: string;
  /** A command or code that can be copied. */
  readonly code?: string;
  /** @default "broken" */
  readonly weight?: Weight;
}
