import type { Authenticate } from "@recourse/faults/server";

const tokens = new Map([["secret-of-ada", { token: "secret-of-ada", clientId: "ada", scopes: ["orders:write"] }]]);

/** Looks the bearer token up. What it returns as `auth` reaches the tools as `authInfo`. */
export const authenticate: Authenticate = (request) => {
  const [scheme = "", token = ""] = (request.headers.get("authorization") ?? "").split(" ");
  const auth = scheme.toLowerCase() === "bearer" ? tokens.get(token) : undefined;
  return auth ? { ok: true, auth } : { ok: false };
};
