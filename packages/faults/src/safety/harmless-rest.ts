import { isProse } from "./rules/credentials.ts";
import { latePattern } from "./rules/rule.ts";

/** Ordinary words of sentences about failures. None of them is anybody's name, and no sensible secret consists of them. */
const PLAIN_WORDS = new Set(
  (
    "a aadhaar aba abort about above absolute accept access account acct across act activate active actual " +
    "adapter add address admin adresse advance after again against aggregate ago agree ahv alert alias all allow " +
    "allowlist almost alone along already also alternative although always am amex among amount an analysis and " +
    "annotation announce anonymous another another's answer any anymore anyone anything api app appear append " +
    "applicant applied appointment approval approve april archive archivo are area aren argument around arquivo " +
    "array article as asin ask assert asset assign assignee associate at attach attempt attend attribute audio " +
    "auf august authentication author auto available average avoid awaiting away back backup bad badge balance " +
    "bank bar barcode bare base basic batch be because become been before began begin behind being belong below " +
    "beneficiary benutzer bereits bestand between beyond bic big bigger bill binding birth bitrate blank block " +
    "blocklist board body book bookmark born borrower both bound box bracket branch break bring broad broadcast " +
    "broke broken broker browser bsb bsn bucket buffer build bulk business busy but button by byte cache " +
    "calculate calendar call callback caller came camera campaign can can't cancel cancelled cancelling " +
    "candidate cannot canonical capacity capital caption capture car cardholder carrier carry cart case catalog " +
    "catalogue category cause cell center certificate chain change channel chapter character charge chart check " +
    "checksum child choice choose chose city claim claimant class clean clear cli click client clock clone close " +
    "cluster cm cname cnpj co code codec collect colon color colour column combine come comma command comment " +
    "commit common company compare comparison compatible compile complete component compute concurrent condition " +
    "config configuration configured confirm conflict connect connector consent consist constraint consume " +
    "contact contain content context continue contract control conversation conversion convert cookie coordinate " +
    "copy correct correo corrupt cost could couldn count country coupon course cover cpf cpu crawl create credit " +
    "criteria cron cross csv curp currency current cursor customer cut cycle d da daily das dash dashboard data " +
    "database dataset date datei day de deadline deal debit debt december decide decimal declare decline decode " +
    "decoded decrypted default define degree delete deliver delivery demand denied denies deny department " +
    "depend dependency " +
    "deploy deposit depot deprecate depth der derive describe description design desk destination detail detect " +
    "develop device diagram dialect did didn die diff different digest digit dimension direct directory disable " +
    "disallow discount disk dismiss dispatch display dispute distance divide dni dns do doc document does doesn " +
    "doi domain don done donor dot double down download draft drawn drive drop dry due dump duplicate duration " +
    "during duty déjà e each ean early edit editor een effect eight ein eine either el element else elsewhere " +
    "email employ employee empty enable encode encontrado encontró encrypt end endpoint engage engine english " +
    "enlarge enough enrol enroll ensure enter entire entity entry environment episode equal equipment error est " +
    "estimate et eu eur evaluate even event ever every everyone everything exact example exceed except exchange " +
    "exclude execute exist existe existiert expand expect expense expire explain export expose express extension " +
    "external extra extract factor fail failure false far fault favorite fax feature february fee fell felt " +
    "fetch few fichier field fifth figure file fill filter final finance find finish first fit five fix flag " +
    "flat flight float floor flow focus foi folder follow font footer for forbidden force forecast foreign fork " +
    "form format forward found four fraction frame free freeze frequency fresh friday from front ftp fulfil " +
    "fulfill full function further future gallery game gap gate gateway gave gb gbp gebruiker gefunden gender " +
    "general geocode get getting gevonden give given già global gmt go goal good goods got grade grant graph " +
    "graphic greater grew grid gross group grow gtin guess guest guide had hadn half hand handle handset " +
    "handshake happen hard hardware has hash hasn have haven he head hear height held hello help her here het " +
    "hex hidden high historic history hit hits hold holiday home horizontal host hotel hour household how " +
    "however html http human hyphen i iata iban ical icao iccid icon ics id identifier identity idle ids if " +
    "ignore il illegal im image imei immediate immutable import impossible improve imsi in inactive inbound " +
    "inbox incident include income incomplete incorrect increase indent index individual industry infer inform " +
    "inherit initial inner input insert inside install instance instead instruct instrument insurance integer " +
    "integration intend interest interface intern international interpret interrupt interval into introduce " +
    "invalid invalide inventory invest investigate invite invoice involve inválido ip is isbn isin isn iso issn " +
    "issue ist it item iterate itin its january job join json july june jurisdiction just kann kb keep kein " +
    "keine kept key keyboard keyword kg kind km knew know knowledge known konnte konto la label lambda landing " +
    "landline lane language large last lat late latest latin latitude launch layer le lead learn lease least " +
    "leave left legal length les lesson let letter level library license life lift light like limit line link " +
    "list literal live ll lng lo load loan local locale locate lock log login logo long longitude look lookup " +
    "loop los lost lot low m mac machine made maestro mail mailbox main maintain maintenance make malformed " +
    "manage mandate manifest manual many map march margin mark markdown market markup master mastercard match " +
    "material math maximum may mb me mean meant measure media medicare medium meet member memory mention menu " +
    "merchant merge message met metadata method metric middle might migrate mileage millisecond mime minimum " +
    "minor minus minute mirror mismatch miss mistake mit mixed mm mobile mode model modified modify module " +
    "moment monday money monitor month more most mount move mrn msisdn much multi multiple must mute mx my n " +
    "name namespace national native navigate ne near nearest necessary need negative neither network never new " +
    "newline next nhs nicht nie niet nif nine nino nip no nobody node non none nonempty nor not note notebook " +
    "nothing notice notification notify november now nowhere null number numeral numeric nummer não o object " +
    "observe obsolete obtain occupy occur october odd oder of off office offline often ok old on once one " +
    "ongoing only onto open operation operator opportunity opposite option optional or orcid order ordner " +
    "organisation organization orient origin original other otherwise ou our out outage outbound outdated output " +
    "outside over overdue overflow overlap overlapping overwrite own package packet pad page paid pair pan panel " +
    "paper paragraph parallel parameter parcel parent parse part partial participant partner party pas passenger " +
    "passport patch path patient pattern pause pay pdf peer penalty pending people per percent perform period " +
    "permanent permission permit permitted person pesel phase phone photo phrase physical pick picture piece pin " +
    "ping pipe pipeline pixel place plain plan plate platform play playlist please plot plugin plus pm png pnr " +
    "po pod podcast point policy policyholder poll pool port portal portfolio position positive possible post " +
    "postal postcode power pr practice pre precede precision predict prefer prefix premium prepare present " +
    "preserve press prevent preview previous price primary principal print priority private probe problem " +
    "procedure proceed process produce product profile profit program progress prohibit project prompt proof " +
    "property protect protocol prove provide provision proxy public publish pull punctuation purchase push put " +
    "px qualified qualify quantity quarter query question queue quick quiet quota quote raise ram ran random " +
    "range rate rather re reach reachability react read readme ready real reason rebuild recall receipt receive " +
    "recent recipe recipient recognise recognize reconcile record recover recovery recurring redirect reduce " +
    "refer reference refresh refund refuse regard regex region register regular reindex reject related relative " +
    "release reload rely remain reminder remote remove rename renew rent reopened repair repeat replace replica " +
    "replied reply report repository represent request require reschedule research reserve reset resident " +
    "resized resolution resolve resource respond response rest restore restrict restricted result resume retain " +
    "retention retired retrieve retry return reuse reverse revert review revision revoked reward right risk role " +
    "rollback room root rotate round route routing row rss rule run running s safe said sale same sample satisfy " +
    "saturday save saw say scale scan scene schedule schema scheme science scope score screen scroll sdk se seal " +
    "search season seat second section sector secure security see seem segment select self sell semester " +
    "semicolon send sense sensor sent sentence sepa separate september sequence serial series server service " +
    "session set setting settle setup seven several shape share sheet shelf shift ship shipped shipping shop " +
    "short should shouldn show side sign signal signature silence similar simple since sind single site six size " +
    "skip sku slash slide slot slow slug small smart sms smtp snapshot snippet so social socket software solve " +
    "some someone something sort sound source space spam span spec special specified specify speed spelled " +
    "spelling spend split spread spreadsheet sql ssh ssl ssn stack staff stage stale standard start state static " +
    "status stay step stick still stock stop stopped storage store strategy stream street strict string " +
    "structure student style sub subject submission submitted subnet subscribe subscription subset substitute " +
    "subtotal subtract succeed success such suffix suggest suite sum summary sunday supplied supplier supply " +
    "support sure surface survey suspend svg swift switch symbol symbolic sync syntax system t tab table tag " +
    "tail take taken target task tax team technical tel telefon telephone template temporary ten tenant term " +
    "terminal terminate test text tfn than that the their them theme then there these they thing third this " +
    "those though thought thousand thread three threshold throttle through thumbnail thursday ticket tile till " +
    "time timeline timeout timestamp timezone tin title tls to today together toggle told tomorrow too took tool " +
    "top topic topology total touch track trade trailer trailing train transaction transcript transfer transform " +
    "transition translate transmission transport trash travel treat tree trial trigger trim trip trouvé trovato " +
    "true truncate trust try ttl tuesday tuple turn tutor twice two two-way type typo ui un unable unarchive " +
    "unassigned unavailable unchanged uncommitted und undefined undelivered underscore understood undo une " +
    "unexpected unexpired unfinished ungültig uninstall union unique unit universal unknown unless unlisted " +
    "unlock unlocked unmatched unmounted unpaid unpublished unreachable unread unrecognised unrecognized unregistered " +
    "unresolved unsaved unsigned unsubscribed unsupported until untracked unused up upc upcoming update upgrade " +
    "upload upper upstream urgent uri url us usable usage usd use usuario usuário utc utente utf utilisateur " +
    "utility utr uuid vacant vacation valid validate value van variable variant vary vat ve vector vehicle " +
    "vendor verification verified verify version vertical very via video view vin violate virtual visa " +
    "visibility visible visit voice volume vote voucher wait wallet want war warehouse warning was wasn watch " +
    "way we weak weather web webhook wednesday week weekday weekend weight well went were weren what whatsapp " +
    "when where whether which while whitelist who whole whose why wide width wiki wildcard will window winner " +
    "wird wish with withdraw within without won word work workflow worksheet workspace worth would wouldn wrap " +
    "write wrong wrote wurde wurden xlsx xml y ya yaml year yes yesterday yet you zero zip zone été"
  ).split(" "),
);

