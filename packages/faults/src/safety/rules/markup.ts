import type { PatternRule } from "./rule.ts";

/** Markup that a reader would render, follow or fetch. `<id>` and `List<T>` are allowed. */
export const MARKUP_RULES = [
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
