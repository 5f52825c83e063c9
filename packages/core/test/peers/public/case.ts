import * as z from "zod";
import type { RunningServer } from "./servers.ts";

/** A failure: how a client provokes it, and what may reach the client. */
export interface FailureCase {
  readonly name: string;
  readonly ask: (running: RunningServer) => Promise<unknown>;
  /** Who wrote the text that the bare server sends. */
  readonly by: Writer;
  /** The text, or its beginning, where it is meant for the caller. */
  readonly says?: string;
  /** Sentences that the authors add to a text of another program. */
  readonly adds?: readonly string[];
  /** A secret that the bare server shows. The guarded server must not show it, unless the caller sent it. */
  readonly secret?: string;
  /** The caller sent the secret as an argument, so to read it again tells the caller nothing. Registered secrets stay hidden. */
  readonly sentByCaller?: true;
  /** The reason of the fault; undefined for an error whose data the protocol fixes. */
  readonly reason: string | undefined;
}

/** The authors of the server, the official SDK, the REST service behind the server, or Node and libraries. */
type Writer = "author" | "sdk" | "service" | "runtime";

/** A call that succeeds. */
export type Success = readonly [tool: string, args?: Arguments];

type Arguments = Readonly<Record<string, unknown>>;

/** Calls a tool. `$DIR` in its arguments stands for the directory of the server. */
export const call =
  (name: string, args: Arguments = {}): FailureCase["ask"] =>
  ({ client, dir }) =>
    client.callTool({ name, arguments: JSON.parse(JSON.stringify(args).replaceAll("$DIR", dir)) });

/** Reads a resource. */
export const resource =
  (uri: string): FailureCase["ask"] =>
  ({ client }) =>
    client.readResource({ uri });

/** Sends a request with malformed parameters. */
export const send =
  (method: string, params: Arguments): FailureCase["ask"] =>
  ({ client }) =>
    client.request({ method, params } as never, z.any());

/** The author threw a sentence, which arrives as it is. */
export const SAID = "tool/failed";
export const QUOTED = "tool/execution_failed";
export const HIDDEN = "core/internal";

/** A secret that the caller sent itself. */
export const sentByCaller = { by: "author", sentByCaller: true } as const;

export const systemError = { by: "runtime", reason: HIDDEN } as const;
export const invalidArguments = { by: "sdk", reason: "tool/invalid_arguments" } as const;
export const unknownTool = { by: "sdk", reason: "tool/not_found" } as const;
