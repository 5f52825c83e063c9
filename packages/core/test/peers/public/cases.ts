// Every failure of the public servers that a client can provoke, and a success of each tool.
import { call, type FailureCase, type Success } from "./case.ts";
import { AIRTABLE_FAILURES, AIRTABLE_SUCCESSES } from "./cases/airtable.ts";
import { FILESYSTEM_FAILURES, FILESYSTEM_SUCCESSES } from "./cases/filesystem.ts";
import { MEMORY_FAILURES, MEMORY_SUCCESSES } from "./cases/memory.ts";
import type { PublicServer } from "./servers.ts";

/** The failures of each server. */
export const FAILURES: Readonly<Record<PublicServer, readonly FailureCase[]>> = {
  filesystem: FILESYSTEM_FAILURES,
  memory: MEMORY_FAILURES,
  airtable: AIRTABLE_FAILURES,
};

/** At least one success of every tool of each server. The order matters. */
export const SUCCESSES: Readonly<Record<PublicServer, readonly Success[]>> = {
  filesystem: FILESYSTEM_SUCCESSES,
  memory: MEMORY_SUCCESSES,
  airtable: AIRTABLE_SUCCESSES,
};

/** Makes a call of `SUCCESSES`. */
export const callOf = ([tool, args]: Success): FailureCase["ask"] => call(tool, args);