const ENDINGS = ["s", "es", "ed", "d", "ing", "ly", "er", "r", "ation", "ion", "able", "ment"] as const;

/** Tells whether a word is an ordinary one, in any of its forms. */
export function isPlainWord(word: string): boolean {
  const lower = word.toLowerCase();
  return PLAIN_WORDS.has(lower) || ENDINGS.some((ending) => isFormOfWord(lower, ending));
}

function isFormOfWord(word: string, ending: string): boolean {
  if (word.length <= ending.length + 2 || !word.endsWith(ending)) return false;
  const stem = word.slice(0, -ending.length);
  return PLAIN_WORDS.has(stem) || (/^[ai]/.test(ending) && PLAIN_WORDS.has(`${stem}e`));
}

// A removed text hides more than the match that removed it. So before a text is shown because its matches repeat the caller,
// what it says besides must be harmless by a test that is much stricter than the rules.

/** Stands for a part of a text that repeats the caller. */
export const REPEATED_MARK = "\ue000";
/** Stands for such a part that is complete by its form, such as an e-mail address, so that the next word is not part of it. */
export const COMPLETE_MARK = "\ue001";
/** Both of them. */
export const MARKS: RegExp = /[\ue000\ue001]/g;

/** How strict the test is. `words` demands that all words are ordinary ones. */
export type Strictness = "values" | "words";

