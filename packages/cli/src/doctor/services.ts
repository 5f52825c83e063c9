/** A service that is known by its first bytes. */
interface Service {
  readonly name: string;
  /** The beginning of what it sends, as `bytesAsText` writes it. */
  readonly begins: RegExp;
}

/** Services that answer HTTP with something else, or speak first. */
const SERVICES: readonly Service[] = [
  { name: "a TLS server", begins: /^\\x1[56]\\x03/ },
  { name: "an HTTP/2 server without HTTP/1.1", begins: /^\\x00\\x00(?:\\x..|.)\\x04|^PRI \* HTTP\/2/ },
  { name: "Redis", begins: /^[-+](?:ERR|NOAUTH|PONG|DENIED|WRONGPASS|MOVED|LOADING)/ },
  { name: "PostgreSQL", begins: /^[NS]$|^E\\x00\\x00|SFATAL|^R\\x00\\x00\\x00/ },
  { name: "MySQL or MariaDB", begins: /^(?:\\x..|.)\\x00\\x00\\x00(?:\\x09|\\x0a|\\xff)/ },
  { name: "SSH", begins: /^SSH-\d/ },
  { name: "a mail or FTP server", begins: /^220[ -]/ },
  { name: "Memcached", begins: /^ERROR\\x0d\\x0a/ },
];

/** The service that these bytes come from. Undefined if they are not known. */
export function serviceOf(bytes: Uint8Array): string | undefined {
  const text = bytesAsText(bytes);
  return SERVICES.find(({ begins }) => begins.test(text))?.name;
}

/** Harmless questions to a port that closes the connection at HTTP. Each service answers only its own. */
export const QUESTIONS: readonly { readonly name: string; readonly bytes: Uint8Array; readonly answer: RegExp }[] = [
  // Asks whether it speaks TLS; one letter comes back.
  { name: "PostgreSQL", bytes: Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 47), answer: /^[NS]$/ },
  { name: "Redis", bytes: new TextEncoder().encode("PING\r\n"), answer: /^[-+](?:PONG|NOAUTH|ERR|DENIED)/ },
];

/** Bytes for a person: what is not printable ASCII is written as `\x15`. */
export function bytesAsText(bytes: Uint8Array): string {
  return [...bytes.subarray(0, 256)]
    .map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`,
    )
    .join("");
}
