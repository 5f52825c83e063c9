import type { AnyReason } from "@recourse/faults";
import type * as z from "zod";
import type { Access } from "../access/permit.ts";
import type { Catalogue } from "../store/catalogue.ts";
import type { Claims } from "../store/claims.ts";
import type { Health } from "../store/health.ts";

/** What operations work with. */
export interface Parts {
  readonly catalogue: Catalogue;
  readonly claims: Claims;
  readonly health: Health;
  /** Where this server is reached from outside, without a slash at the end. */
  readonly publicUrl: string;
}

/** One thing that the server can do, whichever way it is asked. */
export interface Operation<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly access: Access;
  readonly input: Input;
  /** What it may fail with beyond limits, credentials and the database. */
  readonly reasons: readonly AnyReason[];
  /** Whether it changes anything. */
  readonly changes: boolean;
  /** Does it; fails by throwing a reason. `subject` is whose token it is, where there is one. */
  run(input: z.output<Input>, parts: Parts, subject: string | undefined): Promise<Readonly<Record<string, unknown>>>;
}

/** Keeps the type of the input inside while the operations stand in one table. */
export function operation<Input extends z.ZodObject>(of: Operation<Input>): Operation {
  return of as unknown as Operation;
}
