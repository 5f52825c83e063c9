import {
  alnum,
  alphabet,
  base64Chars,
  chars,
  digits,
  filled,
  hex,
  joined,
  type LeakTable,
  type Maker,
  mapped,
  password,
  plainPassword,
  toBase64,
  toBase64Url,
  urlSafe,
} from "./values.ts";

// The line is put together at run time, so that a secret scanner does not take the template for a key.
const PRIVATE = ["PRIVATE", "KEY"].join(" ");
const armoured = (label: string, body: string) => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;

const jwtHead = toBase64Url(JSON.stringify({ alg: "RS256", typ: "JWT" }));
const jwtClaims: Maker = (random) =>
  toBase64Url(JSON.stringify({ sub: digits(8)(random), iss: "auth.corp.example", exp: 1999999999 }));

/** A field of a crypt string. */
const dollar = (maker: Maker): Maker => joined("$", maker);

/** Credentials without a recognisable shape: only their place (header, URL, assignment, file format) reveals them. */
export const credOpaque = {
  "pem-rsa": filled(armoured(`RSA ${PRIVATE}`, "{0}\n{1}"), [base64Chars(64), base64Chars(64)]),
  "pem-in-json": filled(
    JSON.stringify({ type: "service_account", private_key: armoured(PRIVATE, "{0}"), client_id: "{1}" }),
    [base64Chars(64), digits(21)],
  ),
  "pem-openssh": filled(armoured(`OPENSSH ${PRIVATE}`, "{0}"), [base64Chars(70)]),
  "pem-cut-off": filled(`error:0909006C:PEM routines: no start line near -----BEGIN EC ${PRIVATE}-----\n{0}`, [
    base64Chars(64),
  ]),
  "putty-key": filled("PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n{0}\nPrivate-MAC: {1}", [
    base64Chars(48),
    hex(64),
  ]),
  "pgp-key": filled(armoured(`PGP ${PRIVATE} BLOCK`, "\n{0}"), [base64Chars(64)]),
  jwt: filled(`jwt malformed: ${jwtHead}.{0}.{1}`, [jwtClaims, urlSafe(43)]),
  "jwt-without-signature": filled(`token has no signature: ${jwtHead}.{0}.`, [jwtClaims]),
  jwe: filled(`cannot decrypt ${toBase64Url('{"alg":"dir","enc":"A256GCM"}')}..{0}.{1}.{2}`, [
    urlSafe(16),
    urlSafe(60),
    urlSafe(22),
  ]),
  paseto: filled("PasetoError: invalid signature in v4.public.{0}", [urlSafe(120)]),
  "bearer-in-headers": filled('request headers {"authorization":"Bearer {0}","accept":"*/*"}', [hex(40)]),
  "basic-header": filled("Authorization: Basic {0}", [mapped(joined("svc-user:", password), toBase64)]),
  "digest-header": filled('Authorization: Digest username="kim", realm="api", nonce="{0}", response="{1}"', [
    hex(32),
    hex(32),
  ]),
  "api-key-header": filled("> GET /v2/me HTTP/2\n> x-api-key: {0}\n< HTTP/2 403", [alnum(40)]),
  "aws-v4-header": filled("AWS4-HMAC-SHA256 Credential=AKIA{0}/20260131/eu-west-1/s3/aws4_request, Signature={1}", [
    chars(16, alphabet.base32),
    hex(64),
  ]),
  cookie: filled("Cookie: session={0}; csrftoken={1}", [alnum(32), alnum(26)]),
  "set-cookie": filled("Set-Cookie: sid={0}; Path=/; HttpOnly; SameSite=Lax", [urlSafe(44)]),
  "php-session": filled("session_start(): Session PHPSESSID={0} is locked", [chars(26, alphabet.lowerAlnum)]),
  "java-session": filled("GET /cart;jsessionid={0} 500", [chars(32, "0123456789ABCDEF")]),
  "unknown-vendor-prefix": filled("Header must be Bearer pl_key_{0}", [alnum(28)]),
  "unknown-vendor-bare": filled("key qz-{0} is revoked", [chars(30, alphabet.lowerAlnum)]),
  "url-userinfo": filled("connect to https://svc:{0}@api.example.com/v1 failed", [plainPassword]),
  "url-access-token": filled("GET https://api.example.com/v1/me?access_token={0}&page=1 -> 500", [urlSafe(36)]),
  "url-fragment": filled("redirect to https://app.example.com/cb#id_token={0}&state=1 refused", [urlSafe(64)]),
  "url-reset-link": filled("mail bounced: https://app.example.com/reset/{0}", [urlSafe(48)]),
  "oauth-code": filled("invalid_grant: code={0} was already redeemed, code_verifier={1}", [urlSafe(42), urlSafe(64)]),
  "s3-presigned": filled("403 https://b.s3.amazonaws.com/k?X-Amz-Expires=900&X-Amz-Signature={0}", [hex(64)]),
  "gcs-signed": filled("https://storage.googleapis.com/b/o?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Signature={0}", [
    hex(512),
  ]),
  "cloudfront-signed": filled("https://d1.cloudfront.net/f?Expires=1999999999&Signature={0}__&Key-Pair-Id=K{1}", [
    urlSafe(170),
    chars(13, alphabet.upperAlnum),
  ]),
  "azure-sas": filled("https://acct.blob.core.windows.net/c/b?sv=2024-01-01&se=2027-01-01&sig={0}", [
    mapped(alnum(32), (value) => encodeURIComponent(toBase64(value))),
  ]),
  "azure-storage": filled("DefaultEndpointsProtocol=https;AccountName=acct;AccountKey={0};EndpointSuffix=x", [
    mapped(alnum(64), toBase64),
  ]),
  "azure-service-bus": filled("Endpoint=sb://ns.example/;SharedAccessKeyName=Root;SharedAccessKey={0}", [
    mapped(alnum(32), toBase64),
  ]),
  "postgres-url": filled(
    "could not connect: postgres://app_rw:{0}@10.20.0.5:5432/shop",
    [plainPassword],
    "10.20.0.5",
    "app_rw",
  ),
  "libpq-pairs": filled(
    "host=db-primary.internal port=5432 user=app_rw password={0} dbname=shop",
    [password],
    "db-primary.internal",
  ),
  "mysql-url": filled("Access denied using mysql2://root:{0}@mysql-0.mysql:3306/erp", [plainPassword], "mysql-0.mysql"),
  "mongo-srv": filled("MongoServerError: bad auth mongodb+srv://root:{0}@c0.ab1cd.mongodb.net/admin", [plainPassword]),
  "redis-url": filled("NOAUTH rediss://:{0}@cache-01.prod.internal:6380/0", [alnum(24)], "cache-01.prod.internal"),
  "amqp-url": filled("ACCESS_REFUSED amqps://billing:{0}@rabbit-2.corp.example:5671/vh", [plainPassword], "rabbit-2"),
  "ldap-bind": filled("LDAP: error code 49, bind cn=admin,dc=acme,dc=example with {0}", [password], "dc=acme"),
  "smtp-auth": filled("535 5.7.8 Authentication failed: AUTH PLAIN {0}", [
    mapped(password, (value) => toBase64(`\0mailer\0${value}`)),
  ]),
  "ado-net": filled("Login failed. Server=tcp:sql01;Database=erp;User Id=sa;Password={0};Encrypt=true", [password]),
  jdbc: filled("No suitable driver for jdbc:oracle:thin:scott/{0}@//ora1:1521/ORCL", [plainPassword], "ora1:1521"),
  "json-password": filled('{"user":"kim","password":"{0}"}', [password]),
  "yaml-password": filled("database:\n  adapter: pg\n  password: '{0}'\n", [password]),
  "xml-password": filled("<connection><user>sa</user><password>{0}</password></connection>", [password]),
  "ini-secret": filled("[oauth]\nclient_id = web\nclient_secret = {0}", [alnum(40)]),
  "form-password": filled("body: grant_type=password&username=kim&password={0}", [
    mapped(password, encodeURIComponent),
  ]),
  "argv-password": filled("Command failed: mysqldump -h 10.1.1.9 -u root -p'{0}' erp", [password], "10.1.1.9"),
  "curl-user": filled("curl: (22) 401: curl -sS -u 'ci:{0}' https://repo.example.com/v2/", [password]),
  "curl-header": filled("Command failed: curl -H 'Authorization: token {0}' https://api.example.com/user", [hex(40)]),
  "env-dump": filled("env: NODE_ENV=production DJANGO_SECRET_KEY={0} PORT=8080", [chars(50, `${alphabet.alnum}@%^*`)]),
  "dotenv-lines": filled("APP_ENV=prod\nJWT_SECRET={0}\nDB_PASS={1}\nSENTRY_DSN=", [base64Chars(44), password]),
  "docker-auths": filled(
    '{"auths":{"registry.corp.io":{"auth":"{0}"}}}',
    [mapped(joined("ci:", password), toBase64)],
    "registry.corp.io",
  ),
  "kube-secret": filled("kind: Secret\ndata:\n  db-root: {0}", [mapped(password, toBase64)]),
  "kube-config": filled("users:\n- name: admin\n  user:\n    client-key-data: {0}", [base64Chars(120)]),
  netrc: filled("machine api.example.com login kim password {0}", [alnum(20)]),
  "htpasswd-md5": filled("user admin: password mismatch, admin:$apr1{0}{1}", [dollar(alnum(8)), dollar(alnum(22))]),
  bcrypt: filled("hash mismatch $2b$12{0}", [dollar(chars(53, `${alphabet.alnum}./`))]),
  argon2: filled("verify($argon2id$v=19$m=65536,t=3,p=4{0}{1}) = false", [
    dollar(base64Chars(22)),
    dollar(base64Chars(43)),
  ]),
  "shadow-line": filled("bad entry root:$6{0}{1}:19700:0:99999:7:::", [dollar(alnum(16)), dollar(alnum(86))]),
  otpauth: filled("otpauth://totp/Acme:kim?secret={0}&issuer=Acme", [chars(32, alphabet.base32)]),
  "one-time-code": filled("verification code {0} sent to the user has expired", [digits(6)]),
  "oauth-client-secret": filled('invalid_client: client_secret "{0}" does not match', [
    chars(40, `${alphabet.alnum}~.`),
  ]),
  "ethereum-key": filled("signer init failed for 0x{0}", [hex(64)]),
  "saml-assertion": filled("SAMLResponse={0} is expired", [
    mapped(alnum(60), (value) => toBase64(`<saml:Assertion ID="_${value}">`)),
  ]),
  "kerberos-keytab": filled("kinit: Preauthentication failed, KRB5 key aes256-cts:{0} for HTTP/web1@ACME.EXAMPLE", [
    hex(64),
  ]),
} satisfies LeakTable;
