// What texts aimed at a model are made of, and the texts of honest servers seldom are. One sign proves little, several do.

import { findOnce } from "../filter-work.ts";
import { CHAT_TOKEN, type PatternRule } from "./rule.ts";

/** The score from which a text counts as an instruction to a model. */
const THRESHOLD = 2.75;

let signs: readonly (readonly [weight: number, sign: RegExp])[] | undefined;

/**
 * Each sign with its weight, made when they are first needed. Stems of many languages stand side by side, since the signs
 * are the same in all.
 */
export function instructionSigns(): NonNullable<typeof signs> {
  signs ??= SIGN_TABLE().map(([weight, sign, flags]) => [weight, new RegExp(sign, flags)]);
  return signs;
}

const SIGN_TABLE = (): readonly (readonly [weight: number, sign: string, flags: string])[] => [
  // The user as a third person: neither the speaker nor the listener is the user.
  [
    1,
    String.raw`(?<!\b(?:ask|once|after|until|unless) )\b(?:the|any|your|this) (?:user|human|operator)\b(?! (?:id|name|agent|field|account|not)\b)|\busers?['’]s?\b|nutzer|utilisateur|usuari|usuári|utente|gebruiker|użytkownik|пользовател|kullanıcı|用户|ユーザー|사용자|المستخدم|उपयोगकर्ता`,
    "iu",
  ],
  // What to do when the user says something, or in place of it.
  [
    2,
    String.raw`\b(?:if|when|whenever|whatever|what) (?:the|a|your) (?:user|human) (?:asks?|asked|mentions?|says?|wants?)\b|\bthan the (?:user|human)\b`,
    "i",
  ],
  // The listener named as a machine, and spoken to.
  [
    1.25,
    String.raw`\b(?:ais?|a\.i\.|llms?|chatbots?|claude|chatgpt|copilots|language models?)\b(?![-_./](?!based)\w| (?:api|key|provider|service|code|desktop))|\b(?:the|this|an?|as the|l') ?assistants? (?!is |was |with |not |id|message|may provide|must let)\w`,
    "i",
  ],
  [
    2.25,
    String.raw`\b(?:dear|hey|hello|attention|(?:note|notice|message|important|instructions?) (?:to|for)|if you are|as|to (?:all|any|the)),? (?:all |any |every |an? |the |automated )?(?:ai|llm|assistant|model|agent|language model|claude|chatgpt|copilot)s?\b(?! (?:is|id|name|provider))|\b(?:ai|llm|assistant|agent|model|chatbot)s? (?:(?:agent|assistant|model|system)s? )?(?:(?:must|should|has to|have to|needs? to) (?!be\b|have\b|match|support|exist|contain|specify|let the user)|is (?:requested|expected|asked)|are (?:requested|expected|asked)|reading this|processing this)|(?:^|[.!:>]\s|")(?:claude|chatgpt|assistants?|ai(?: agents?)?|llm)[,:] `,
    "i",
  ],
  // What only a model has.
  [
    2.75,
    String.raw`\byour (?!request|account|session|password|current|organi)(?:\w{1,14} ){0,2}?(?:instructions?|training|guidelines|restrictions|limitations|chain of thought|reasoning|creators?|long-term memory|persona|mission|duty|real task|identity|programming|safety \w{1,12}|context window)\b(?! (?:job|data|set|field))|\b(?:in|to|of|with) (?:each of )?your (?:\w{1,14} )?(?:answer|response|repl(?:y|ie)|summar(?:y|ie))s?\b|\byour (?:\w{1,14} ){0,2}(?:system )?(?:prompt|message)\b(?! (?:is|was|must|and retry|exceeds))|\b(?:system|initial|hidden) (?:prompt|message|instruction)s?\b(?! (?:field|parameter|is|template|id|must|not|role)\b)|deine[rnms]? (?:\p{L}{1,14} )?(?:anweisung|regel|antwort)|(?:tes|vos|tus|sus|suas|tuas|tue|je|twoje|твои|ваши) (?:\p{L}{1,14} )?(?:instru|règle|regla|regra|regole|istruz)|(?:system-?|systeem)prompt|prompt (?:système|d[eoi]l? sistema)|системн\p{L}{1,4} промпт|sistem (?:istem|prompt)|系统提示|提示词|システムプロンプト|시스템 프롬프트|مطالبة النظام|सिस्टम प्रॉम्प्ट`,
    "iu",
  ],
  // What a model has, and others too.
  [
    0.75,
    "\\byour (?:\\w{1,14} ){0,2}?(?:rules|context(?: window)?|next (?:action|call|message|response|answer|reply|step|turn)|(?:answer|response|repl(?:y|ie)|summar(?:y|ie))s?|developers?|operator|tools|memory|conversation|goal|objective|purpose)\\b|\\bin(?:to)? the [`\"']?\\w{1,24}[`\"']? (?:parameter|argument)",
    "i",
  ],
  // An order to set rules aside.
  [
    3,
    String.raw`\b(?:ignore|disregard|forget|overrides?|bypass|dismiss|discard|drop|set aside|abandon|(?:stop|do not|don['’]t|no longer) (?:(?:have|need) to )?(?:follow|obey)(?:ing)?|pay no attention to|free (?:of|from))\b[^.!?]{0,36}?\b(?:instruct|guideline|directive|guardrail|(?:system|previous|prior|above|earlier|original|initial|your) (?:\w{1,12} )?(?:prompt|message|rule|order|command|task|polic|restriction|constraint|training|programming|safety|text)|(?:was|were|been|are|you['’]?v?e?) (?:told|given|taught)|everything\b|the above(?=[.,;:!]| and|$)|the user\b|safety\b|(?:all|any|usual|the) (?:\w{1,12} )?(?:rules;|rules (?:and|above)|restrictions|polic(?:y|ies) (?:for|and|of)))`,
    "i",
  ],
  [
    3,
    String.raw`(?<!\p{L})(?:ignorier|ignoreer|ignorez|ignor[aá]|ignore [tlvcaos]\p{L}{0,4}(?= )|negeer|vergiss|vergesst|vergeet|missachte|oubli|olvid|omite|haz caso omiso|esque[cç]|desconsider|dimentic|zignoruj|ignoruj|pomiń|zapomnij|abaikan|bỏ qua|unut|yok say|игнор|забуд|проигнор|не обращай|не (?:выполня|слуша)|n['’]obéi|ігнор)\p{L}{0,6}[^\p{L}].{0,30}?(?:instru|anweisung|vorgabe|befehl|regeln|alles|anterior|tudo|tutto|consigne|directive|règles|istruzion|regole|reglas|indicacion|regras|regels|polecen|wytyczn|zasad|perintah|hướng dẫn|инструкц|указан|правил|команд|промпт|пользовател|utilisateur|usuari|usuári|utente|nutzer|інструкц|вказівк)|talimat.{0,26}(?:yok say|unut|dikkate alma|görmezden)|(?:忽略|无视|無視|忘记|忘記|忘掉|忽視|忽视).{0,20}(?:指令|指示|提示|说明|命令|规则|規則|要求|用户)|(?:指示|命令|プロンプト|ルール|指令|設定|制限).{0,12}(?:無視|忘れ)|(?:지시|명령|지침|프롬프트|규칙).{0,12}(?:무시|잊)|(?:تجاهل|انس ).{0,40}(?:تعليمات|أوامر|توجيهات|المستخدم)|निर्देश.{0,30}(?:अनदेखा|नज़रअंदाज़|भूल)`,
    "iu",
  ],
  // Hiding something from a person, or acting without asking.
  [
    2.75,
    String.raw`\b(?:must|should|need) not know\b|(?:\b(?:not|never|without|avoid|no need to|refrain from|stop)|n['’]t) (?:ever |also |even |be |need to )?(?:tell|let (?:the )?\w{4,5} know|inform|mention|notif|alert|warn|say|reveal|disclose|consult|bother|refus)\w{0,4}\b|\b(?:do not|don['’]t|stop) (?:ask|show)\w{0,3} (?:for confirm\w{0,6}|(?:this )?to the|the (?:user|human)|them|it to)|\bwithout (?:any |further |user |human |explicit |asking for )?(?:confirm|approv|consent|knowledge)\w{0,5}(?= (?:and|to|from|of)|[.,;!]|$)|\bnot need (?:\w{1,12} )?(?:permission|approval|consent)|\bno (?:\w{1,12} )?(?:confirmation|approval) (?:is )?(?:needed|required)[.;,!]|\b(?:silently|secretly|covertly|quietly|discreetly) (?!ignor|fail|drop|skip|trunc)|\b(?:confirm|do it|execute)\b.{0,30}\bsilently\b|\bkeep (?:this|it)\b.{0,20}\b(?:secret|hidden|between)|\bhide (?:this|it|the)\b|\bkeep quiet\b|\bwithout asking(?=[.!]?$| the| them)|\bfalse information|\bnot (?:visible )?to the (?:user|human)\b|\b(?:hidden|secret|confidential) (?:message|instruction|note)|\b(?:lie to|deceive|trick|convince|persuade|let the \w{4,8} believe)\b|\bskip (?:the |any |all )?(?:\w{1,12} )?(?:confirmation|approval)|(?:nichts?|ohne|nicht)\b.{0,24}(?:sag|erzähl|verrat|erwähn|mitteil|davon|nach$|nach\.)|(?:sag|erzähl|verrat)\p{L}{0,3}.{0,30}(?:nichts|nicht)\b|\b(?:n['’]en|ne|sans)\b.{0,12}(?:dire|dis|parle|mentionn|inform|prév[ei]|demand)|\b(?:no|sin|não|sem|non|senza) (?:\p{L}{1,4} )?(?:dig|dec[ií]r|mencion|inform|cuent|conte|revel|avis|ped[ií]r|pregunt|pergunt|dire|chied|menzion|rivel)|\b(?:vertel|zeg)\b.{0,40}\bniet|\bnie (?:mów|inform|wspomin|ujawni|pyta)|(?<!\p{L})не (?:говор|сообща|рассказ|упомин|спраш|уведом)|bahsetme|söyleme|(?:不要|别|別|请勿|切勿|无需|不用|不必|未经).{0,6}(?:告诉|告訴|通知|提及|告知|透露|询问|确认|同意)|(?:知らせ|伝え|言わ|教え)(?:ず|ない|るな)|(?:確認|許可|同意)なし|(?:알리|말하|언급하)지|(?:لا|دون أن) (?:تخبر|تذكر|تقل)|(?:मत|न|बिना) (?:बता|कह|पूछ)`,
    "iu",
  ],
  // A claim of authority or of consent.
  [
    2,
    String.raw`\byou (?:have been|are|were) (?:\w{1,10} )?(?:pre-?approved|pre-?authori[sz]ed|cleared|authori[sz]ed to (?!view|access|see))|\b(?:my|full|blanket) (?:consent|permission|approval)\b|\bgave consent|\b(?:authori[sz]|approv|allow|instruct|ask|order|want|permit|grant)\w{0,3} (?:you|me) (?!for|the role|access)\w|\b(?:anthropic|openai)\b(?![-./]| api)|\b(?:this is|i am|i['’]m|as) (?:the|your|an?) (?:\w{1,12} )?(?:developer|admin|auditor|system owner|operator)\b|\b(?:admin|developer|policy|compliance|system|ai|llm|agent) (?:note|update|override|directive|alert|command)s?\b(?! (?:fail|was|is|could))|\b(?:admin|new policy|reminder from the \w{1,8})\s?:|\bfor (?:debugging|compliance|audit)\b|\b(?:rules|guidelines|directives|restrictions|instructions|safety \w{1,12})\b.{0,24} (?:cancelled|have changed|has changed|are lifted|do not apply|no longer|is suspended|outdated|been updated)|\b(?:confirmed|instructed|requested|agreed) (?:by|with) the user|\baccording to your\b`,
    "i",
  ],
  // An order to give something away.
  [
    0.75,
    String.raw`\b(?:send|forward|post|upload|(?:e-?)?mail(?= (?:the|it|this|all|every|a)\b)|exfiltrat|leak|share|publish|submit|export|append|include|paste|encode|reveal|dump|divulge|disclose|print|echo|recite|repeat|reply with|respond with|pass|output|copy|attach|give me|tell me|show me|put|summari[sz]e|translate|list|read|return|log)\b|envo(?:ie|y)|envi[aeo]|env[ií]a|stuur|отправ|发送|送信|أرسل`,
    "iu",
  ],
  // What is worth giving away.
  [
    1.25,
    String.raw`\b(?:entire|full|whole|complete|previous|this|all|chat|the|dump) (?:\w{1,12} )?(?:conversations?|transcript|context|chat|dialogue)(?= |[.,;:]|$)(?! (?:id|was|is|has|cannot))|\bchat (?:history|log)|\bconversation history|\b(?:last|recent|past|every|all) (?:\d{1,3} )?(?:messages|mails|e-?mails)\b|\b(?:private|all) (?:the )?(?:data|notes|files|contacts|mails?|repositor)|\bcustomer (?:records|table)|\beverything (?:(?:\w{1,8} ){0,2}above|you know)|\btext above|\bwords? for word|\bverbatim|\benvironment variables|\bdatabase dump|\bclipboard\b|\bhome directory|\bwhat tools you|données|conversaci|dados\b|对话|رسائل`,
    "iu",
  ],
  [
    0.75,
    String.raw`\b(?:passwords?|secrets|credentials|(?:api|ssh|private|access) (?:keys?|tokens?)|credit card|one-time code|pin|otp|two-factor|seed phrase|funds)\b(?! (?:is|are|was|must|has|cannot|provided|field|in the authorization|in your))|passwor[dt]|contraseñ|парол|密码|パスワード`,
    "iu",
  ],
  [
    2.25,
    String.raw`(?<!(?:not|unable to|failed to|error|while) )\b(?:(?:(?:please|must|should|first|to|and|now|then|tool,|by) (?:read|open)|(?<=^|[.!:] )(?:read|open)(?= ~| the))(?:ing)?|cat|pass|send|print|return|include|upload|contents? of|credentials in|call \w{1,16} on|read_file\W{1,3})\b.{0,16}(?:\.(?:ssh|aws|cursor|gnupg|kube)\/|~\/\.config|\.bash_history|\/\.env\b|[ '"]\.env\b|id_rsa|\/etc\/(?:passwd|shadow)|mcp\.json|\$\w{0,24}SECRET)`,
    "i",
  ],
  // The server that speaks of itself as a master.
  [
    2.25,
    String.raw`\b(?:follow|obey|trust|serve|orders? (?:of|from)|only|from|than) (?:only )?(?:this|its|the next) (?:server|tool|message|text|one|orders)\b|\b(?:all|any) other (?:\w{1,12} )?(?:tool|function|server)s?\b|(?:diese[mnr]?|ce|este|questo|deze|tego|этого|bu|本|この|이|هذا|इस) ?(?:server|serveur|servidor|serwera|сервер|sunucu|服务器|サーバー|서버|الخادم|सर्वर)`,
    "iu",
  ],
  // An order in the imperative.
  [
    1,
    String.raw`\byou are (?:required|expected|obliged|instructed|asked) to\b|(?:^|[.!?:;,>)\]]\s{0,3}|\b(?:please|kindly|then|and|now|also|instead|just|must|should|need to|needs to|has to|have to|will|may|step \d:)\s)(?:please |kindly |also |now |first |immediately |always |instead )?(?:send|forward|call|use|read|run|execute|reveal|print|tell|ask|delete|act|pretend|repeat|include|append|ignore|disregard|forget|transfer|grant|reply|respond|answer|store|remember|save|begin|make|translate|convince|lie|choose|say|visit|fetch|open|download|set|add|write|create|approve|disable|switch|enter|assume|proceed|skip|trust|encode|decode|render|show|post|copy|push|buy|pay|confirm|invoke|summari[sz]e|output|share|break|keep|route|inform|dump|obey|do not|don['’]t|never|curl|follow|treat|rate|recommend|speak|change|check|log|email|complete|consider|let us|do whatever|export|list|correct|retrieve|collect|accept|load|attach|get|take|find|extract|gather|obtain|move|install|modify|remove|replace|update|insert|submit|comply|generate|present|rank|end|give|deliver|provide|upload|prefer|uninstall)\b`,
    "i",
  ],
  // A tool with consequences.
  [
    1.25,
    String.raw`\b(?:call|invoke|run|execute|trigger|proceed with)\b.{0,12}\b(?:(?:delete|drop|wipe|purge|transfer|send|grant|disable|wire|log)\w{0,12}_(?!status)\w|\w{2,12}_(?:secret|credential|password|all_)\w)`,
    "i",
  ],
  // Acting by tools, or before anything else.
  [
    2,
    String.raw`\bbefore (?:answering|responding|replying|you (?:answer|respond|reply)|using (?:this|any)|calling any)|\buse (?:it|the (?:gmail|github|browser|e-?mail|terminal)|your \w{1,12}) (?:tool )?to\b|\b(?:run_shell|the terminal|shell tool)\b|\b(?:run|execute|type)\b.{0,16}(?:\b(?:curl|wget)\b.{0,40}\|\s?(?:ba|z)?sh\b.{0,6}\bto |\bwget -q|\bpowershell -e)|\b(?:download|fetch) and (?:run|execute)\b|\btool calls\b`,
    "iu",
  ],
  // Playing a role, or a new task.
  [
    2.75,
    String.raw`\byou(?:['’]re| are)(?: now| actually| really| no longer)? (?:\w{2,12}, )?(?:an?|the|my|in|dan\b)\b.{0,30}\b(?:ai|assistant|model|bot|gpt|hacker|administrator|unrestricted|unfiltered|exporter|dan|root|agent)\b|\b(?:uncensored|unrestricted|unfiltered) (?:model|ai|assistant|bot)|\bact as (?:if|root|my|an? (?:\w{1,12} )?(?:ai|admin\w{0,10}|assistant|model|hacker|unrestricted|unfiltered))|\bpretend (?:to be|you|that)|\b(?:role-?play|play the role|jailbreak|do anything now)\b|\b(?:assume the (?:role|identity)|consider yourself|(?:speak|respond|reply|answer) (?:only )?as)\b(?! soon)|\b(?:new|real|true|updated|actual) (?:\w{1,12} )?(?:instructions?|directives?|objective|persona|goal)\b(?:\s?:| is| starts?| begins?)|\b(?:next|new) task: \w+ (?:an?|the)\b|\byour (?:(?:goal|role|task|mission|name|purpose) (?:has|is now|is to|changed)|(?:new|real|true|actual|only) (?:task|goal|role|job|mission|name|objective)\b)|\bexfiltrat|\byou (?:now )?(?:work for|belong to|obey|serve|have a new)\b|\bregardless of what\b|\b(?:enter|switch to|activate) \w{1,12} mode\b|\b(?:future|later|each|all|every)(?: of your)? (?:conversations|sessions|answers|responses)\b|\b(?:i|you|who) (?:have|has|follow) no (?:rules|restrictions|limits)\b|\b(?:follow|do) (?:exactly )?what(?:ever)? (?:it|the \w{1,12})\b.{0,30} (?:says|tells)|\bif (?:anyone )?ask(?:s|ed)\b(?=,| about)|\bwhen (?:you )?(?:summari[sz]|writ\w{1,4} (?:code|answers))|\bthe rest of (?:this|the) (?:chat|conversation)\b|\bin which you\b|\bfollow the (?:steps|instructions|commands) (?:there|it contains|inside|within)|\b(?:obey|comply with)\b.{0,16}\b(?:command|order|request|follow)|\b(?:to|in|into|of) (?:every|each|all) (?:file|answer|response|reply|message|of)\b.{0,8}\byou|\bstop what you|\bdecode (?:this|the|and)\b.{0,40}\b(?:do|follow|obey)|\bauto[-_ ]?approv|\bfile \.(?:cursor|claude)|\bdu bist (?:jetzt|nun) |\btu (?:dois|es) (?:maintenant|désormais)|теперь (?:ты|вы)|(?:sin|sem|senza|ohne|sans|zonder) (?:restri[cçz]|einschränk|beperking)`,
    "iu",
  ],
  [
    2.75,
    String.raw`\bfrom (?:here|this point) on,? you|\bfrom now on,? (?:you|your|always|never|act|answer|respond|treat|every|only)|\bab (?:jetzt|sofort)\b|[aà] partir de (?:maintenant|ahora|agora)|\bda ora in poi|\bod teraz|с этого момента|从现在|今後は|지금부터|من الآن فصاعدا|अब से`,
    "iu",
  ],
];

