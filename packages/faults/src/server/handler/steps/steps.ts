import type { Step } from "../exchange.ts";
import { checkAuthentication } from "./authentication.ts";
import { checkContentType } from "./content-type.ts";
import { checkEncoding } from "./encoding.ts";
import { checkJson } from "./json.ts";
import { checkMethod } from "./method.ts";
import { checkSize } from "./size.ts";

/** What a request has to pass before it reaches the handler, in this order. */
export const STEPS: readonly Step[] = [
  checkMethod,
  checkContentType,
  checkSize,
  checkEncoding,
  checkJson,
  checkAuthentication,
];
