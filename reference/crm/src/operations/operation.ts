import type { Database } from "@recourse/reference-ground";
import * as z from "zod";

/** What operations work with: the database, and the workspace that the call is about. */
interface Scene {
  readonly database: Database;
  readonly workspace: string;
}

/** The statuses that an operation may fail with, beyond those of every operation. */
type OwnStatus = 404 | 422;

/** One operation of the REST API; its input is found in the path, then in the body of writes or the query of reads. */
export interface Operation<Input extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** With `{name}` for values of the input. */
  readonly path: string;
  readonly summary: string;
  readonly input: Input;
  readonly success: 200 | 201;
  readonly fails: readonly OwnStatus[];
  /** Does it; fails by throwing a reason. */
  run(input: z.output<Input>, scene: Scene): Promise<Readonly<Record<string, unknown>>>;
}

/** Keeps the type of the input inside while the operations stand in one table. */
export function operation<Input extends z.ZodObject>(of: Operation<Input>): Operation {
  return of as unknown as Operation;
}

/** Whether an operation changes anything. */
export function accessOf({ method }: Operation): "read" | "write" {
  return method === "GET" ? "read" : "write";
}

/** The id of a thing, as texts in paths have it. */
export const id = z.string().regex(/^[1-9][0-9]{0,17}$/);

/** How many rows a list may have. */
export const limit = z.coerce.number().int().min(1).max(100).default(50);

/** A day as `YYYY-MM-DD`, of a year that calendars agree on. */
export const day = z.iso.date().regex(/^[12]/);

/** A text of one line that people read. */
export const label = z
  .string()
  .min(1)
  .max(100)
  .refine((text) => !/\p{Cc}/u.test(text), { message: "Must be text on one line" });
