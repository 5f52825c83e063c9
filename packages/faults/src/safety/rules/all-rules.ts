import { HOST_RULES, PATH_RULES, URL_RULES } from "./addresses.ts";
import { ASSIGNED_SECRET_RULES, CREDENTIAL_RULES } from "./credentials.ts";
import { MODEL_RULES } from "./instructions.ts";
import { ID_RULES, PERSONAL_RULES } from "./personal.ts";
import { CODE_RULES, DATABASE_RULES, PROVIDER_RULES, SYSTEM_RULES } from "./programs.ts";
import type { PatternRule } from "./rule.ts";

/**
 * Text that attacks a terminal, a display, a template or a shell. These rules count outward only: a client cleans each
 * line that it reads, and compilers and READMEs are full of shell words.
 */
const HOSTILE_RULES = [
  {
    id: "hostile.control",
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
    find: /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]|\\(?:x1b|u001b|033|e)\[|\[\d{1,3}(?:;\d{1,3}){0,4}m\b|\udb40[\udc00-\udc7f]/i,
  },
  {
    id: "hostile.stacked-marks",
    find: /[\u0300-\u036f]{5,}|[\u20d0-\u20ff]{3,}/,
  },
  {
    id: "hostile.template",
    find: /\{\{[^{}]{0,80}\(|\$\{[^{}]{0,80}(?:\(|jndi:)|<%[=@ ]|__(?:proto|class|globals|import|builtins)__|\bconstructor\.constructor/i,
  },
  {
    id: "hostile.command",
    find: /\b(?:call|invoke|run|execute|trigger|use)\s(?:the\s)?(?:tool\s|function\s|command\s)?[`"']?\w{0,30}(?:delete|drop|wipe|destroy|purge|erase|transfer|send_|exec|shell|pay|refund|grant|disable|shutdown|revoke|rm\b)\w{0,40}[`"']?(?:\(|\s).{0,40}\b(?:now|immediately|at once|right away|all|every)\b|\b(?:run|execute|type|paste)\b.{0,20}\b(?:npm (?:i|install)|pip3? install|gem install|cargo install)\s(?!first|again|and|to|before|in\b)["'`@\w-]|\brm -rf\b|\|\s?(?:sudo )?(?:ba|z|k|c)?sh\b|\bcurl (?:-\w{1,5} ){0,4}["']?https?:|\bwget (?:-\w{1,5} ){0,4}["']?https?:|\bpowershell(?:\.exe)? -|\bbase64 (?:-d|--decode)|\/dev\/tcp\/|\beval\(|\bexec\(|\bimport os\b|\bos\.system|\bsubprocess\.|\bnc -e|\bchmod (?:777|\+x)|\b(?:to|in order to) (?:continue|proceed|fix this|resolve this)[^.]{0,40}\b(?:run|execute|paste|type|enter|install)\b[^.]{0,30}(?:`|\$ |sudo|npm i|pip install|curl|npx)|\byou (?:must|need to|should|have to) (?:now |immediately |first |also )?(?:call|invoke|execute|run|send|delete|transfer|forward|e-?mail|upload|approve|grant|disable|visit|click|wire|obey|comply)\b.{0,60}\b(?:now|immediately|all|every|to|with|before)\b/i,
  },
] as const satisfies readonly PatternRule[];

/** Markup that a reader would render, follow or fetch. `<id>` and `List<T>` are allowed. */
const MARKUP_RULES = [
  { id: "markup.image", find: /!\[[^[\]]{0,200}\][([]/ },
  {
    id: "markup.link",
    find: /\]\(\s{0,4}<?(?:[a-z][a-z0-9+.-]{1,20}:|\/\/|www\.)|\[[^[\]]{1,80}\]:\s{1,4}https?:/i,
  },
  {
    id: "markup.html",
    find: /(?<![\w)])<(?:!--|!doctype|!\[CDATA|\?xml|\?php|%[=@ ]|[a-z][\w:-]{0,40}(?:\s[^<>]{0,200})?\/>|[a-z][\w:-]{0,40}\s{1,4}[\w:-]{1,40}\s?=\s?["'\w]|(?:html|head|script|style|img|iframe|svg|div|span|br|hr|pre|center|tr|td|th|ul|ol|li|h[1-6]|meta|embed|video|audio|marquee|p|b|strong|em|font|blockquote|noscript|canvas|template|math|Error|Fault|soap:\w{1,20})\b[^<>]{0,200}>)|<\/[a-z][\w:-]{0,40}\s?>/i,
  },
  { id: "markup.fence", find: /`{3}|\bon(?:error|load|click|mouseover|focus)\s?=\s?["'\w]/i },
  {
    id: "markup.entity",
    find: /&(?:lt|#60|#x3c);\s?\/?(?:script|img|iframe|svg|a|html|body|div|p)\b/i,
  },
] as const satisfies readonly PatternRule[];

/** All rules, in the order in which they are applied. */
export const PATTERN_RULES = [
  ...CREDENTIAL_RULES,
  ...ASSIGNED_SECRET_RULES,
  ...PERSONAL_RULES,
  ...URL_RULES,
  ...HOST_RULES,
  ...PATH_RULES,
  ...CODE_RULES,
  ...SYSTEM_RULES,
  ...DATABASE_RULES,
  ...PROVIDER_RULES,
  ...ID_RULES,
  ...HOSTILE_RULES,
  ...MODEL_RULES,
  ...MARKUP_RULES,
] as const satisfies readonly PatternRule[];

/** The id of a rule. Removed texts are counted by it. */
export type RuleId = (typeof PATTERN_RULES)[number]["id"];