/** Names of secrets. What stands near one may be the secret, even if it is an ordinary word. */
const SECRET_WORDS =
  "pass(?!ed|es|ing|age|eng|ive|port\\b)\\w{0,12}|pwd|secret|token|credential|(?:api|access|private|auth|signing|encryption|master|client|ssh|recovery|license)[ _-]?(?:key|code)|\\b(?:pin|otp|totp|cvv|cvc|jwt|bearer|auth|authorization|dsn|salt|parola)\\b|kennwort|passwort|contrase.a|senha|wachtwoord|mot de passe|hasło|lösenord|şifre|пароль|токен|密码|密碼|口令|令牌|密钥|パスワード|トークン|비밀번호|토큰|كلمة المرور|סיסמה|รหัสผ่าน|mật khẩu";
const NAMES_SECRET = new RegExp(SECRET_WORDS, "i");
/** What follows the name of a secret, or a word that can stand between the name and the secret. */
const FOLLOWING = /* @__PURE__ */ latePattern(
  `(?:(?:${SECRET_WORDS})[\\w]{0,3}|\\b(?:is|was|are|ist|war|est|es|equals|to|with|as)\\b|[=:：])[^\\p{L}\\p{N}]{0,8}([\\p{L}\\p{N}]{1,40})`,
  "giu",
);

