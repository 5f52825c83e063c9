/** The forms in which programs write a value: in JSON, also with other characters as ASCII, in an address, as hex, and in base64 at each of three places. */
export function encodedForms(value: string): readonly string[] {
  const bytes = new TextEncoder().encode(value.toWellFormed());
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const json = JSON.stringify(value).slice(1, -1);
  const percent = encodeURIComponent(value.toWellFormed());
  return [
    json,
    json.replaceAll("/", "\\/"),
    json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    percent,
    new URLSearchParams([["", value]]).toString().slice(1),
    percent.replaceAll(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
    hex,
    hex.toUpperCase(),
    hex.replaceAll(/../g, "%$&"),
    hex.toUpperCase().replaceAll(/../g, "%$&"),
    ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset)),
  ];
}

/** What always stands in base64 if so many bytes come before the value, in both alphabets. */
function base64At(bytes: Uint8Array, offset: number): readonly string[] {
  const shifted = Array.from([...new Uint8Array(offset), ...bytes], (byte) => String.fromCharCode(byte)).join("");
  const whole = btoa(shifted).replace(/={1,2}$/, "");
  // The first and the last character also depend on the bytes beside the value.
  const from = offset === 0 ? 0 : offset + 1;
  const isOpen = shifted.length % 3 !== 0;
  const form = whole.slice(from, isOpen ? -1 : undefined);
  return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
}
