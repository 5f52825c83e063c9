import type { Database } from "@recourse/reference-shared";
import * as z from "zod";

/** What operations use: the database, and the workspace of the call. */
interface OperationContext {
  readonly database: Database;
  readonly workspace: string;
}

/** The failure statuses that only some operations have. */
type OwnStatus = 404 | 422;

/** One operation of the REST API. Its input is in the path and in the body of a POST, or else in the query. */
export interface Operation<Input extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** The path, with `{name}` for values of the input. */
  readonly path: string;
  readonly summary: string;
  readonly input: Input;
  readonly success: 200 | 201;
  readonly fails: readonly OwnStatus[];
  /** Runs the operation. Throws a reason if it fails. */
  run(input: z.output<Input>, scene: OperationContext): Promise<Readonly<Record<string, unknown>>>;
}

/** Checks the type of the input here, so that operations with different inputs fit into one list. */
export function defineOperation<Input extends z.ZodObject>(of: Operation<Input>): Operation {
  return of as unknown as Operation;
}

/** Whether an operation reads or writes. */
export function accessOf({ method }: Operation): "read" | "write" {
  return method === "GET" ? "read" : "write";
}

/** The schema of an id in a path. */
export const id = z.string().regex(/^[1-9][0-9]{0,17}$/);

/** The schema of a list limit. */
export const limit = z.coerce.number().int().min(1).max(100).default(50);

/** The schema of a day as `YYYY-MM-DD`, in a year that PostgreSQL and people know. */
export const day = z.iso
  .date()
  .regex(/^[12]/)
  .meta({ format: "date", description: "A day from 1000-01-01 to 2999-12-31." });

/** The schema of a name: one line of text. */
export const label = z
  .string()
  .min(1)
  .max(100)
  .refine((text) => !/\p{Cc}/u.test(text), { message: "Must be text on one line" });