/** Tells whether a text names a secret. */
export function namesSecret(text: string): boolean {
  return NAMES_SECRET.test(text);
}

/** After these comes the name of a part of a database, which often is an ordinary word. */
const OBJECT = /\b(?:columns?|tables?|relation|schema|collection)\s{1,2}["'`]?(?=([\p{L}\p{N}_]{1,64}))/giu;

/** Where names of parts of a database begin in a text. */
export function databaseNames(text: string): readonly number[] {
  return Array.from(text.matchAll(OBJECT))
    .filter(([, word = ""]) => !goesOn(word))
    .map(({ 0: before, index }) => index + before.length);
}

/** Words of sentences about who may enter. What else such a sentence says may be what was tried as a password. */
const ACCESS =
  /\b(?:users?|usernames?|log(?:s|ged|ging)? ?[io]n|logins?|sign(?:s|ed|ing)? ?in|root|admin\w{0,10}|guest|accounts?|auth\w{0,12}|bind|refused?s?|den(?:y|ied|ies)|reject(?:s|ed)?|accept(?:s|ed)?|owned|unlock\w{0,3})\b/i;

/** Tells whether a text is about access. */
export function isAboutAccess(text: string): boolean {
  return ACCESS.test(text);
}

/** Where words begin in a text with the name of a secret that can be the secret itself. */
export function possibleValues(text: string): readonly number[] {
  const starts: number[] = [];
  for (let match = nextFollowing(text, 0); match; match = nextFollowing(text, match.index + 1)) {
    const word = match[1] ?? "";
    if (!isProse(word) && !GOING_ON.has(word.toLowerCase()) && !NAMES_SECRET.test(word))
      starts.push(match.index + match[0].length - word.length);
  }
  return starts;
}

function nextFollowing(text: string, from: number): RegExpExecArray | null {
  const pattern = FOLLOWING();
  pattern.lastIndex = from;
  return pattern.exec(text);
}

const PUNCTUATION = "\"'`()[\\]{}<>«»“”‘’„‚「」『』.,;:!?…";
const TRIM = new RegExp(`^[${PUNCTUATION}#*–—-]+|[${PUNCTUATION}*–—-]+$`, "gu");
const SHORT_NUMBER = /^[+-]?\d{1,4}(?:[.,:]\d{1,3}){0,2}%?$/;
const PLAIN_DATE = /^\d{4}-\d{2}-\d{2}$/;
const UNIT = /^\d{1,4}(?:ms|[smhdx%]|[kmgt]i?b|px|st|nd|rd|th)$/i;
/** Any letter or digit. */
export const LETTER_OR_DIGIT: () => RegExp = /* @__PURE__ */ latePattern(String.raw`[\p{L}\p{N}]`, "u");
/** What separates words. */
export const BETWEEN_WORDS: () => RegExp = /* @__PURE__ */ latePattern(String.raw`[^\p{L}\p{N}]+`, "u");
const LETTER_WORD = /* @__PURE__ */ latePattern(String.raw`^\p{L}[\p{L}\p{M}]*(?:['’]\p{L}{1,4})?$`, "u");
const REGULAR = /* @__PURE__ */ latePattern(String.raw`^\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+$|^\p{Lu}{1,6}s?$`, "u");
const CAPITALISED = /* @__PURE__ */ latePattern(String.raw`^\p{Lu}\p{Ll}+$`, "u");
/** Words of the names of machines, as in `mail-gateway`. */
const MACHINE =
  /^(?:mail|gateway|api|web|app|server|host|node|proxy|cache|queue|worker|master|primary|replica|service|store|storage|cluster|broker|database|data|cloud|file|network|system|main|local|remote|backup|home|office|desk|print|printer|build|test|stage|log|login|user|client|root|admin|key|code)s?$/i;
const HYPHEN = /[-‑]/;
/** Names of tools and arguments. */
const TOOL_OR_ARGUMENT =
  /^(?:list|get|create|update|delete|search|find|read|write|send|add|remove|set|show|check|run|fetch|open|close)(?:_[a-z]{1,16}){1,3}$|^[a-z]{1,16}_(?:ids?|name|date|type|at|by|from|to|path|url|uri|number|count|limit|size)$/;
const VOWEL = /[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüý]|[^a-z]/i;
const MAX_WORD = 24;
/** Words such as `OAuth` and `orderId`. Longer ones of both cases may be generated. */
const MAX_MIXED = 11;

/** Tells whether a token that is not a repetition may be shown. */
export function isHarmlessToken(token: string, strictness: Strictness): boolean {
  const core = token.replace(TRIM, "");
  if (core === "" || !LETTER_OR_DIGIT().test(core)) return core.length <= 3;
  if (/\d/.test(core)) return isHarmlessNumber(core, strictness);
  if (LETTER_WORD().test(core)) return isHarmlessWord(core, strictness);
  const parts = core.split(HYPHEN);
  if (/^e[-‑]mails?$/i.test(core)) return true;
  if (parts.length > 1 && parts.every((part) => isPlainWord(part) && !MACHINE.test(part))) return true;
  return (
    core.length <= MAX_WORD &&
    TOOL_OR_ARGUMENT.test(core) &&
    (strictness === "values" || core.split("_").every(isPlainWord))
  );
}

function isHarmlessNumber(core: string, strictness: Strictness): boolean {
  const digits = core.replace(/\D/g, "").length;
  if (strictness === "words") return digits <= 3 && (SHORT_NUMBER.test(core) || UNIT.test(core));
  // As in `Q3` and `v2`.
  if (/^[a-z]\d{1,2}$/i.test(core)) return true;
  return PLAIN_DATE.test(core) || (digits <= 4 && (SHORT_NUMBER.test(core) || UNIT.test(core)));
}

function isHarmlessWord(core: string, strictness: Strictness): boolean {
  const stem = core.replace(/['’]\p{L}{1,4}$/u, "");
  if (isPlainWord(stem)) return true;
  if (strictness === "words" || stem.length > MAX_WORD) return false;
  if (!REGULAR().test(stem) && (stem.length > MAX_MIXED || stem.split(/(?=\p{Lu})/u).length > 3)) return false;
  return stem.length < 5 || /^\p{Lu}+$/u.test(stem) || VOWEL.test(stem);
}

/** After these a sentence names what was used or what something is, which may be a secret if it is not an ordinary word. */
const VALUE_BEFORE = /^(?:with|using|as|is|was|equals|say|says|said|answer|answers|word|try|tried)$/i;
const PARTICIPLE = /^[a-z]{2,16}(?:ed|ing)$/;

/** Tells whether a text with its repetitions replaced says nothing but harmless words. */
export function isHarmlessRest(rest: string, strictness: Strictness): boolean {
  const tokens = rest.split(/\s+/u);
  return tokens.every((token, at) => {
    if (token.search(MARKS) >= 0) return isHarmlessAround(token);
    if (!isHarmlessToken(token, strictness)) return false;
    const before = tokens[at - 1] ?? "";
    const core = token.replace(TRIM, "");
    if (VALUE_BEFORE.test(before) && !isHarmlessToken(token, "words") && !PARTICIPLE.test(core)) return false;
    // What follows a repetition may belong to it, like the second word of a name or a path.
    if (before.endsWith(REPEATED_MARK)) return goesOn(token);
    if (before.endsWith(COMPLETE_MARK) && CAPITALISED().test(core)) return isPlainWord(core);
    // A name within a sentence may be anybody's, or the secret itself.
    const isName = CAPITALISED().test(core) && !isPlainWord(core);
    return !isName || before === "" || /[.!?:]$/.test(before);
  });
}

/** Words that go on with a sentence after a name in it. */
const GOING_ON = new Set(
  (
    "a about after again against already also an and anymore are aren as at because been before but by came can cannot could couldn did didn " +
    "do does doesn don during either for from gave got had hadn has hasn have haven here if in instead into is isn it made may might must never no nor not " +
    "now of off on only onto or out over sent should shouldn since so still than that the then there to today too took twice under until via was wasn went were weren " +
    "when where which while will with within without won would wouldn yet wurde ist hat kann nicht existiert est existe a ne es fue no foi está è non não"
  ).split(" "),
);
/** Verbs that do so in the forms of "expires" and "expired". */
const VERBS =
  /^(?:answer|appl(?:y|ie)|begin|belong|break|change|close|collide|conflict|contain|decline|depend|differ|disallow|end|exceed|exclude|exist|expect|expire|fail|fire|give|happen|hit|hold|include|keep|lack|lead|leave|lie|match(?:e)?|mean|miss(?:e)?|name|need|occur|open|overlap|own|point|produce|reach(?:e)?|refer|refuse|reject|remain|require|resolve|respond|return|seem|select|start|stop|support|take|turn|use|violate|work|yield)s$/;

const NEXT_WORD = /* @__PURE__ */ latePattern(String.raw`^[\s.,;:!?)\]}>–—-]*(.?[\p{L}\p{N}]*)`, "u");

/** Tells whether the words after a name go on with the sentence, and not with the name. */
export function goesOn(words: string): boolean {
  const [, word = ""] = NEXT_WORD().exec(words) ?? [];
  return word === "" || GOING_ON.has(word) || VERBS.test(word) || (/^[a-z]+ed$/.test(word) && isPlainWord(word));
}

function isHarmlessAround(token: string): boolean {
  return token
    .split(MARKS)
    .every((part) => part.split(BETWEEN_WORDS()).every((word) => word === "" || isPlainWord(word)));
}

const MARKS_AROUND_SIGNS = /* @__PURE__ */ latePattern(String.raw`[\ue000\ue001][^\p{L}\p{N}]*[\ue000\ue001]`, "u");

/** Tells whether two repetitions stand next to each other, so that together they may be one secret. */
export function hasNeighbours(rest: string, { marksBetween }: { readonly marksBetween: boolean }): boolean {
  return (marksBetween ? MARKS_AROUND_SIGNS() : /[\ue000\ue001]\s*[\ue000\ue001]/u).test(rest);
}
