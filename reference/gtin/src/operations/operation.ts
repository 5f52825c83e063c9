import type { AnyReason } from "@recourse/faults";
import type * as z from "zod";
import type { Access } from "../access/permit.ts";
import type { Catalogue } from "../store/catalogue.ts";
import type { Claims } from "../store/claims.ts";
import type { Health } from "../store/health.ts";

/** What operations use. */
export interface Dependencies {
  readonly catalogue: Catalogue;
  readonly claims: Claims;
  readonly health: Health;
  /** The public address of this server, without a slash at the end. */
  readonly publicUrl: string;
}

/** One operation, for MCP and REST. */
export interface Operation<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly access: Access;
  readonly input: Input;
  /** The reasons that it may fail with, besides those of every operation: limits, refused tokens and outages. */
  readonly reasons: readonly AnyReason[];
  /** Whether it changes something. */
  readonly changes: boolean;
  /** Runs the operation, and throws a reason if it fails. `subject` is the subject of the caller's token. */
  run(
    input: z.output<Input>,
    parts: Dependencies,
    subject: string | undefined,
  ): Promise<Readonly<Record<string, unknown>>>;
}

/** Checks the type of the input here, so that operations with different inputs fit into one list. */
export function defineOperation<Input extends z.ZodObject>(of: Operation<Input>): Operation {
  return of as unknown as Operation;
}
