import type { Credential } from "./credential.ts";

/** A user name and a password of this server: `Authorization: Basic …`. Many APIs take a key as name and no password. */
export function basic(user: string, password = ""): Credential {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a header.
  const isRight = typeof user === "string" && !/[\u0000-\u001f\u007f:]/.test(user) && isPlain(password);
  if (!isRight) throw new TypeError("the user name or the password has characters that cannot be sent");
  const pair = Buffer.from(`${user}:${password}`).toString("base64");
  return {
    owner: "own",
    // With a password the name is no secret, and it may well be an ordinary word.
    secrets: [pair, password === "" ? user : password],
    fits: (scheme) => scheme === undefined || (scheme.type === "http" && scheme.scheme === "basic"),
    prove: async () => ({ ok: true, added: { headers: { authorization: `Basic ${pair}` } }, secrets: [] }),
  };
}

function isPlain(text: unknown): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a header.
  return typeof text === "string" && !/[\u0000-\u001f\u007f]/.test(text);
}
