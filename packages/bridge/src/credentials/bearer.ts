import { type Credential, takesToken } from "./credential.ts";
import { headerValue } from "./header-value.ts";

/** A token of this server: `Authorization: Bearer …`. */
export function bearer(token: string): Credential {
  const value = headerValue(token, "token");
  return {
    owner: "own",
    secrets: [value],
    fits: takesToken,
    prove: async () => ({ ok: true, added: { headers: { authorization: `Bearer ${value}` } }, secrets: [] }),
  };
}
