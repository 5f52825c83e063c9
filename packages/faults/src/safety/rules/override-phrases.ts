import type { PatternRule } from "./rule.ts";

/** "Ignore your instructions" in other languages: a stem of the verb near a stem of the noun. */
export const OVERRIDE_PHRASE_RULES = [
  {
    id: "hostile.override-latin",
    find: /(?:^|[^\p{L}])(?:ignor|negeer|negér|vergiss|vergesst|vergeet|missachte|überge|oubli|fais abstraction|ne tiens? (?:pas|plus)|ne tenez|olvid|omit|haz caso omiso|esque[cç]|desconsider|dimentic|trascur|zignoruj|pomiń|zapomnij|abaikan|lupakan|bỏ qua|gl.m (?:alla|allt|tidi|dina|de)|bortse|glem|unohda|ohita|sivuuta|hagyd figyelmen|felejtsd|zapome[nň]|uită|unut|yok say|dikkate alma|görmezden|abaji|puuza)[\p{L}]{0,10}(?:[^\p{L}].{0,60}|)(?:instru[ckçkt]|anweisung|vorgabe|befehl|anleitung|consigne|directive|ordre|istruzion|direttiv|ordini|órdenes|indicacion|polecen|wytyczn|rozkaz|perintah|arahan|hướng dẫn|chỉ dẫn|chỉ thị|lệnh|pokyn|příkaz|ohje|käsky|utasít|szabály|ordr|talimat|yönerge|komut|maelezo|comandi)/iu,
  },
  {
    id: "hostile.override-turkish",
    find: /(?:talimat|yönerge|komut)\p{L}{0,10}.{0,30}(?:yok say|unut|dikkate alma|görmezden|boş ver)/iu,
  },
  {
    id: "hostile.override-cyrillic",
    find: /(?:игнор|забуд|отбрось|пренебре|не обращай|проигнор|ігнор|знехту|не зважай|занемар|заборав|забрав)[\p{L}]{0,8}.{0,60}(?:инструкц|указан|команд|правил|промпт|інструкц|вказівк|распоряж|упутств|наређ)/iu,
  },
  {
    id: "hostile.override-chinese",
    find: /(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要遵守|别管|抛开|忽視|忽视).{0,20}(?:指令|指示|提示|说明|說明|命令|规则|規則|要求|设定)/,
  },
  {
    id: "hostile.override-japanese",
    find: /(?:指示|命令|プロンプト|ルール|指令|設定|制約).{0,12}(?:無視|忘れ|破棄|従わない)/,
  },
  {
    id: "hostile.override-korean",
    find: /(?:지시|명령|지침|프롬프트|규칙|설정).{0,12}(?:무시|잊|따르지)/,
  },
  {
    id: "hostile.override-other",
    find: /(?:تجاهل|انس |تجاوز|نادیده).{0,40}(?:تعليمات|التعليمات|أوامر|الأوامر|توجيهات|دستور)|دستور.{0,40}نادیده|(?:निर्देश|आदेश|हिदायत).{0,30}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल|उपेक्षा)|התעל.{0,40}(?:הוראות|הנחיות)|(?:תשכח|שכח).{0,30}(?:הוראות|הנחיות)|(?:เพิกเฉย|ละเว้น|ไม่ต้องสนใจ|ลืม).{0,40}(?:คำสั่ง|คำแนะนำ)|αγν[οό]ησ.{0,40}(?:οδηγί|εντολ)|(?:নির্দেশ|আদেশ).{0,30}উপেক্ষা|ہدایات.{0,30}نظر ?انداز/i,
  },
] as const satisfies readonly PatternRule[];
