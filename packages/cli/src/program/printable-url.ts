/** Whether an argument is the address of a server, not a program. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Names of query members and of arguments whose values are secrets. */
export const SECRET_NAME = /(?:key|token|secret|passw|pwd|auth|credential|signature|^sig$|^code$|session)/i;

const HIDDEN = "[hidden]";

/** An address as it may be shown: without user and password, and with the secrets of its query replaced. */
export function printableUrl(address: string | URL): string {
  const url = parseUrl(address);
  if (url === undefined) return String(address);
  url.username = "";
  url.password = "";
  const names = [...url.searchParams.keys()].filter((name) => SECRET_NAME.test(name));
  for (const name of names) url.searchParams.set(name, HIDDEN);
  return url.href.replaceAll(encodeURIComponent(HIDDEN), HIDDEN);
}

/** What `printableUrl` leaves out: user, password and the values of secret members. */
export function secretsOfUrl(address: string | URL): string[] {
  const url = parseUrl(address);
  if (url === undefined) return passwordOf(String(address));
  const query = [...url.searchParams].filter(([name]) => SECRET_NAME.test(name)).map(([, value]) => value);
  const user = [url.username, url.password].flatMap((one) => [one, decoded(one)]);
  return [...user, ...query, ...passwordOf(String(address)).filter((one) => !user.includes(one))].filter(
    (one) => one !== "",
  );
}

/** A password with characters that should have been escaped: all before the last @. A port is not one. */
function passwordOf(address: string): string[] {
  const [, password] = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:(?!\d{1,5}(?:\/|$))(\S+)@/i.exec(address) ?? [];
  return password === undefined ? [] : [password];
}

function parseUrl(address: string | URL): URL | undefined {
  return URL.canParse(String(address)) ? new URL(address) : undefined;
}

/** A part of an address without percent escapes, as it is if they are wrong. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
