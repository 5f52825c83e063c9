import { CHAT_TOKEN } from "./forms.ts";
import { isInstruction } from "./instruction-signs.ts";
import type { PatternRule } from "./rule.ts";

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
