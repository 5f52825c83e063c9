// Every failure of the document, with a real cause on both adapters.
import { BACKEND } from "./backend.ts";
import { BUSINESS } from "./business.ts";
import type { Failure } from "./failure.ts";
import { VALIDATION } from "./validation.ts";

export const FAILURES: readonly Failure[] = [...VALIDATION, ...BUSINESS, ...BACKEND];
