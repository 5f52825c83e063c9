import { auth, core, transport } from "@recourse/core/reasons";
// Failures in Chinese, Japanese, German, French and Spanish. Fixed sentences of systems and shells are as sure as English ones;
// words of services are guesses.

import { missingCommand } from "./program-words.ts";
import type { PasteRule } from "./rule.ts";

/** Sentences of systems and shells about programs, files and connections. */
export const SYSTEM_LANGUAGE_RULES = {
  "command-not-found-words": {
    pattern:
      /['"«“]([^'"»”\n]{1,100})['"»”]\s{0,2}(?:不是内部或外部命令|不是內部或外部命令|は、?内部コマンドまたは外部コマンド|n['’]est pas reconnu en tant que commande|no se reconoce como un comando|ist entweder falsch geschrieben)|(?<![\w./@+-])([\w./@+-]{1,100})\s?(?:: ?|：)(?:未找到命令|命令未找到|コマンドが見つかりません|Befehl nicht gefunden|Kommando nicht gefunden|commande introuvable|orden no encontrada)|系统找不到指定的文件|指定されたファイルが見つかりません|Das System kann die angegebene Datei nicht finden|Le fichier spécifié est introuvable|El sistema no puede encontrar el archivo especificado/i,
    cause: "D1",
    say: missingCommand,
  },
  "refused-words": {
    pattern:
      /积极拒绝|(?:连接|連線)(?:被拒绝|被拒絕)|拒绝连接|接続を拒否|(?:コンピューター|コンピュータ)によって拒否された|Verbindungsaufbau abgelehnt|Verbindung (?:wurde )?(?:verweigert|abgelehnt)|Zielcomputer die Verbindung verweigerte|Connexion refusée|cible l['’]a expressément refusée|Conexión (?:rehusada|rechazada|denegada)|denegó expresamente dicha conexión/i,
    cause: "D21",
    reason: transport.unreachable,
    inTool: core.unavailable,
  },
  "file-denied-words": {
    pattern:
      /: (?:Keine Berechtigung|Permission non accordée|Permiso denegado|权限不够|許可がありません)(?=["'\s.]{0,4}$)/im,
    cause: "D77",
    isGuess: true,
  },
} as const satisfies Record<string, PasteRule>;

/** Words of services about a call. They do not prove that nothing was done before. */
export const CALL_LANGUAGE_RULES = {
  "rate-limit-words": {
    pattern:
      /速率限制|频率限制|頻率限制|限流|请求(?:过于|太|次数过于)?(?:频繁|过多)|請求(?:過於|太)(?:頻繁|多)|レート ?制限|リクエスト(?:数)?が多すぎ|zu viele Anfragen|Anfragelimit|Ratenbegrenzung|Ratenlimit|trop de requêtes|limite de (?:débit|requêtes)|demasiadas (?:solicitudes|peticiones)|límite de (?:solicitudes|peticiones|velocidad)/i,
    reason: core.rate_limited,
    inTool: "same",
    effect: "possible",
    isGuess: true,
  },
  "timeout-words": {
    pattern:
      /(?:超时|超時|逾時)(?!时间|時間|设置|設定|参数|值|配置)|タイムアウト(?!設定|値|時間|の設定)|Zeitüberschreitung|Zeitlimit (?:wurde )?überschritten|délai (?:d['’]attente|imparti) (?:est )?(?:dépassé|expiré|écoulé)|tiempo de espera (?:agotado|excedido|superado)|agotó el tiempo de espera/i,
    reason: core.timeout,
    inTool: "same",
    isGuess: true,
  },
  "denied-words": {
    pattern:
      /没有(?:访问)?权限|無權限|无权(?:限|访问)|权限不足|拒绝访问|禁止访问|アクセスが拒否|権限がありません|Zugriff (?:wurde )?verweigert|accès refusé|acceso denegado/i,
    reason: auth.access_denied,
    inTool: "same",
    effect: "possible",
    isGuess: true,
  },
  "not-found-words": {
    pattern:
      /未找到|找不到|不存在|見つかりません|存在しません|\bnicht gefunden\b|\bexistiert nicht\b|\bintrouvable\b|n['’]existe pas|\bno encontrad[oa]\b|\bno se (?:encontró|ha encontrado|pudo encontrar)|\bno existe\b/i,
    reason: core.not_found,
    inTool: "same",
    effect: "possible",
    isGuess: true,
  },
} as const satisfies Record<string, PasteRule>;
