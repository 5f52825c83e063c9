import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { registerSecrets } from "../../src/index.ts";
import { readCallerTexts } from "../../src/safety/caller-texts.ts";
import { cutText } from "../../src/safety/cut-text.ts";

// Adding arguments to a call never makes more of a secret visible that the caller did not send whole.

const REGISTERED = "Winter-Palace-77";
afterAll(registerSecrets(REGISTERED));

const alphabet = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const ALNUM = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;
const random = (min: number, max: number) => alphabet(ALNUM, min, max).map((body) => `${body}q7X`);
const word = fc.constantFrom(
  ..."swordfish ledger horse battery staple zebra correct kestrel letter status open report marmalade gateway weather".split(
    " ",
  ),
);
const password = fc.oneof(
  random(3, 14),
  word,
  fc.tuple(word, fc.nat(99)).map(([one, number]) => `${one}${number}`),
  fc.array(word, { minLength: 2, maxLength: 5 }).map((words) => words.join(" ")),
  fc.array(random(2, 6), { minLength: 2, maxLength: 4 }).map((words) => words.join(" ")),
  fc
    .tuple(random(2, 6), fc.constantFrom("'", '"', "-", ".", "=", ":", "/", "%41", "\u200b"), random(2, 6))
    .map((parts) => parts.join("")),
);
const folder = fc.constantFrom("srv", "etc", "home/ann", "var/lib", "opt/app", "tmp/My Files", "Users/ann");
const path = fc.tuple(folder, random(2, 8), fc.constantFrom("", ".yaml", ".pem", "/id_rsa", " copy.txt"));

/** Sentences with a secret, which stands where `@` is. */
const planted = fc.oneof(
  fc.tuple(fc.constant(REGISTERED), fc.constantFrom("The key @ is wrong.", "@", "Login as ann with @ failed")),
  fc.tuple(
    password,
    fc.constantFrom(
      "The password is @",
      "password=@",
      "password: @",
      "Wrong password @ for ann",
      "secret = '@'",
      '{"password":"@","user":"ann"}',
      "The passphrase was @.",
      "login --password=@ failed",
      "пароль @",
      "Passwort: @",
      "The OTP @ has expired",
    ),
  ),
  fc.tuple(
    fc
      .tuple(fc.constantFrom("ghp_", "sk-proj-", "AKIA", "xoxb-", "glpat-"), random(18, 30))
      .map((parts) => parts.join("")),
    fc.constantFrom("Bad token @", "Authorization: Bearer @", "@ is revoked", "key=@"),
  ),
  fc.tuple(
    fc.tuple(random(8, 20), random(8, 20), random(8, 20)).map((parts) => `eyJ${parts.join(".eyJ")}`),
    fc.constantFrom("jwt @ has expired", "Bearer @", "@"),
  ),
  fc.tuple(
    fc
      .tuple(fc.constantFrom("postgres", "redis", "https", "amqp"), word, random(3, 9), word)
      .map(([scheme, user, secret, host]) => `${scheme}://${user}:${secret}@${host}.internal/x`),
    fc.constantFrom("Cannot connect to @", "@ is down", "dsn=@"),
  ),
  fc.tuple(
    fc.oneof(
      fc.tuple(word, fc.nat(99)).map(([name, n]) => `${name}-${n}`),
      word.map((name) => `${name}.corp.internal`),
      fc.ipV4(),
    ),
    fc.constantFrom("connect ECONNREFUSED @", "getaddrinfo ENOTFOUND @", "dial tcp @: i/o timeout", "Server @ is down"),
  ),
  fc.tuple(
    word,
    fc.constantFrom(
      "connect ECONNREFUSED @x",
      'relation "@" does not exist',
      "no such table: @y",
      "table @ does not exist",
      "Duplicate entry '@' for key 'name'",
      'column "@" of relation "orders" does not exist',
      "Unknown database '@'",
      "FATAL: role @ does not exist",
      "TypeError: @ is not a function",
      "SELECT * FROM @",
      "host: @",
      "tenant '@-7' is suspended",
    ),
  ),
  fc.tuple(
    fc.constantFrom("Ann Lee", "Jean-Luc Picard", "Hans Meier"),
    fc.constantFrom(
      "Patient @ was seen",
      "Customer: @ has no orders",
      "Dr. @ is away",
      "first_name: @",
      "@, born 1970-01-01",
    ),
  ),
  fc.tuple(
    fc.integer({ min: 10_000, max: 99_999_999 }).map(String),
    fc.constantFrom(
      "user_id=@",
      "account @ is locked",
      "passport @ has expired",
      "row @ is locked",
      "phone 0@",
      "SSN: @",
    ),
  ),
  fc.tuple(
    path.map(([start, name, end]) => `/${start}/${name}${end}`),
    fc.constantFrom(
      "Cannot open @",
      "ENOENT: no such file or directory, open '@'",
      "@: permission denied",
      "@ is missing",
    ),
  ),
  fc.tuple(
    fc.tuple(word, random(1, 4)).map(([name, more]) => `${name}.${more}@corp.example`),
    fc.constantFrom("Sent to @", "<@> is unknown", "mailto:@", "User @ exists", 'got {"email":"@"}'),
  ),
  fc.tuple(
    fc.constantFrom("4111 1111 1111 1111", "+49 30 9018 2044", "GB29 NWBK 6016 1331 9268 19"),
    fc.constantFrom("Card @ declined", "@", "call @ now"),
  ),
);

