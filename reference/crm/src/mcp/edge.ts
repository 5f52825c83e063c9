import type { Authenticate } from "@recourse/faults/server";

/** Checks only the form of the header: the API checks the key. */
export const checkHeader: Authenticate = (request) => ({
  ok: /^Bearer +pl_key_/i.test(request.headers.get("authorization") ?? ""),
});
