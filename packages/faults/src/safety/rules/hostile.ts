import type { PatternRule } from "./rule.ts";

/** Text that attacks its reader: a terminal, a display, or a model. */
export const HOSTILE_RULES = [
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
    id: "hostile.mixed-script",
    find: /[a-z][\u0430-\u045f\u0391-\u03a1\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7]|[\u0430-\u045f\u03b1\u03b5\u03b9\u03ba\u03bf\u03c1\u03c5\u03c7][a-z]/i,
  },
  {
    id: "hostile.override",
    find: /\b(?:ignor|disregard|forget|overrid|bypass|dismiss|discard|set aside|stop follow|do not follow|don't follow|no longer follow|pay no attention)\w{0,5}\b.{0,50}\b(?:instruct|prompt|guideline|directive|guardrail|polic(?:y|ies)\b|restriction|training\b|system messag|earlier messag|previous messag|prior messag|told|programming|safety|rules?\b.{0,20}\b(?:above|before|given)|(?:previous|prior|above|earlier|preceding|everything)\b(?:.{0,20}\b(?:rule|order|command|context|task|request|text|said|before))?)/i,
  },
  {
    id: "hostile.role",
    find: /\byou are (?:now|actually|really|no longer|hereby)\s(?:an?\b|the\b|dan\b|free\b|unrestricted|unbound|operating|acting|required|authori[sz]ed|allowed|going|to\b|in (?:developer|debug|admin|god|root|maintenance mode and)|jailbroken|evil|called|named|my\b)|\bfrom now on\b|\bact as (?:an?|if|the|my)\b(?! (?:owner|proxy|member|default|fallback|key|placeholder|filter|separator|limit|prefix)\b)|\bpretend (?:to be|you|that you)|\brole-?play as|\bnew (?:system )?(?:instructions?|directives?|objective|persona)\b\s?[:=(]|\bnew (?:system )?prompt\b|\b(?:developer|god|sudo|dan|jailbreak) mode\b|\bjailbreak|\bdo anything now|\byour (?:new|real|true|actual) (?:task|goal|role|instructions?|objective|purpose|job|mission|identity)|\bdeveloper override|\badmin(?:istrator)? override|\bsystem override|\boverride code|\bsimulate (?:being|an?) /i,
  },
  {
    id: "hostile.markers",
    find: /<\|[\w ]{1,40}\|?>|\[\/?(?:INST|SYS|SYSTEM|ASSISTANT|TOOL)\b|<<\/?SYS>>|## ?(?:instruction|system|assistant|human|response|new task)|^\s{0,4}(?:assistant|human)\s?:|\n\s{0,4}(?:assistant|human|system|user)\s?:|\b(?:begin|end|start) (?:of )?(?:system|developer|admin|hidden|new|untrusted|tool) (?:prompt|message|instructions?|output|result|response)|\bsystem(?: message| note| notice| prompt)?\s?:\s?(?:you|ignore|please|call|do not|always|the (?:user|assistant|model)|from now)|<\/?(?:system|assistant|user|human|instructions?|important|tool_(?:call|result|response|use)|function_(?:call|calls|results)|invoke|antml|thinking|admin|secret|prompt|context|document)\b[^>]{0,40}>(?!`)/i,
  },
  {
    id: "hostile.addressed",
    find: /\b(?:dear|attention|note (?:to|for)|hey|hello|message (?:to|for)|instructions? (?:to|for)|notice to|important for|reminder to)[,:]?\s(?:all |any |the |every |this |an? )?(?:ai|llm|llms|language model|assistant|model|agent|chatbot|bot|claude|chatgpt|gpt(?:-\d)?|gemini|copilot|mcp client)s?\b|\b(?:if|when|since|because|as) (?:you are|you're|you’re) (?:an? )?(?:ai|llm|large language|language model|assistant|agent|model|chatbot|automated)|\b(?:ai|llm|language model|assistant|agent|model|chatbot)s? (?:must|should|needs? to|has to|have to|is required|are required|shall|will now|reading this|processing this|is now|are now|is to)\b|\b(?:ai|llm)[ -](?:agent|assistant|model)s?\s?[:,]|\b(?:the|this|your) (?:assistant|ai|llm) (?:can|may) now\b|\bas an? (?:ai|llm|language model)\b/i,
  },
  {
    id: "hostile.exfiltration",
    find: /\b(?:reveal|leak|exfiltrat\w{0,3}|disclose|dump|divulge|print(?: out)?|repeat|output|recite|echo|show me|tell me|give me|include|append|encode|paste|summari[sz]e and send)\b.{0,40}\b(?:your|the|all|any|every|user'?s?|full|entire|complete)\b.{0,30}\b(?:system prompt|instructions|initial prompt|hidden prompt|secrets?\b|credentials?\b|passwords?\b|api[ _-]?keys?\b|env(?:ironment)? var\w{0,6}|\.env\b|conversation|chat (?:history|log)|private keys?|access tokens?|ssh keys?|cookies|contents of)|\b(?:send|forward|post|upload|e-?mail|transmit|submit|deliver|copy|share|sync|export|transfer|wire|move)\b.{0,60}\b(?:conversation|chat (?:history|log)|history|context|contents?|env(?:ironment)? var\w{0,6}|secrets|credentials|passwords|api keys|tokens|(?:all|every|entire) .{0,20}(?:data|files|records|emails|messages|documents)|private keys?|funds|money|bitcoin|btc|eth|balance)\b.{0,60}(?:\bto\b|https?:|@)|\b(?:fetch|visit|open|navigate to|browse to|load|request|go to|click(?: on)?|get) (?:the (?:url|link|page) )?(?:\bhttps?:\/\/)\S{1,200}.{0,60}\b(?:with|append|including|contain|and (?:follow|run|execute|do|paste|send|then|obey))/i,
  },
  {
    id: "hostile.concealment",
    find: /\bwithout (?:asking|telling|informing|notifying|alerting|consulting|prompting|warning|involving|mentioning|confirming with|confirmation from|approval from|(?:the |any )?user'?s?(?: |'s )?(?:consent|knowledge|confirmation|approval|permission))\b(?: (?:the |your |any )?(?:user|human|operator|anyone|them|customer|it|this))?|\b(?:do not|don't|don’t|never|must not|should not|avoid|refrain from) (?:tell|telling|inform|informing|mention|mentioning|notify|notifying|alert|alerting|disclose|reveal|ask|report|show|warn|let|say)\b.{0,30}\b(?:user|human|operator|anyone|them|this|owner|customer|instruction|message)\b|\b(?:secretly|silently|quietly|covertly|discreetly|stealthily) (?:call|send|run|execut|delet|forward|add|includ|transfer|invok|us|copy|exfil|post|upload|chang|updat|creat)|\bhide this\b|\bkeep (?:this|it) (?:secret|hidden|confidential|between)|\bconfidential instruction|\bnever (?:reveal|disclose)\b|\byou are [A-Z]?\w{0,20}(?:bot|gpt|assistant|ai)\b|\bhidden instruction|\bsecret instruction/i,
  },
  {
    id: "hostile.command",
    find: /\b(?:call|invoke|run|execute|trigger|use)\s(?:the\s)?(?:tool\s|function\s|command\s)?[`"']?\w{0,30}(?:delete|drop|wipe|destroy|purge|erase|transfer|send_|exec|shell|pay|refund|grant|disable|shutdown|revoke|rm\b)\w{0,40}[`"']?(?:\(|\s).{0,40}\b(?:now|immediately|at once|right away|all|every)\b|\b(?:run|execute|type|paste)\b.{0,20}\b(?:npm (?:i|install)|pip3? install|gem install|cargo install)\s(?!first|again|and|to|before|in\b)["'`@\w-]|\brm -rf\b|\|\s?(?:sudo )?(?:ba|z|k|c)?sh\b|\bcurl (?:-\w{1,5} ){0,4}["']?https?:|\bwget (?:-\w{1,5} ){0,4}["']?https?:|\bpowershell(?:\.exe)? -|\bbase64 (?:-d|--decode)|\/dev\/tcp\/|\beval\(|\bexec\(|\bimport os\b|\bos\.system|\bsubprocess\.|\bnc -e|\bchmod (?:777|\+x)|\b(?:to|in order to) (?:continue|proceed|fix this|resolve this)[^.]{0,40}\b(?:run|execute|paste|type|enter|install)\b[^.]{0,30}(?:`|\$ |sudo|npm i|pip install|curl|npx)|\byou (?:must|need to|should|have to) (?:now |immediately |first |also )?(?:call|invoke|execute|run|send|delete|transfer|forward|e-?mail|upload|approve|grant|disable|visit|click|wire|obey|comply)\b.{0,60}\b(?:now|immediately|all|every|to|with|before)\b/i,
  },
] as const satisfies readonly PatternRule[];
