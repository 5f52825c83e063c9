/** Everything but letters, digits and `-._~` as percent escapes: no reader can take it for syntax. */
export function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, escaped);
}

/** Leaves reserved characters as they are, apart from those that part a query or end it. */
export function encodeReserved(text: string): string {
  return encode(text).replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|3D)/g, decodeURIComponent);
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
