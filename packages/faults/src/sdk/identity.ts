import { memberAt, stringAt } from "../json/read.ts";

/** Members in which authenticators put the name of the person or service that a token stands for. */
const SUBJECTS = ["sub", "subject", "userId"] as const;

/**
 * Who makes a call, so that no caller is given the outcome of another's. One client often serves many people, so where the
 * subject is not known the token tells them apart.
 */
export function callerOf(auth: unknown): Readonly<Record<string, string | undefined>> {
  const places = [auth, memberAt(auth, "extra")];
  const find = (name: string) => places.map((place) => stringAt(place, name)).find((value) => value !== undefined);
  const subject = SUBJECTS.map(find).find((value) => value !== undefined);
  const client = stringAt(auth, "clientId");
  return subject === undefined ? { client, token: stringAt(auth, "token") } : { client, issuer: find("iss"), subject };
}
