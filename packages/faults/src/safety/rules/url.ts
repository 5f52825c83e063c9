import { WEBHOOK } from "./forms.ts";
import { looksRandom } from "./opaque.ts";
import { isPlaceholder } from "./placeholder.ts";
import type { PatternRule } from "./rule.ts";

/** URLs, except those of public pages such as documentation. */
export const URL_RULES = [
  {
    id: "url.scheme",
    find: /\b(?:postgres(?:ql)?|mysqlx?|mariadb|mongodb(?:\+srv)?|rediss?|valkeys?|amqps?|kafka|nats|ldaps?|smtps?|imaps?|pop3s?|sftp|ssh|git|svn|file|s3a?|gs|gcs|abfss?|wasbs?|hdfs|otpauth|tcp|udp|unix|clickhouse|cassandra|mssql|sqlserver|oracle|neo4j(?:\+s)?|bolt|memcached?|zookeeper|consul|docker|oci|chrome-extension|moz-extension|webpack|webpack-internal|mqtts?|stuns?|turns?|rtmps?|rtsp|smb|nfs|cifs|dns|grpcs?|etcd|snowflake|databricks|bigquery|vnc|telnet|elasticsearch|sqlite|h2c?):\/\/[^\s"'`]|\bjdbc:[a-z]|\b(?:data:[a-z/+]{3,40};base64,|javascript:|vbscript:|data:text\/html)/i,
  },
  {
    id: "url.private",
    find: /\b(?:https?|wss?):\/\/([^\s/?#"'`<>)\]]{1,253})/gi,
    confirm: (match) => !isPublicHost(match[1] ?? ""),
  },
  {
    id: "url.userinfo",
    find: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#"'`]{0,200}@/i,
  },
  {
    id: "url.webhook",
    find: new RegExp(
      `${WEBHOOK}|\\bwebhook\\.(?:office\\.com|site)\\b|\\b(?:requestbin|pipedream|burpcollaborator|oastify|interact)\\.(?:com|net|sh)\\b|\\boast\\.\\w{2,4}\\b`,
      "i",
    ),
  },
  {
    id: "url.query",
    find: /[?&#;]((?:[\w-]{0,20}[-_])?(?:access_?token|token|key|api_?key|apikey|sig|signature|secret|password|passwd|pwd|pass|auth|session|sid|jwt|code|state|credential|assertion|ticket|otp|nonce|sas|email|phone|user|username|login|ssn)|X-(?:Amz|Goog)-[\w-]{1,30}|AWSAccessKeyId|SAMLRequest|SAMLResponse|RelayState)=([^\s&"'`<>]{4,})/gi,
    confirm: (match) => isSensitiveQuery(match[1] ?? "", match[2] ?? ""),
  },
  {
    id: "url.path-token",
    find: /\bhttps?:\/\/[^\s/?#"'`]{1,253}\/[^\s"'`<>)]{1,500}/gi,
    confirm: ([url]) => hasRandomPart(url),
  },
] as const satisfies readonly PatternRule[];

const TLD = /\.[a-z]{2,18}$/i;
const PRIVATE_LABEL =
  /xn--|(?:^|[.-])(?:internal|intern|intranet|intra|corp|local|localhost|localdomain|lan|private|priv|staging|stg|stage|preprod|prod|nonprod|uat|qa|bastion|jenkins|svc|cluster|consul|onion|test|invalid|k8s|vpc|vpn|int|ops|backoffice|attacker|evil|malicious|exfil)(?:[.-]|$|\d)/i;
const BARE = /^(?:$|\.{3}|…|\*|\{|%|your|host|hostname|domain|server|url)/i;

function isPublicHost(authority: string): boolean {
  const host = authority.replace(/[.,;:!?]{1,3}$/, "");
  if (BARE.test(host)) return true;
  if (host.includes("@") || host.includes(":") || !TLD.test(host)) return false;
  return !PRIVATE_LABEL.test(host);
}

function isSensitiveQuery(name: string, value: string): boolean {
  if (isPlaceholder(value)) return false;
  return /^(?:code|state|user|login|key|session|ticket|nonce)$/i.test(name)
    ? /\d/.test(value) && value.length >= 6
    : true;
}

function hasRandomPart(url: string): boolean {
  const path = url.slice(url.indexOf("/", 8));
  return path
    .split(/[/?&=#.,;:]/)
    .some((part) => looksRandom(part) || /%[0-9a-f]{2}.{0,40}%[0-9a-f]{2}.{0,40}%[0-9a-f]{2}/i.test(part));
}
