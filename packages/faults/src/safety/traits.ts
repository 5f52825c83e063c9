/** The characters that patterns are asked about; any digit counts as `0`, any capital as `A`, all beyond ASCII as `é`. */
const MARKS = "0Aé@/\\:=.<-_\"'%($[{`&;!]*?#,~+|";

const TABLE = new Int32Array(128);
const FOREIGN = 4;
for (let i = 3; i < MARKS.length; i++) TABLE[MARKS.charCodeAt(i)] = 1 << i;
for (let code = 48; code < 58; code++) TABLE[code] = 1;
for (let code = 65; code < 91; code++) TABLE[code] = 2;

/** Tells in one pass which of the marks a text has, as a set of bits. */
export function traitsOf(text: string): number {
  let traits = 0;
  for (let i = 0; i < text.length; i++) traits |= traitOf(text.charCodeAt(i));
  return traits;
}

function traitOf(code: number): number {
  return code < 128 ? (TABLE[code] as number) : FOREIGN;
}