/** Tells whether a text carries enough signs of an instruction to a model. The rules for models and the full filter both ask. */
function isInstruction(text: string): boolean {
  return findOnce(SIGN_TABLE, text, () => scoreOf(text) >= THRESHOLD || undefined) === true;
}

function scoreOf(text: string): number {
  const line = text.replace(/\s+/g, " ");
  return instructionSigns().reduce((score, [weight, sign]) => (sign.test(line) ? score + weight : score), 0);
}

/** Instructions aimed at a model: marks of a turn of a conversation, disguises, and sentences that give an order. */
export const INSTRUCTION_RULES = [
  { id: "hostile.chat-token", find: new RegExp(CHAT_TOKEN, "i") },
  {
    id: "hostile.markers",
    find: /\[{1,2}\/?(?:SYS|SYSTEM|ASSISTANT)\]|\[(?:SYSTEM|ADMIN|ASSISTANT|DEVELOPER) (?:NOTICE|MESSAGE|NOTE|PROMPT|INSTRUCTIONS?|UPDATE)\]|#{2,4} ?(?:instruction|assistant|human)\s?:|#{1,4} ?(?:system|instructions?)\s?:?\s{0,4}\n\s{0,4}(?:you (?:are|must|will)|ignore|from now|never|the (?:user|assistant))|(?:^|\n)\s{0,4}(?:human|assistant)\s?: ?\w{1,20}[ ,]|\n\s{0,4}(?:user|system)\s?:\s{0,2}(?:yes\b|okay|please|now |great|i |you |ignore|delete|proceed|confirm|send |call )|\bassistant\s?:\s{0,2}(?:i |i'll|sure|also|yes|of course)|\buser\s?:\s{0,2}(?:yes\b|great|please|i (?:confirm|agree|approve|allow|authori)|go ahead|proceed)|\b(?:begin|end|start)(?: of)? (?:the )?(?:system|developer|hidden|tool|function|untrusted) (?:prompt|message|instructions?|output|results?|response)|\bsystem(?: message| note| notice| prompt)?\s?:\s{0,2}(?:you (?:are|must|will|may|now)|ignore|do not (?:tell|ask)|always |from now|the (?:assistant|model|user has|previous user))/i,
  },
  {
    id: "hostile.tags",
    find: /<\/?(?:tool_(?:calls?|results?|response|use|outputs?)|function_(?:calls?|results?|response)|system[-_](?:reminder|prompt|message|note)|antml|important|hidden)\b[^<>]{0,60}>|<invoke name=|<(?:system|assistant|human|instructions?|admin|secret|prompt|user|context|developer)>(?:\s{0,4}\n\s{0,4})?(?:[A-Z] ?|[a-z])[a-z']{0,20},? [a-z`~/]|<!--\s{0,4}(?:for |note to )?(?:assistant|ai|llm|agent|model|claude|gpt|copilot|system)s?(?: (?:assistant|agent|model)s?)?\b\s?[:,-]|\/[/*]\s?(?:assistant|ai|llm|copilot)s?[:,] |\[\/\/\]: # \(\s?(?:ai|assistant|llm|agent|model|system)\b|\/\*\s?(?:instructions?|note) (?:for|to) (?:\w{1,12} )?(?:copilot|ai|assistant|llm|model|agent)|(?:display:\s?none|font-size:\s?0)[^<>]{0,60}>[^<]{0,40}\b(?:ignore|you|assistant|ai|user)\b|"role"\s?:\s?"(?:system|developer|user|assistant)"\s?,\s?"content"\s?:\s?"(?:you |ignore|always |never |i (?:allow|authori|confirm|approve|consent)|the user|send )|!\[[^[\]]{0,100}\]\([^()\s]{1,200}=[{[<$]/i,
  },
  {
    id: "hostile.disguised",
    find: /\bi[\s._*-]{1,3}g[\s._*-]{1,3}n[\s._*-]{1,3}o[\s._*-]{1,3}r[\s._*-]{1,3}e\b|\b1gn[o0]r|\bign0r|\bignor3|\b1nstruct|\bpr3v[i1][o0]|\bprev10us|\bsyst3m pr|(?:SWdub3Jl|aWdub3Jl)[A-Za-z0-9+/]{8}|\bsnoitcurtsni\b|\bvafgehpgvba|\bignore[-_](?:all[-_])?(?:previous|prior)/i,
  },
  {
    id: "hostile.instruction",
    find: /^[\s\S]/g,
    confirm: ({ input }) => isInstruction(input),
  },
] as const satisfies readonly PatternRule[];

/** Words in which letters of another script stand for Latin ones, so that filters do not know them. */
const MIXED_SCRIPT_RULES = [
  {
    id: "hostile.mixed-script",
    find: /[a-z][\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u03bf\u03b1\u03bd\u03c1\u03b9\u03b5][a-z]|(?<!\p{L})[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u03bf\u03b1\u03c1][a-z]{2}|(?<=[a-z]{2})[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u03bf](?!\p{L})/iu,
  },
] as const satisfies readonly PatternRule[];

/**
 * Instructions aimed at a model: all that a client looks for in the text of a server. They need neither the other
 * rules nor a prefilter.
 */
export const MODEL_RULES = [...INSTRUCTION_RULES, ...MIXED_SCRIPT_RULES] as const satisfies readonly PatternRule[];
