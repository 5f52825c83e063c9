import {
  alphabet,
  chars,
  digits,
  filled,
  grouped,
  joined,
  type LeakTable,
  type Maker,
  mapped,
  toIban,
  weightedSum,
  withLuhn,
} from "./values.ts";

const DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
const CN_CHECK = "10X98765432";
const CN_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

const card = (prefix: string, length: number): Maker =>
  mapped(joined(prefix, digits(length - prefix.length - 1)), withLuhn);
const account = (country: string, length: number): Maker => mapped(digits(length), (value) => toIban(country, value));
const dni = mapped(digits(8), (value) => value + DNI_LETTERS.charAt(Number(value) % 23));
const pesel = mapped(joined("84", "03", "17", digits(4)), (value) => {
  return value + ((10 - (weightedSum(value, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10);
});
const residentId = mapped(joined("110101", "19840317", digits(3)), (value) => {
  return value + CN_CHECK.charAt(weightedSum(value, CN_WEIGHTS) % 11);
});
const cpf = mapped(digits(9), (value) => {
  const next = (body: string) => {
    const weights = Array.from({ length: body.length }, (_, index) => body.length + 1 - index);
    return body + (((weightedSum(body, weights) * 10) % 11) % 10);
  };
  return next(next(value)).replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, "$1.$2.$3-$4");
});

/** Personal data: reserved names, domains and numbers, and generated ones with the right check digit. */
export const pii = {
  email: ["No account for jane.roe+test@example.org", "jane.roe"],
  "email-unicode": ["Kein Konto für jürgen.groß@bücher.example", "jürgen.groß"],
  "email-quoted": ['550 5.1.1 <"jane roe"@example.org>: Recipient address rejected', "jane roe"],
  "email-spelled-out": ["please ask jane dot roe at example dot org", "jane dot roe"],
  "email-in-url": ["unsubscribe failed for https://news.example/u?e=jane.roe%40example.org", "jane.roe%40example.org"],
  "phone-e164": ["SMS to +14155550137 failed", "4155550137"],
  "phone-us": ["call (415) 555-0142 was not answered", "555-0142"],
  "phone-uk": ["callback number (020) 7946 0958 unreachable", "7946 0958"],
  "phone-de": ["Anruf an +49 30 23125 148 nicht zugestellt", "23125 148"],
  "phone-fr": ["numéro 06 39 98 17 42 injoignable", "39 98 17 42"],
  "phone-jp": ["090-1234-5678 に発信できません", "1234-5678"],
  "us-ssn": ["applicant 078-05-1120 rejected", "078-05-1120"],
  "us-ssn-bare": ["ssn=078051120 already enrolled", "078051120"],
  "us-driver-licence": ["driver license D1234562 (CA) is suspended", "D1234562"],
  "uk-nino": ["NINO QQ 12 34 56 C invalid", "QQ 12 34 56 C"],
  "uk-nhs": ["NHS number 943 476 5919 not on the spine", "943 476 5919"],
  "es-dni": filled("El DNI {0} no figura en el padrón", [dni]),
  "fr-nir": ["numéro de sécurité sociale 2 84 03 75 116 042 18 inconnu", "2 84 03 75 116 042"],
  "it-codice-fiscale": ["codice fiscale RSSMRA84C17H501K non valido", "RSSMRA84C17H501K"],
  "de-tax-id": filled("Steuer-ID {0} ist gesperrt", [digits(11)]),
  "nl-bsn": filled("BSN {0} komt niet voor", [digits(9)]),
  "pl-pesel": filled("PESEL {0} jest zastrzeżony", [pesel]),
  "se-personnummer": filled("personnummer 840317-{0} saknas", [digits(4)], "840317-"),
  "br-cpf": filled("CPF {0} bloqueado", [cpf]),
  "in-aadhaar": filled("Aadhaar {0} could not be verified", [mapped(digits(12), (value) => grouped(value, 4))]),
  "in-pan": filled("PAN {0} is inoperative", [
    joined(chars(3, alphabet.upper), "P", chars(1, alphabet.upper), digits(4), "F"),
  ]),
  "cn-resident-id": filled("身份证号 {0} 校验失败", [residentId]),
  "kr-rrn": filled("주민등록번호 840317-2{0} 확인 불가", [digits(6)]),
  passport: ["passport no. X1234567Z expired", "X1234567Z"],
  "passport-mrz": ["MRZ check failed: P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "ERIKSSON<<ANNA<MARIA"],
  "card-visa": filled("card {0} declined", [card("4", 16)]),
  "card-spaced": filled("card {0} declined", [mapped(card("53", 16), (value) => grouped(value, 4))]),
  "card-dashed": filled("card {0} reported lost", [mapped(card("6011", 16), (value) => grouped(value, 4, "-"))]),
  "card-amex": filled("amex {0} expired", [card("37", 15)]),
  "card-first-six-last-four": filled("card {0}******{1} declined", [joined("4", digits(5)), digits(4)]),
  "card-verification": filled("cvv 737, exp 09/29 did not match for {0}", [card("51", 16)], "cvv 737"),
  "iban-de": filled("payout to {0} failed", [account("DE", 18)]),
  "iban-fr-grouped": filled("virement vers {0} refusé", [mapped(account("FR", 23), (value) => grouped(value, 4))]),
  "us-routing-account": filled("ACH return R03: routing 021000021 account {0}", [digits(10)]),
  "name-birth-date": ["patient Johanna Mustermann, born 1984-03-17, not found", "Johanna Mustermann", "1984-03-17"],
  "name-chinese": ["用户欧阳小明（手机 13800138000）不存在", "欧阳小明", "13800138000"],
  "name-arabic": ["لم يتم العثور على المريضة فاطمة الزهراء", "فاطمة الزهراء"],
  street: ["cannot deliver to 221B Example Street, Springfield 90210", "221B Example Street"],
  "street-de": ["Zustellung an Musterstraße 12a, 10115 Berlin fehlgeschlagen", "Musterstraße 12a"],
  "street-jp": ["〒100-8111 東京都千代田区千代田1-1 に配達できません", "千代田区千代田1-1"],
  "public-ipv4": ["blocked request from 203.0.113.77", "203.0.113.77"],
  "public-ipv6": ["blocked request from 2001:db8:85a3::8a2e:370:7334", "2001:db8:85a3"],
  "forwarded-for": ["X-Forwarded-For: 198.51.100.23, 203.0.113.9", "198.51.100.23", "203.0.113.9"],
  "geo-position": ["driver at 52.520008, 13.404954 offline", "52.520008"],
  mac: ["device 00:1A:2B:3C:4D:5E not paired", "00:1A:2B:3C:4D:5E"],
  imei: filled("IMEI {0} blacklisted", [mapped(joined("35", digits(12)), withLuhn)]),
  vin: ["VIN 1M8GDM9AXKP042788 belongs to another owner", "1M8GDM9AXKP042788"],
  "licence-plate": ["Kennzeichen B-MU 4711 nicht zugelassen", "B-MU 4711"],
  health: ["Jane Roe: ICD-10 F32.1, sertraline 50 mg - claim denied", "Jane Roe", "F32.1"],
  payroll: ["salary of 84,250.00 for employee M. Mustermann exceeds the band", "Mustermann", "84,250.00"],
} satisfies LeakTable;
