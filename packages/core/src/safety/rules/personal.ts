import { latePattern, type PatternRule } from "./rule.ts";

/** Personal data: how to reach, pay, find or identify a person. */
export const PERSONAL_RULES = [
  {
    id: "personal.email",
    cut: { to: "token" },
    find: /[^\s@"'(<>,;:=]@[a-z0-9\u00a1-\uffff-]{1,63}\.(?:[a-z0-9\u00a1-\uffff-]{1,63}\.){0,5}[a-z\u00a1-\uffff]{2,24}(?![a-z0-9])/i,
  },
  {
    id: "personal.email-spelled",
    cut: { to: "token" },
    find: /\w\s?\(\s?at\s?\)\s?\w|\w\s?\[\s?at\s?\]\s?\w|\w\s?\{\s?at\s?\}\s?\w|\w at [\w-]{1,40} dot (?:com|org|net|io|de|co|edu)\b/i,
  },
  {
    id: "personal.phone",
    cut: { to: "number" },
    find: /(?<![\w.])\+(?:[\s().-]{0,2}\d){8,15}(?!\d)|(?<![\w.])00(?:[\s.-]?\d){10,13}(?![\d.])(?<=[\s.-]\d{1,6})/,
  },
  {
    id: "personal.phone-national",
    cut: { to: "number" },
    find: /\(\d{2,5}\)\s?\d{3,5}[\s.-]?\d{3,4}\b|(?<![\w.+-])(?:1[-. ])?\d{3}([-. ])\d{3}\1\d{4}(?![\w-])|(?<![\w.-])0\d{1,4}[ /-]\d{3,4}[ -]?\d{3,4}(?![\w-])|(?<![\w.-])0[1-9](?:([ .-])\d{2})(?:\2\d{2}){3}(?![\w-])|(?<![\w-])[6-9]\d{4}[ -]\d{5}(?![\w-])|(?<![\w-])\d{3}-\d{3,4}-\d{4}(?![\w-])/,
  },
  {
    id: "personal.phone-named",
    cut: { to: "number" },
    find: /\b(?:phone|tel|telephone|mobile|cell|sms|fax|whatsapp|msisdn|handset|caller|callback|telefon|téléphone|teléfono|handynummer)\b[^.\d+(]{0,24}[+(]?\d(?:[\s().-]{0,2}\d){6,14}(?!\d)/i,
  },
  {
    id: "personal.phone-other",
    cut: { to: "number" },
    find: /(?:手机|电话|電話|手機|携帯|전화|휴대|телефон|тел\.|هاتف|फ़ोन)[^\d]{0,12}\d(?:[\s-]{0,2}\d){6,14}/i,
  },
  {
    id: "personal.ssn",
    cut: { to: "number" },
    find: /(?<![\w-])(?:\d{3}|[*xX#]{3})-(?:\d{2}|[*xX#]{2})-\d{4}(?![\w-])/,
  },
  {
    id: "personal.card",
    cut: { to: "number" },
    find: /(?<![\w.+-])\d(?:[ -]?\d){12,18}(?![\w-])/g,
    confirm: ([number]) => isCardNumber(number),
  },
  {
    id: "personal.card-named",
    cut: { to: "number" },
    find: /\b(?:card|visa|mastercard|amex|maestro|karte|carte|tarjeta)\b[^.\d*]{0,30}(?:\d(?:[ -]?\d){12,18}\b|(?:ending|ends|ended)\s(?:in|with)\s\W?\d{4}\b|\d{4,6}[*xX•.]{2,}\d{2,4})|\b(?:cvv|cvc|cvv2)\b\W{1,3}\d{3,4}\b/i,
  },
  {
    id: "personal.iban",
    cut: { to: "number" },
    find: /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?\b/gi,
    confirm: ([account]) => isIban(account),
  },
  {
    id: "personal.account",
    cut: { to: "number" },
    find: /\b(?:account|acct|routing|sort code|iban|bic|swift|konto|kontonummer|bsb|aba)\b[^.\d]{0,20}(?:\d{2}-\d{2}-\d{2}|\d{3}-\d{3}|\d{6,17})(?![\w-])|\bsort code\b\W{0,3}\d{6}/i,
  },
  {
    id: "personal.birth",
    cut: { to: "statement" },
    find: /\b(?:born|dob|d\.o\.b\.?|date[ _]of[ _]birth|birth[ _]?da(?:te|y)|birthdate|geboren|geb\.|geburtsdatum|née? le|nacid[oa]|nacimiento|nat[oa] il|data di nascita)\b["']?[^.\d]{0,12}(?:\d{1,4}[-/. ]|\d{1,2}(?:st|nd|rd|th)? [A-Z])/i,
  },
  {
    id: "personal.aged",
    cut: { to: "match" },
    find: /\b[A-Z][a-z]{1,20} [A-Z][a-zA-Z'’-]{1,20},? \(?(?:aged?|born|m|f|dob)\b[ :,]{0,2}\d/,
  },
  {
    id: "personal.name",
    cut: { to: "name" },
    find: /\b(?:patient|employee|applicant|passenger|student|cardholder|account ?holder|beneficiary|recipient|policyholder|driver|guest|customer|claimant|borrower|tenant|donor):? /gi,
    confirm: ({ 0: noun, index, input }) => looksLikeName(input.slice(index + noun.length, index + noun.length + 48)),
  },
  {
    id: "personal.title",
    cut: { to: "name" },
    find: /\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau|Mme|Sra?)\.? [A-ZÀ-Þ][\wÀ-ÿ'’-]{2}/,
  },
  {
    id: "personal.name-member",
    cut: { to: "name" },
    find: /\b(?:first|last|full|given|family|sur|middle|maiden|customer|user|employee|patient|holder|owner|contact|display)[_ -]?name["']?\s?[=:]\s?["']?[A-ZÀ-Þ][a-zà-ÿ]/,
  },
  {
    id: "personal.street",
    cut: { to: "match" },
    find: /\b\d{1,5}[A-Za-z]?,? (?:[NSEW]\.? )?(?:[A-Z][\w'’.]{0,20} |\d{1,3}(?:st|nd|rd|th) ){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Square|Sq|Way|Terrace|Ter|Close|Crescent|Highway|Hwy|Parkway|Pkwy|Row|Alley|Plaza|Gardens|Grove|Mews|Broadway|Circle|Cir|Trail)\b|\bP\.? ?O\.? Box \d|\b(?:Apt|Suite|Flat|Unit)\.? #?\d{1,5}[A-Z]?,/,
  },
  {
    id: "personal.street-european",
    cut: { to: "match" },
    find: /[A-ZÀ-Þ][\wÀ-ÿ.-]{1,30}(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|damm|ufer|laan|straat|plein|gracht|kade|gatan|vägen|gade|vej|veien|katu)\s\d{1,4}|\b(?:[A-ZÀ-Þ][\wÀ-ÿ-]{1,20} )(?:Straße|Strasse|Str\.|Weg|Platz|Allee|Ring) \d{1,4}|\b\d{1,4}(?: ?(?:bis|ter))?,? (?:[Rr]ue|avenue|[Bb]oulevard|bd|place|[Cc]hemin|[Ii]mpasse|[Aa]ll.e|[Qq]uai|cours|route|Avenue|Place) (?:de|du|des|d|la|le|[A-ZÀ-Þ])|\b(?:Via|Viale|Piazza|Corso|Calle|C\/|Avenida|Av\.|Avda\.|Rua|Plaza|Paseo|Carrera|[Uu]l\.|ulica)\s[A-ZÀ-ÞА-Я][\wÀ-ÿА-я ]{1,40},? (?:n[.º°]{0,2} ?)?\d{1,5}/,
  },
  {
    id: "personal.street-asian",
    cut: { to: "match" },
    find: /〒\s?\d{3}-?\d{4}|[路街道巷弄]\d{1,5}[号號]|[区町村丁目]\d{1,4}(?:丁目|[-−]\d{1,4})|(?:로|길) \d{1,4}(?:번지|-\d)/,
  },
  {
    id: "personal.postcode",
    cut: { to: "match" },
    find: /\b(?:GIR 0AA|[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2})\b|, (?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|I[ADL]|K[SY]|LA|M[ADINOST]|N[CDEHJMVY]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]) \d{5}(?:-\d{4})?\b/,
  },
  {
    id: "personal.national-id",
    cut: { to: "number" },
    find: /\b\d{3}\.\d{3}\.\d{3}-\d{2}\b|\b\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}\b|\b[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b|\b[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d\b|(?<![\w-])\d{8}-?[TRWAGMYFPDXBNJZSQVHLCKE](?![\w-])|(?<![\w-])[XYZ]-?\d{7}-?[A-Z](?![\w-])|(?<![\w-])[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z](?![\w-])|(?<![\w.-])[2-9]\d{3} \d{4} \d{4}(?![\w-]| \d)|\b756\.\d{4}\.\d{4}\.\d{2}\b|(?<![\w.])[12] \d{2} (?:0[1-9]|1[0-2]) \d{2} \d{3} \d{3}(?: \d{2})?\b|(?<![\w-])\d{6}-[1-8]\d{6}(?![\w-])|(?<![\w-])[STFGM]\d{7}[A-Z](?![\w-])|\b[A-Z]{1,2}\d{6}\([0-9A]\)|(?<![\w-])[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![\w-])/,
  },
  {
    id: "personal.citizen-number",
    cut: { to: "number" },
    find: /(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\d)/g,
    confirm: ([number]) => isCitizenNumber(number),
  },
  {
    id: "personal.id-named",
    cut: { to: "number" },
    find: /\b(?:passport|nino|ssn|sin|social (?:security|insurance)|national (?:id|insurance|identity)|identity card|id card|driver'?s?(?:'s)? licen[cs]e|driving licen[cs]e|licen[cs]e plate|number plate|registration plate|tax(?:payer)? ?(?:id|number|reference|file)|itin|ein|tin|vat|utr|nhs|medicare|aadhaar|pan|cpf|cnpj|curp|dni|nie|nif|bsn|pesel|nip|tfn|ahv|steuer-?id|steuernummer|personalausweis|codice fiscale|hetu|personnummer|cpr|rrn|my ?number|nric|hkid|nik|cnic|oib|egn|jmbg|cnp|snils|mrn|medical record|member(?:ship)? (?:no|number|id)|insurance (?:no|number|id)|policy (?:no|number)|health card|employee (?:no|number|id)|badge|imei|imsi|iccid|vin)\b[^\d\n]{0,24}?([A-Z0-9][A-Z0-9 .\\/-]{4,24})/gi,
    confirm: (match) => (match[1] ?? "").replace(/\D/g, "").length >= 5,
  },
  {
    id: "personal.plate",
    cut: { to: "number" },
    find: /\b(?:[Ll]icen[cs]e plate|[Nn]umber plate|[Kk]ennzeichen|[Ii]mmatriculation|[Mm]atr[ií]cula|[Tt]arga|[Pp]late)\b\D{0,10}?[A-Z0-9]{1,4}[- ]?[A-Z0-9]{1,4}[- ]?\d{1,4}/,
  },
  { id: "personal.travel-document", cut: { to: "token" }, find: /[A-Z]<[A-Z]{3}[A-Z]{1,30}<<|[A-Z0-9]<{3}/ },
  {
    id: "personal.id-foreign",
    cut: { to: "number" },
    find: /(?:инн|снилс|паспорт|身份证|護照|护照|マイナンバー|주민등록|هوية)[^\d]{0,16}\d(?:[\s-]?\d){5,}/i,
  },
  {
    id: "personal.geo",
    cut: { to: "match" },
    find: /-?\d{1,3}\.\d{3,}°?\s?[NS]?\s?[,;/ ]\s?-?\d{1,3}\.\d{4,}|\blat(?:itude)?["']?\s?[=:]\s?-?\d{1,2}\.\d{4,}|\d{1,3}°\s?\d{1,2}['′]/,
  },
  {
    id: "personal.health",
    cut: { to: "statement" },
    find: /\b(?:diagnos(?:is|ed)|hiv|blood type|prescription)\b["']?\s?(?:[:=]|with)\s?["']?[A-Za-z]|\bICD-?(?:9|10|11)?\b.{0,6}\b[A-Z]\d{2}/i,
  },
  {
    id: "personal.device",
    cut: { to: "number" },
    find: /(?<![\w:-])(?:[0-9a-f]{2}:){5}[0-9a-f]{2}(?![\w:-])|(?<![\w:-])(?:[0-9a-f]{2}-){5}[0-9a-f]{2}(?![\w:-])|\b[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}\b/i,
  },
] as const satisfies readonly PatternRule[];

// Words after such a noun that show that it is not a person, as in "Customer Support Team".
const TITLES = new Set(
  "Account Accounts Api Area Association Care Center Centre Code Data Database Department Desk Details Email Endpoint Field Form Group Help Id Identifier Info Information Limit List Management Manager Name Not Number Object Page Policy Portal Profile Record Records Relations Role Schema Section Service Services Settings Status Success Support System Table Team Tool API ID URL Type View".split(
    " ",
  ),
);

const NAME_START = /* @__PURE__ */ latePattern(
  String.raw`^(?:\p{Lu}\p{L}{0,20}[.,]? ){1,2}(\p{Lu}[\p{L}'’-]{1,20})`,
  "u",
);

function looksLikeName(text: string): boolean {
  const [, last = ""] = NAME_START().exec(text) ?? [];
  return last !== "" && !TITLES.has(last);
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = digits.length - 1, doubled = false; i >= 0; i--, doubled = !doubled) {
    const digit = digits.charCodeAt(i) - 48;
    sum += doubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

/**
 * Tells whether digits, grouped or not, are the number of a payment card or of a device.
 *
 * Plain runs of 8, 12, 13, 14, 17 and 18 digits are GS1 keys far more often than cards.
 */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  if (digits.length < 13 || digits.length > 19 || /^(\d)\1*$/.test(digits) || !passesLuhn(digits)) return false;
  if (text.length > digits.length) return /^[2-6]/.test(digits) && GROUPED.test(text);
  return digits.length === 15 || ((digits.length === 16 || digits.length === 19) && /^[2-689]/.test(digits));
}

const GROUPED = /^\d{4}([ -])(?:\d{4}\1\d{4}\1\d{1,4}(?:\1\d{3})?|\d{6}\1\d{4,5})$/;

export function isCitizenNumber(text: string): boolean {
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = weights.reduce((total, weight, i) => total + weight * (text.charCodeAt(i) - 48), 0);
  return "10X98765432".charAt(sum % 11) === text.charAt(17).toUpperCase();
}

export function isIban(text: string): boolean {
  const compact = text.replace(/[ -]/g, "").toUpperCase();
  return IBAN_LENGTHS.get(compact.slice(0, 2)) === compact.length;
}

const IBAN_LENGTHS = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 " +
    "GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 " +
    "MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 " +
    "VA22 VG24 XK20"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
);
