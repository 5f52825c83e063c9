import { looksRandom } from "./credentials.ts";
import { isPlaceholder, type PatternRule, WEBHOOK } from "./rule.ts";

/** URLs, except those of public pages such as documentation. */
export const URL_RULES = [
  {
    id: "url.scheme",
    cut: { to: "token" },
    find: /\b(?:postgres(?:ql)?|mysqlx?|mariadb|mongodb(?:\+srv)?|rediss?|valkeys?|amqps?|kafka|nats|ldaps?|smtps?|imaps?|pop3s?|sftp|ssh|git|svn|file|s3a?|gs|gcs|abfss?|wasbs?|hdfs|otpauth|tcp|udp|unix|clickhouse|cassandra|mssql|sqlserver|oracle|neo4j(?:\+s)?|bolt|memcached?|zookeeper|consul|docker|oci|chrome-extension|moz-extension|webpack|webpack-internal|mqtts?|stuns?|turns?|rtmps?|rtsp|smb|nfs|cifs|dns|grpcs?|etcd|snowflake|databricks|bigquery|vnc|telnet|elasticsearch|sqlite|h2c?):\/\/[^\s"'`]|\bjdbc:[a-z]|\b(?:data:[a-z/+]{3,40};base64,|javascript:|vbscript:|data:text\/html)/i,
  },
  {
    id: "url.private",
    cut: { to: "token" },
    find: /\b(?:https?|wss?):\/\/([^\s/?#"'`<>)\]]{1,253})/gi,
    confirm: (match) => !isPublicHost(match[1] ?? ""),
  },
  { id: "url.userinfo", cut: { to: "token" }, find: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#"'`]{0,200}@/i },
  {
    id: "url.webhook",
    cut: { to: "token" },
    find: new RegExp(
      `${WEBHOOK}|\\bwebhook\\.(?:office\\.com|site)\\b|\\b(?:requestbin|pipedream|burpcollaborator|oastify|interact)\\.(?:com|net|sh)\\b|\\boast\\.\\w{2,4}\\b`,
      "i",
    ),
  },
  {
    id: "url.query",
    cut: { to: "value", groups: [2] },
    find: /[?&#;]((?:[\w-]{0,20}[-_])?(?:access_?token|token|key|api_?key|apikey|sig|signature|secret|password|passwd|pwd|pass|auth|session|sid|jwt|code|state|credential|assertion|ticket|otp|nonce|sas|email|phone|user|username|login|ssn)|X-(?:Amz|Goog)-[\w-]{1,30}|AWSAccessKeyId|SAMLRequest|SAMLResponse|RelayState)=([^\s&"'`<>]{4,})/gi,
    confirm: (match) => isSensitiveQuery(match[1] ?? "", match[2] ?? ""),
  },
  {
    id: "url.path-token",
    cut: { to: "token" },
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

const SERVICE_NAMES =
  "localhost|redis|valkey|postgres(?:ql)?|pgbouncer|mysql|mariadb|mongo(?:db)?|kafka|rabbitmq|zookeeper|elastic(?:search)?|opensearch|memcached|cassandra|clickhouse|minio|vault|consul|etcd|nats|nginx|haproxy|envoy|proxy|gateway|backend|db|database|cache|broker|queue|api|server|host|auth|ldap|smtp|mail|web|app|service|svc|upstream";

export const HOST_RULES = [
  {
    id: "host.ipv4",
    cut: { to: "token" },
    find: /(?<![\w.]|(?:version|v|release|build|rev)\s?)(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\[?\.\]?(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\w]|\.\d)/i,
  },
  {
    id: "host.ipv6",
    cut: { to: "token" },
    find: /(?<![\w:.])[0-9a-f]{0,4}:[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){1,7}(?![\w:])/gi,
    confirm: ([address]) => isIpv6(address),
  },
  {
    id: "host.internal-name",
    cut: { to: "token" },
    find: /[a-z0-9_-]\.(?:internal|intern|local|localdomain|localhost|lan|corp|intra|intranet|private|svc|cluster|consul|home|prod|prd|staging|stg|uat|qa|onprem|infra|vpc|dc\d?|ad|arpa)\b(?![\w(=-]|\.[a-z]{3,}\()/i,
  },
  {
    id: "host.cloud-name",
    cut: { to: "token" },
    find: /[a-z0-9-](?<!\b(?:www|docs|support|help|developers?|status|learn|community))\.(?:amazonaws\.com(?:\.cn)?|core\.windows\.net|database\.windows\.net|vault\.azure\.net|azurewebsites\.net|cloudapp\.(?:net|azure\.com)|azurecr\.io|azmk8s\.io|servicebus\.windows\.net|documents\.azure\.com|redis\.cache\.windows\.net|run\.app|cloudfunctions\.net|appspot\.com|firebaseio\.com|herokuapp\.com|mongodb\.net|supabase\.co|neon\.tech|psdb\.cloud|upstash\.io|redislabs\.com|redis-cloud\.com|confluent\.cloud|elastic-cloud\.com|aivencloud\.com|snowflakecomputing\.com|databricks\.com|ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|workers\.dev|fly\.dev|internal\.\w+|onrender\.com|railway\.app|gcr\.io|pkg\.dev|iam\.gserviceaccount\.com|apps\.googleusercontent\.com|digitaloceanspaces\.com|ondigitalocean\.app|r2\.cloudflarestorage\.com|okta\.com|auth0\.com|onmicrosoft\.com)\b/i,
  },
  {
    id: "host.service-port",
    cut: { to: "token" },
    find: new RegExp(
      `(?<![\\w.@:/-])(?:(?:[a-z0-9]{1,20}[-_]){0,4}(?:${SERVICE_NAMES})(?:[-_]?[a-z0-9]{1,20}){0,3}:\\d{2,5}|[a-z][a-z0-9]{0,20}(?:[-_][a-z0-9]{1,20}){0,5}:(?:22|25|389|465|587|636|1433|1521|2181|237[5679]|2380|3128|3268|3306|3389|4222|4317|5432|5433|5601|567[12]|5984|6379|6380|6432|6443|7077|7474|7687|8080|8081|8086|8088|8123|8200|8300|8443|8500|8529|8883|8888|909[0-9]|9042|9100|9200|9300|9418|10250|11211|15672|26257|26379|2701[789]|50051|61616))(?![\\d:.])`,
      "i",
    ),
  },
  {
    id: "host.resolve",
    cut: { to: "match", groups: [1] },
    find: /\b(?:resolve|resolving|lookup|reach|reaching|connect(?:ed|ing)? to|connection to|unreachable:?|unknown host:?|ssh to|ping|handshake with|dial(?:ing)?|talk to|forwarded? to|proxied to|routed to|timed out (?:waiting for|contacting)|refused by|rejected by|from|via|peer|upstream|origin|backend|replica|primary|secondary|leader|follower|broker|shard|master|slave|(?<!for )instance|machine|member|server|host)\s(?:host\s|server\s|node\s|upstream\s|backend\s)?["'`(]?(?!v\d|(?:us|eu|ap|sa|ca|me|af|il|mx)-)([a-z]{2,20}(?:[-_.][a-z0-9]{1,20}){0,6}[-_.]?\d{1,4}[a-z]?(?:[-_.][a-z0-9]{1,20}){0,5}|(?:[a-z0-9]{1,20}-){1,5}(?:db|sql|redis|cache|mq|lb|api|svc|srv|proxy|gw|node|master|primary|replica|broker|worker|bastion|kafka|mongo|pg|es)\b)(?![\w/])/gi,
    confirm: (match) => isMachineName(match[1] ?? ""),
  },
  {
    id: "host.compute",
    cut: { to: "token" },
    find: /\bip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}\b|\b(?:i|vpc|subnet|sg|eni|vol|ami|snap|rtb|igw|nat|acl|eipalloc|lt|asg|fs|tgw|vpce)-[0-9a-f]{8,17}\b|\bgke-[a-z0-9-]{4}|\baks-[a-z0-9-]{4,40}-vmss/,
  },
] as const satisfies readonly PatternRule[];

function isIpv6(text: string): boolean {
  const groups = text.split(":");
  if (groups.length > 8 || text.includes(":::") || text === "::") return text === "::1";
  const gaps = text.includes("::");
  if (gaps) return text.indexOf("::") === text.lastIndexOf("::") && groups.some((part) => part.length > 0);
  return groups.length === 8 && groups.every((part) => part.length > 0);
}

// A number at the end is typical of a machine, but `step-3` and `v2` are not machines.
function isMachineName(name: string): boolean {
  return !/^(?:step|page|line|item|row|version|version-\d|phase|part|port|tier|level|rule|sha|utf|iso|http|oauth|python|node|es|top|type|table|figure|section|chapter|q|h|e|v|rev|issue|pr|case|test|ref|uid|file|tab|request|slot|option|column|field|report|invoice|order)[-_. ]?\d/i.test(
    name,
  );
}

/** Paths of a file system. JSON pointers and URL paths look alike, so the first folder must be one of a system. */
export const PATH_RULES = [
  {
    id: "path.posix",
    cut: { to: "token" },
    find: /(?<![\w.~/*)}\]-])\/(?:bin|boot|etc|home|lib64|lib|mnt|nix|opt|proc|root|sbin|snap|srv|sys|tmp|usr|Users|var|Volumes|workspace|workspaces|www|Applications|Library|node_modules|private\/(?:var|tmp|etc)|run\/\w{2,}|dev\/(?:shm|sd|nvme|tty|null|mapper|disk|urandom|xvd)|app\/[\w.@-]{1,80}|go\/(?:src|pkg)|github\/workspace|System\/Library|usr\/local)(?:\/[^\s'"`)]|(?=[\s'"`):,.;]|$)(?<=lib64|nix|sbin|tmp|proc|root|\/\w{2,12}\/[\w.@-]{1,80}))/,
  },
  {
    id: "path.file",
    cut: { to: "token" },
    find: /(?<![\w.~/*)}\]:-])\/(?!api\/|v\d|docs?\/|\.well-known\/|static\/|assets\/|\/)(?:[\w.@+-]{1,80}\/){1,12}[\w.@+-]{0,80}\.(?!(?:js|io|net|ai|dev)\b(?!\w|\/))[a-z][a-z0-9]{1,5}(?![\w/])/i,
  },
  {
    id: "path.denied",
    cut: { to: "token" },
    find: /\/[\w.-]{1,80}\/[\w.-]{1,80}["']?: (?:permission denied|access denied|not a directory|is a directory)/i,
  },
  {
    id: "path.home",
    cut: { to: "token" },
    find: /(?<![\w/])~\w{0,32}\/[\w.]|\$HOME\b|\$\{HOME\}|%(?:APPDATA|USERPROFILE|LOCALAPPDATA|ProgramFiles|ProgramData|TEMP|SystemRoot|windir)%/i,
  },
  {
    id: "path.windows",
    cut: { to: "token" },
    find: /(?<![A-Za-z0-9\]])[A-Za-z]:\\{1,4}[\w$. -]{2,}|\b[A-Za-z]:\/(?:Users|Windows|Program|ProgramData|inetpub|xampp|wamp|build|src|work|jenkins|agent|actions|a|dev|git|repos|projects|temp)\b/i,
  },
  { id: "path.unc", cut: { to: "token" }, find: /(?<![\w\\])\\{2,4}[\w.-]{2,63}\\{1,2}[\w$.-]{2,}/ },
] as const satisfies readonly PatternRule[];
