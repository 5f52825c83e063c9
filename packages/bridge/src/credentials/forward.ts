import { auth } from "@recourse/faults";
import { isHeaderName } from "../operations/headers.ts";
import { type Credential, takesToken } from "./credential.ts";
import { isHeaderValue } from "./header-value.ts";

/**
 * The caller's own header, handed on to the service. Only for services that take the very credentials of this server's
 * callers: everything that the caller may do there can then be done through this server.
 */
export function forward(header: string, { as = header }: { readonly as?: string } = {}): Credential {
  const [from, to] = [header.toLowerCase(), as.toLowerCase()];
  if (!isHeaderName(from) || !isHeaderName(to)) throw new TypeError("not the name of a header");
  return {
    owner: "caller",
    secrets: [],
    fits: (scheme) =>
      scheme?.type === "apiKey"
        ? scheme.in === "header" && scheme.key.toLowerCase() === to
        : scheme === undefined || (to === "authorization" && (takesToken(scheme) || scheme.type === "http")),
    async prove(_, { callerHeader }) {
      const value = callerHeader(from);
      // What the caller did not send, or cannot be sent on, is for the caller to bring.
      if (!isHeaderValue(value)) return { ok: false, fault: auth.unauthorized.fault() };
      return { ok: true, added: { headers: { [to]: value } }, secrets: [value, ...value.split(/[\s;,=]+/)] };
    },
  };
}
