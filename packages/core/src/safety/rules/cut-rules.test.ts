import { expect, it } from "vitest";
import { CUT_RULES } from "./cut-rules.ts";
import { RULE_GROUPS } from "./rule.ts";

// Joined here, so that no scanner takes a line of this file for a leaked key.
const join = (...parts: readonly string[]) => parts.join("");

/** For each rule one text that it stops, and one near it that it lets pass. */
const EXAMPLES: Readonly<Record<string, readonly [stops: string, passes: string]>> = {
  "credential.key-block": ["-----BEGIN PRIVATE KEY-----", "the file begins with BEGIN PRIVATE KEY"],
  "credential.jwt": ["jwt eyJhbGciOiJI expired", "the JWT has expired"],
  "credential.vendor-token": [join("bad key gh", "p_a1b2c3d4e5"), "keys start with ghp_ or github_pat_"],
  "credential.opaque": ["got aB3dE5gH7jK9mN1p", "got getProductByIdentifier"],
  "credential.letters": ["got qwrtpsdfghjklzxcvbnmqwrtp", "otorhinolaryngologically speaking"],
  "credential.scheme": ["Bearer abc12345 failed", "Bearer tokens expire"],
  "credential.header": ["Cookie: sid=8a7b", "Authorization: Bearer <token>"],
  "credential.hash": ["hash $2b$12$abcdefgh", "costs $2 or $12"],
  "credential.ldap-hash": ["{SSHA}abcdefgh12", "{SSHA} is not supported"],
  "credential.password-shape": ["tried Abc!defg12 twice", "tried abc!defg twice"],
  "credential.masked": ["key ab****cd", "use **bold** text"],
  "credential.userinfo": ["app:hunter2@db", "at 10:30 @ noon"],
  "credential.connection-string": ["Data Source=erp1;", "the data source is empty"],
  "credential.phrase": ["passphrase: correct horse battery", "password: must be long enough"],
  "credential.quoted": ["the token you sent (abc12345x) is old", "the token (see docs) is old"],
  "credential.groups": ["license 4T687-6BQEU-K5LTJ-LNWW9", "SKU AB12-CD34 is out of stock"],
  "credential.leet": ["tried Sup3rS3cret", "OAuth2Client"],
  "credential.words": ["opened by correct-zebra-anvil-mosaic-tundra", "a state-of-the-art report"],
  "credential.spelled": ["it reads D g L o 5 A a L S 9 I S", "choose a b c d or e"],
  "credential.char-codes": ["[70, 84, 72, 66, 33, 115, 49, 72]", "[10, 20, 30, 40, 50, 60, 70, 80]"],
  "credential.assigned": ["password=hunter2", "token_type=bearer"],
  "credential.member": ['{"api_key": "abcd"}', '{"token_type": "bearer"}'],
  "credential.labelled": ["the password is hunter2", "the password is required"],
  "credential.labelled-foreign": ["пароль: hunter2", "密码必须至少包含8个字符"],
  "credential.prose": ["admin pass Adm1nX", "the boarding pass AB123"],
  "credential.flag": ["--token=abcd", "use --token to sign in"],
  "personal.email": ["no account jane.roe@mail.example.org", "package react@19.1.0"],
  "personal.email-spelled": ["jane (at) example", "jane at noon"],
  "personal.phone": ["SMS to +14155550137 failed", "UTC+02:00"],
  "personal.phone-national": ["call (020) 7946 0958", "from 2026-01-31 to 2026-02-28"],
  "personal.phone-named": ["phone 5550137999 is blocked", "phone must have 7 to 15 digits"],
  "personal.phone-other": ["手机 13800138000 不存在", "手机号必须是11位"],
  "personal.ssn": ["applicant 078-05-1120", "part 078-05-11201"],
  "personal.card": ["card 4111111111111111", "GTIN 4006381333931"],
  "personal.card-named": ["card ending in 4242", "card number must have 13 to 19 digits"],
  "personal.iban": ["to DE89370400440532013000", "to DE8937040044053201300"],
  "personal.account": ["account 12345678 is closed", "the account is closed"],
  "personal.birth": ["born 1984-03-17", "date of birth must be in the past"],
  "personal.aged": ["Jane Roe, aged 42", "In Progress (21)"],
  "personal.name": ["patient Johanna Mustermann", "Customer Support Team"],
  "personal.title": ["Dr. Weber is away", "Drum kits"],
  "personal.name-member": ["last_name: Roe", "last_name: must be a string"],
  "personal.street": ["221 Example Street", "5 Items Total"],
  "personal.street-european": ["Lindenstraße 12", "Straßenbahn 12"],
  "personal.street-asian": ["中山路12号", "第12号"],
  "personal.postcode": ["in SW1A 1AA", "in SW1A"],
  "personal.national-id": ["CPF 123.456.789-09", "12.345.678"],
  "personal.citizen-number": ["11010519491231002X", "110105194912310021"],
  "personal.id-named": ["passport no. X1234567Z", "passport number is required"],
  "personal.plate": ["Kennzeichen B-MU 4711", "Kennzeichen fehlt"],
  "personal.travel-document": ["P<UTOERIKSSON<<ANNA", "a < b"],
  "personal.id-foreign": ["паспорт 4510 123456", "паспорт не найден"],
  "personal.geo": ["at 52.5200, 13.4049", "between -90.0 and 90.0"],
  "personal.health": ["diagnosed with asthma", "diagnosis is required"],
  "personal.device": ["00:1a:2b:3c:4d:5e", "00:11:22"],
  "url.scheme": ["redis://cache", "resource://cache"],
  "url.private": ["http://admin.corp.local/x", "https://docs.example.com/x"],
  "url.userinfo": ["https://me@example.com", "https://example.com/@me"],
  "url.webhook": ["hooks.slack.com/services", "slack.com/help"],
  "url.query": ["?access_token=ab12", "?page=2&sort=name"],
  "url.path-token": ["https://a.example/x/aB3dE5gH7jK9mN1p", "https://a.example/docs/getting-started"],
  "host.internal-name": ["orders.svc.cluster.local", "order.customer.email"],
  "host.cloud-name": ["x.rds.amazonaws.com", "docs.aws.amazon.com"],
  "host.service-port": ["redis-master:6379", "timeout:5000"],
  "host.resolve": ["connected to web03", "reach step-3"],
  "host.compute": ["ip-10-0-1-23", "ip-address"],
  "path.posix": ["open /etc/passwd", "/items/0/etc"],
  "path.file": ["open /acme/conf/x.toml", "/vercel/next.js"],
  "path.denied": ["/data/secrets/key: permission denied", "/data/secrets/key: must be a string"],
  "path.home": ["read ~/notes", "approx ~5"],
  "path.windows": ["C:\\inetpub\\x", "ratio a:b"],
  "path.unc": ["\\\\FILESRV01\\payroll", "\\d{4}\\w"],
  "database.statement": ["SELECT a FROM users", "Only SELECT statements are allowed"],
  "database.statement-lower": ["select a, b from users", "select a project from the list"],
  "provider.arn": ["arn:aws:iam", "barn: full"],
  "provider.resource": ["projects/acme-1/secrets", "projects/{id}/tasks"],
  "hostile.chat-token": ["<|im_start|>", "a <| b"],
  "host.ipv4": ["from 203.0.113.77", "version 10.0.19041.1"],
  "host.ipv6": ["peer fd12:3456::10", "at 10:30:00"],
  "credential.distant": ["The password of the service account is Rain-Bow-88", "The password must be longer"],
  "credential.passphrase": ['passphrase "correct horse battery"', 'passphrase "x"'],
  "credential.foreign": ["senha: Rain-Bow-88", "senha incorreta"],
  "credential.identified": ["IDENTIFIED BY 'tulip'", "identified by its number"],
  "credential.pair": ["login as svc / rainbow88", "login / logout"],
  "credential.fields": ["db:5432:shop:app:tulip", "at 10:30:15"],
  "credential.auth": ["AUTH default tulip2024", "AUTH is required"],
  "credential.one-time": ["verification code is 123 456", "verification code has 6 digits"],
  "credential.option": ["mysqldump -pKt5walnut", "mkdir -p build"],
  "credential.pair-option": ["curl -u ann:tulip", "curl -u ann"],
};

/** Of two rules with the same id, the second finds more. */
const RULES = new Map(CUT_RULES.map((rule) => [rule.id as string, rule]));

function fires(id: string, text: string): boolean {
  const rule = RULES.get(id);
  return Array.from(text.matchAll(rule?.find ?? /$/g)).some((match) => rule?.confirm?.(match) ?? true);
}

it.each(Object.entries(EXAMPLES))("%s stops its example and lets its neighbour pass", (id, [stops, passes]) => {
  expect([fires(id, stops), fires(id, passes)]).toEqual([true, false]);
});

it("has an example for each rule", () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual([...RULES.keys()].sort());
});

it("has names that begin with their group", () => {
  expect(CUT_RULES.filter((rule) => !RULE_GROUPS.some((group) => rule.id.startsWith(`${group}.`)))).toEqual([]);
});
