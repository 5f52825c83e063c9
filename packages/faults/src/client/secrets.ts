import { joinSecrets, type SecretFilter } from "../safety/secrets.ts";
import type { TransportObserver } from "./transport/types.ts";

/** The secrets of a caller: those that it names, and the credentials that its transport was seen to send. */
export function secretsOf({
  secrets,
  transport,
}: {
  readonly secrets?: SecretFilter | undefined;
  readonly transport?: TransportObserver | undefined;
}): SecretFilter | undefined {
  return joinSecrets(secrets, transport?.connection().credentials);
}
