import { memberAt, stringAt } from "../../dialects/wire.ts";

/** Where authenticators put the name of whom a token stands for. */
const SUBJECTS = ["sub", "subject", "userId"] as const;

/**
 * Who a call is made by, so that nobody is given the outcome of somebody else's. One client often serves many people, so
 * where the subject is not known it is the token that tells them apart.
 */
export function callerFrom(auth: unknown): Readonly<Record<string, string | undefined>> {
  const places = [auth, memberAt(auth, "extra")];
  const find = (name: string) => places.map((place) => stringAt(place, name)).find((value) => value !== undefined);
  const subject = SUBJECTS.map(find).find((value) => value !== undefined);
  const client = stringAt(auth, "clientId");
  return subject === undefined ? { client, token: stringAt(auth, "token") } : { client, issuer: find("iss"), subject };
}