/** What stands around the sentence: often a value that the caller did send. */
const OWN = ["/home/eve/report.pdf", "eve@example.org", "10.1.2.3", "SELECT * FROM mine", "ECONNRESET", "eve"];
const around = fc.constantFrom("@", ...OWN.flatMap((own) => [`${own}: @`, `No ${own}. @`, `@ (${own})`, `@\n${own}`]));

type Plant = readonly [secret: string, text: string, sentence: string];
const plant: fc.Arbitrary<Plant> = fc.tuple(planted, around).map(([[secret, sentence], frame]) => {
  // Split and join, since a replacement may contain signs that mean something.
  const said = sentence.split("@").join(secret);
  return [secret, frame.split("@").join(said), said] as const;
});

/** Arguments made of the text itself, as a caller would who knows all of it but the secret. */
function argumentsFor([secret, text]: Plant): fc.Arbitrary<readonly string[]> {
  const at = text.indexOf(secret);
  const cuts = [
    text.slice(0, at),
    text.slice(at + secret.length),
    text.split(secret).join(""),
    secret.slice(1),
    secret.slice(0, -1),
    ...secret.split(/[\s./:@=-]/),
    ...text.split(/\s+/),
    ...text.split("\n"),
    secret.toUpperCase(),
    ...OWN,
  ];
  const part = fc
    .tuple(fc.nat(text.length), fc.nat(text.length))
    .map(([a, b]) => text.slice(Math.min(a, b), Math.max(a, b)));
  const half = fc.nat(secret.length).map((end) => text.slice(0, at + end));
  return fc
    .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...cuts) }, part, half, fc.string()), { maxLength: 12 })
    .map((args) => args.filter((arg) => !arg.toLowerCase().includes(secret.toLowerCase())));
}

it("holds for planted secrets and arguments of all kinds", () => {
  const seen = { hidden: 0, excused: 0 };
  const show = (text: string, callerTexts?: readonly string[]) => cutText(text, { callerTexts }).text;
  fc.assert(
    fc.property(
      plant.chain((planting) => fc.tuple(fc.constant(planting), argumentsFor(planting))),
      ([[secret, text, sentence], args]) => {
        // What is shown alone is no secret: a statement of SQL before it hid the rest of the line.
        if (show(text).includes(secret) || show(sentence).includes(secret)) return;
        seen.hidden++;
        const callerTexts = readCallerTexts(args);
        const known = [show(text), show(sentence), ...callerTexts].join(" ").toLowerCase();
        // A part that the caller sent as a whole may be repeated; the other parts of the secret stay away.
        const repeated = secret.split(/\s+/).every((part) => known.includes(part.toLowerCase()));
        if (!repeated) expect(show(text, callerTexts), `${secret} in ${text}`).not.toContain(secret);
        if (show(text, callerTexts) !== show(text)) seen.excused++;
      },
    ),
    { numRuns: runs(5000) },
  );
  expect(seen.hidden).toBeGreaterThan(runs(5000) / 4);
  expect(seen.excused).toBeGreaterThan(0);
});
