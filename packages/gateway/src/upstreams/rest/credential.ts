import { bearer, type Credential } from "@recourse/bridge";
import type { UpstreamCredential } from "../../config/types.ts";

/** The credential of an upstream for its API; undefined where it needs none. */
export function restCredential(credential: UpstreamCredential): Credential | undefined {
  switch (credential.kind) {
    case "none":
      return undefined;
    case "bearer":
      return bearer(credential.token);
    case "header":
      return inHeader(credential);
    default:
      return credential satisfies never;
  }
}

/** The operator names the header, so it is sent whatever schemes the document declares. */
function inHeader({ name, value }: { readonly name: string; readonly value: string }): Credential {
  const headers = { [name.toLowerCase()]: value };
  return {
    owner: "own",
    secrets: [value],
    fits: () => true,
    apply: async () => ({ ok: true, parts: { headers }, secrets: [] }),
  };
}
