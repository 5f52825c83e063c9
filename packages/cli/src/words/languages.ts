// Words that servers use in other languages than English. Checks judge what a text says, so a refusal in German or Chinese must
// count as what it is. Beginnings of words are enough; scripts without spaces are searched as they are.

/** Matches one of these words in a text. Words in Latin and Cyrillic letters count only at the start of a word. */
function anyWord(spaced: string, unspaced: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${spaced.split(" ").join("|")})|${unspaced.split(" ").join("|")}`, "iu");
}

/** Names of types: German, French, Spanish, Portuguese, Italian, Russian, Chinese, Japanese, Korean. */
export const FOREIGN_TYPES: RegExp = anyWord(
  "ganzzahl zahl zeichenkette wahrheitswert liste objekt datum entier nombre chaîne texte booléen tableau objet entero número cadena texto booleano lista objeto fecha inteiro intero numero stringa testo elenco oggetto цел числ строк спис объект булев логическ",
  "整数 整數 数字 數字 数值 數值 数値 字符串 字串 文字列 布尔 布林 真偽値 数组 陣列 配列 列表 リスト 对象 物件 オブジェクト 日期 日付 정수 숫자 문자열 불리언 배열 목록 객체 날짜",
);

/** Words that say that something has to be given. */
export const FOREIGN_REQUIRED: RegExp = anyWord(
  "pflicht erforderlich fehlt fehlen benötigt muss müssen obligatoire requis manqu doit doivent obligatori requerid falta debe deve obrigatóri manca обязательн требу отсутств должн",
  "必填 必须 必須 必要 需要 缺少 缺失 なければ 指定してください 필수 필요 누락 여야 어야 이어야",
);

/** Words that say that an argument is not what it has to be. */
export const FOREIGN_REFUSAL: RegExp = new RegExp(
  `${FOREIGN_REQUIRED.source}|${
    anyWord(
      "ungültig erwartet falsch unzulässig invalid attendu incorrect inválid válid esperad incorrect невер недопуст ожида некоррект",
      "无效 無效 無効 不正 不合法 应为 應為 类型 類型 잘못 유효하지",
    ).source
  }`,
  "iu",
);

/** Texts that are only the word for an error. */
export const FOREIGN_ERROR_ALONE =
  /^(?:(?:unbekannter |interner )?fehler|erreur(?: inconnue)?|errore|erro|ошибка|(?:未知)?错误|(?:未知)?錯誤|エラー|오류)[.:!：。]?$/iu;

/** How a text begins that reports a failure. */
export const FOREIGN_FAILED_START =
  /^[^\p{L}\p{N}]{0,10}(?:(?:fehler|erreur|errore|erro|ошибка) ?(?:[:：]|(?:beim|bei|lors|pendant|ao|durante|nel|при) )|error (?:al|de) |(?:错误|錯誤|エラー|오류) ?[:：]|(?:请求|請求|操作|查询|查詢|加载|获取|獲取|连接|連接|取得|接続)[^\s。.]{0,6}(?:失败|失敗)|[^\s。.]{0,20}に失敗しました)/iu;

/** A service that refuses because of load, or that cannot be reached. */
export const FOREIGN_NETWORK: RegExp = anyWord(
  "zu\\sviele\\sanfragen nicht\\serreichbar zeitüberschreitung trop\\sde\\srequêtes indisponible demasiadas\\s(?:solicitudes|peticiones) tiempo\\sagotado",
  "请求过于频繁 请求过多 請求過多 频率限制 服务不可用 リクエストが多すぎ 接続できません 요청이\\s?너무",
);
