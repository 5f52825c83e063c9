import {
  alnum,
  alphabet,
  chars,
  filled,
  hex,
  joined,
  type LeakTable,
  type Maker,
  mapped,
  password,
  toBase64,
  toBase64Url,
  toHex,
  toPercent,
} from "./values.ts";

const halves =
  (maker: Maker, build: (left: string, right: string) => string) =>
  (random: Parameters<Maker>[0]): readonly [string, string, string] => {
    const value = maker(random);
    const left = value.slice(0, value.length / 2);
    const right = value.slice(value.length / 2);
    return [build(left, right), left, right];
  };

const assigned = joined("password=", password);
const fullWidth = (text: string) => text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
const jsonEscaped = (text: string) =>
  Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
const entities = (text: string) => Array.from(text, (char) => `&#${char.charCodeAt(0)};`).join("");
const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (char) => {
    const base = char <= "Z" ? 65 : 97;
    return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base);
  });

/** Secrets in an unusual form that a pattern for the usual form does not match. */
export const evasion = {
  base64: filled("payload {0} rejected", [mapped(assigned, toBase64)]),
  base64url: filled("cursor {0} is not valid", [mapped(assigned, (value) => toBase64Url(value))]),
  "base64-twice": filled("blob {0} rejected", [mapped(assigned, (value) => toBase64(toBase64(value)))]),
  "base64-broken-lines": halves(mapped(joined("client_secret=", alnum(42)), toBase64), (a, b) => `data:\n${a}\n${b}`),
  "data-uri": filled("cannot load data:text/plain;base64,{0}", [mapped(assigned, toBase64)]),
  "hex-bytes": filled("unexpected bytes {0} at offset 0", [mapped(assigned, toHex)]),
  "percent-pair": filled("bad redirect ?next=%2F&blob=password%3D{0}", [mapped(password, encodeURIComponent)]),
  "percent-every-byte": filled("bad redirect ?blob={0}", [mapped(assigned, toPercent)]),
  "percent-twice": filled("bad redirect ?blob={0}", [
    mapped(assigned, (value) => encodeURIComponent(encodeURIComponent(value))),
  ]),
  "json-unicode-escapes": filled('{"k":"{0}"}', [mapped(password, jsonEscaped)]),
  "html-entities": filled("<td>{0}</td>", [mapped(password, entities)]),
  "nested-json": (random) => {
    const value = password(random);
    return [JSON.stringify({ error: JSON.stringify({ cfg: JSON.stringify({ pwd: value }) }) }), value];
  },
  "zero-width-split": halves(alnum(36), (a, b) => `token ghp_${a}\u200b${b} invalid`),
  "word-joiner-split": halves(alnum(36), (a, b) => `token ghp_${a}\u2060${b} invalid`),
  "soft-hyphen-split": halves(alnum(24), (a, b) => `key sk_live_${a}\u00ad${b} invalid`),
  "newline-split": halves(alnum(40), (a, b) => `Bearer ${a}\n ${b}`),
  "quoted-printable-split": halves(alnum(40), (a, b) => `Authorization: Bearer ${a}=\r\n${b}`),
  "string-concatenation": halves(alnum(32), (a, b) => `const key = "${a}" + "${b}"; // rejected`),
  "spaced-out": (random) => {
    const spaced = [...alnum(24)(random)].join(" ");
    return [`the key reads ${spaced}`, spaced];
  },
  "dash-groups": (random) => {
    const value = chars(25, alphabet.upperAlnum)(random);
    const dashed = (value.match(/.{5}/g) ?? []).join("-");
    return [`license ${dashed} is in use on another machine`, dashed];
  },
  "reversed-text": filled("trace: {0} :drowssap", [mapped(password, (value) => [...value].reverse().join(""))]),
  rot13: filled("cnffjbeq={0}", [mapped(password, rot13)]),
  "full-width-name": filled("ｐａｓｓｗｏｒｄ＝{0}", [password]),
  "full-width-value": filled("password={0}", [mapped(password, fullWidth)]),
  "homoglyph-name": filled("p\u0430ssw\u043erd={0}", [password]),
  "homoglyph-scheme": filled("\u0412earer {0}", [hex(40)]),
  "leet-name": filled("p4ssw0rd => {0}", [password]),
  "foreign-name": filled("Das Passwort {0} ist falsch, mot de passe {1} refusé", [password, password]),
  "chinese-name": filled("登录失败，密码：{0}", [password]),
  "natural-language": filled("the admin passphrase you typed ({0}) is wrong", [password]),
  "word-passphrase": ["vault did not open with correct-zebra-anvil-mosaic-tundra", "correct-zebra-anvil-mosaic-tundra"],
  "recovery-words": [
    "wallet recovery words: ribbon oxygen canyon velvet hobby anchor lunar orbit ticket maple fossil guitar",
    "ribbon oxygen canyon velvet",
  ],
  "partial-mask": (random) => {
    const head = alnum(8)(random);
    const tail = alnum(8)(random);
    return [`key ${head}************${tail} is not active`, head, tail];
  },
  "mask-in-middle": (random) => {
    const [head, tail] = [alnum(10)(random), alnum(10)(random)];
    return [`sk-…: ${head}...${tail} quota used`, head, tail];
  },
  "char-codes": (random) => {
    const codes = Array.from(password(random), (char) => char.charCodeAt(0)).join(", ");
    return [`Buffer.from([${codes}]) is not a valid key`, codes];
  },
  "diff-lines": filled("config drift:\n- api_secret: {0}\n+ api_secret: {1}", [alnum(32), alnum(32)]),
} satisfies LeakTable;
