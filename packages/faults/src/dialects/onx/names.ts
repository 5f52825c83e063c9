import { NAMESPACE } from "../../json/names.ts";

/** The member of `_meta` with the kind of a failure whose code is only the general one. */
export const KIND_KEY = `${NAMESPACE}/kind`;
/** The member of `_meta` with the next moves, which `details.suggestion` says in words. */
export const NEXT_KEY = `${NAMESPACE}/next`;
/** The member of `details.context` with the wait before a retry, in ms. */
export const WAIT_NAME = "retryAfterMs";
