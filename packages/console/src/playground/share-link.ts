// A text in the part of an address after `#`, which browsers do not send: deflated, then base64url.

/** What an address may hold besides its page. Longer ones are cut by programs that people share them with. */
export const MAX_LINK = 8_192;
/** A text that is longer than this is not read. A few bytes can hold gigabytes of zeros. */
const MAX_UNPACKED = 1_000_000;
const MARK = "#z=";

/** The text of a link, or a sentence about why there is none. */
export type LinkedText = { readonly text: string } | { readonly problem: string };

const PROBLEMS = {
  damaged: "The link is damaged: the text in it cannot be read. Ask for the link again, or paste the text.",
  tooLong: "The text in the link is longer than 1 MB, so it is not read.",
} as const;

/** The part of an address that holds a text. Undefined if it would be longer than 8 kB. */
export async function packText(text: string): Promise<string | undefined> {
  if (text.length > MAX_UNPACKED) return undefined;
  const deflated = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
  // An address is at least as long as its bytes, and a list of arguments may not be long.
  if (bytes.length > MAX_LINK) return undefined;
  const packed = MARK + toBase64Url(bytes);
  return packed.length > MAX_LINK ? undefined : packed;
}

/** Reads the part of an address after `#`. Undefined if it holds no text. It never rejects. */
export async function unpackText(fragment: string): Promise<LinkedText | undefined> {
  if (!fragment.startsWith(MARK)) return undefined;
  const bytes = fromBase64Url(fragment.slice(MARK.length));
  if (bytes === undefined || bytes.length === 0) return { problem: PROBLEMS.damaged };
  try {
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await readInflated(inflated);
  } catch {
    return { problem: PROBLEMS.damaged };
  }
}

/** Reads a stream until its end, or until it is too long. */
async function readInflated(stream: ReadableStream<Uint8Array>): Promise<LinkedText> {
  const reader = stream.getReader();
  // A text is well formed, or the link was changed on its way.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode() };
    text += decoder.decode(value, { stream: true });
    if (text.length > MAX_UNPACKED) {
      reader.cancel().catch(() => {});
      return { problem: PROBLEMS.tooLong };
    }
  }
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));
  } catch {
    return undefined;
  }
}
