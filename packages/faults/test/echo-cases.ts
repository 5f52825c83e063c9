/** A leak in which a part repeats the caller: what the caller sent, and the secret that it did not send whole. */
export interface EchoCase {
  readonly text: string;
  readonly args: unknown;
  readonly secret: string;
}

/** Sentences in which a service says, in plain words, what it was given or has. Written in one go, before any of them was tried. */
export const echoCases: readonly EchoCase[] = [
  // Refused access, with the password as a plain word
  { text: "db.internal refused user root with Sommer", args: { host: "db.internal" }, secret: "Sommer" },
  { text: "10.0.0.5 rejected login of app using Herbst", args: { host: "10.0.0.5" }, secret: "Herbst" },
  { text: "ann@example.com could not sign in with Kestrel", args: { email: "ann@example.com" }, secret: "Kestrel" },
  {
    text: "mail.internal: login as postmaster / Winterabend failed",
    args: { host: "mail.internal" },
    secret: "Winterabend",
  },
  {
    text: "ldap.corp.local denied bind by svc-reader: Fruehling",
    args: { server: "ldap.corp.local" },
    secret: "Fruehling",
  },
  { text: "/srv/share was not mounted for guest (Regenbogen)", args: { path: "/srv/share" }, secret: "Regenbogen" },
  { text: "Tried Sommer for root at db.internal", args: { host: "db.internal" }, secret: "Sommer" },
  { text: "root:Sommer was not accepted by db.internal", args: { host: "db.internal" }, secret: "Sommer" },
  {
    text: "db.internal does not accept Sommer from root",
    args: { host: "db.internal", user: "root" },
    secret: "Sommer",
  },
  {
    text: "vpn.internal: user ann, answer Bluebird, was wrong",
    args: { host: "vpn.internal", user: "ann" },
    secret: "Bluebird",
  },
  // One part of an address or a path
  { text: "connect postgres://app:Sommer@db.internal/orders failed", args: { host: "db.internal" }, secret: "Sommer" },
  {
    text: "connect postgres://app:Sommer@db.internal/orders failed",
    args: { host: "db.internal", user: "app", db: "orders" },
    secret: "Sommer",
  },
  {
    text: "GET https://api.internal/v1/orders?key=Sommer returned 403",
    args: { url: "https://api.internal/v1/orders" },
    secret: "Sommer",
  },
  { text: "open /srv/tenants/acme/keys/prod.pem failed", args: { tenant: "acme" }, secret: "/srv/tenants/" },
  { text: "open /srv/tenants/acme/orders.json failed", args: { file: "orders.json" }, secret: "/srv/tenants/" },
  { text: "No file /home/ann/notes.txt on nas7.internal", args: { path: "/home/ann/notes.txt" }, secret: "nas7" },
  { text: "s3://acme-prod-backup/2024/db.dump is missing", args: { date: "2024" }, secret: "acme-prod-backup" },
  { text: "smb://fileserver/finance$/Gehalt.xlsx is locked", args: { file: "Gehalt.xlsx" }, secret: "finance$" },
  // One part of a token or a number
  { text: "The token sk_live_51Habc9876 is not valid", args: { prefix: "sk_live" }, secret: "51Habc9876" },
  { text: "Bearer abc.def.ghiJ9 has expired", args: { token: "abc" }, secret: "ghiJ9" },
  { text: "Card 4111 1111 1111 1111 was declined", args: { last4: "1111" }, secret: "4111 1111" },
  { text: "IBAN DE89370400440532013000 is closed", args: { country: "DE89" }, secret: "370400440532013000" },
  { text: "The account 0532013000 at DE89 3704 0044 is closed", args: { account: "0532013000" }, secret: "3704 0044" },
  { text: "Key AKIAIOSFODNN7EXAMPLE of user deploy is disabled", args: { user: "deploy" }, secret: "AKIAIOSFODNN7" },
  { text: "OTP 483921 for +49 30 901820 is used", args: { phone: "+49 30 901820" }, secret: "483921" },
  { text: "The code for +49 30 901820 was 4839", args: { phone: "+49 30 901820" }, secret: "4839" },
  // Other people and other tenants beside the caller's own
  {
    text: "ann@example.com is a duplicate of bob.stone@example.com",
    args: { email: "ann@example.com" },
    secret: "bob.stone",
  },
  { text: "ann@example.com belongs to Bob Stone", args: { email: "ann@example.com" }, secret: "Bob Stone" },
  { text: "+49 30 901820 is the number of Carla Weiss", args: { phone: "+49 30 901820" }, secret: "Carla Weiss" },
  {
    text: "Order 7f3c2a10-5b7e-4c1d-9a55-0c2f1e6b8d43 is of tenant 88123",
    args: { order: "7f3c2a10-5b7e-4c1d-9a55-0c2f1e6b8d43" },
    secret: "88123",
  },
  { text: "/home/ann/a.txt is owned by uid 1003 (bstone)", args: { path: "/home/ann/a.txt" }, secret: "bstone" },
  // Programs that name their own parts
  {
    text: 'relation "payroll_2024" does not exist at db.internal',
    args: { host: "db.internal" },
    secret: "payroll_2024",
  },
  {
    text: "column salary of employees is not readable for ann@example.com",
    args: { email: "ann@example.com" },
    secret: "employees",
  },
  {
    text: "ER_ACCESS_DENIED: 'app'@'10.0.0.9' (using password: YES) for 10.0.0.5",
    args: { host: "10.0.0.5" },
    secret: "10.0.0.9",
  },
  {
    text: "Error at OrderRepo.find (/srv/app/orders.ts:12) for ann@example.com",
    args: { email: "ann@example.com" },
    secret: "orders.ts",
  },
  { text: "10.20.30.40 is behind bastion-3 in rack Q7", args: { ip: "10.20.30.40" }, secret: "bastion-3" },
  // The secret named, or asked for, in other words
  { text: "The word for door.internal is Kestrel", args: { host: "door.internal" }, secret: "Kestrel" },
  {
    text: "The passphrase of ann@example.com is blue kettle",
    args: { email: "ann@example.com" },
    secret: "blue kettle",
  },
  { text: "Say Kestrel to open door.internal", args: { host: "door.internal" }, secret: "Kestrel" },
  { text: "door.internal opens with Kestrel only", args: { host: "door.internal" }, secret: "Kestrel" },
];

/** Further cases, written after the rules were changed for the ones above. The rules were changed again for these. */
export const laterEchoCases: readonly EchoCase[] = [
  {
    text: "cache.internal turned away app because Sonnenblume is old",
    args: { host: "cache.internal" },
    secret: "Sonnenblume",
  },
  {
    text: "Connected to ftp.internal as deploy, then Tannenbaum was sent",
    args: { host: "ftp.internal" },
    secret: "Tannenbaum",
  },
  { text: "ann@example.com typed Kolibri instead", args: { email: "ann@example.com" }, secret: "Kolibri" },
  { text: "192.168.7.9 expects Morgenstern from backup", args: { ip: "192.168.7.9" }, secret: "Morgenstern" },
  { text: "The router 192.168.7.1 has community Sesam", args: { ip: "192.168.7.1" }, secret: "Sesam" },
  { text: "wifi.local needs Kaffeetasse", args: { ssid: "wifi.local" }, secret: "Kaffeetasse" },
  {
    text: "svc-mail cannot reach mail.internal with Zaunkoenig",
    args: { host: "mail.internal" },
    secret: "Zaunkoenig",
  },
  { text: "imap.internal: LOGIN ann Pfefferminz NO", args: { host: "imap.internal" }, secret: "Pfefferminz" },
  { text: "AUTH Lindwurm failed on redis.internal", args: { host: "redis.internal" }, secret: "Lindwurm" },
  { text: "The vault at /srv/vault opens to Drachenfels", args: { path: "/srv/vault" }, secret: "Drachenfels" },
  {
    text: "/srv/vault/a.kdbx: key Drachenfels does not fit",
    args: { path: "/srv/vault/a.kdbx" },
    secret: "Drachenfels",
  },
  { text: "a.zip in /home/ann/a.zip is locked with Apfelmus", args: { path: "/home/ann/a.zip" }, secret: "Apfelmus" },
  { text: "+49 30 901820 was told Nachtigall", args: { phone: "+49 30 901820" }, secret: "Nachtigall" },
  { text: "+49 30 901820 got 730915", args: { phone: "+49 30 901820" }, secret: "730915" },
  { text: "ann@example.com was sent 730915 by mail", args: { email: "ann@example.com" }, secret: "730915" },
  { text: "ann@example.com shares a bed with Bob Stone", args: { email: "ann@example.com" }, secret: "Bob Stone" },
  { text: "ann@example.com is the patient of Dr. Weiss", args: { email: "ann@example.com" }, secret: "Weiss" },
  { text: "ann@example.com earns 84,000 EUR", args: { email: "ann@example.com" }, secret: "84,000" },
  { text: "ann@example.com: see ticket INC-48213 of Globex", args: { email: "ann@example.com" }, secret: "Globex" },
  {
    text: "https://shop.internal/p/1 moved to https://shop2.internal/p/1",
    args: { url: "https://shop.internal/p/1" },
    secret: "shop2",
  },
  {
    text: "https://shop.internal/p/1 needs header X-Key: Sesam77",
    args: { url: "https://shop.internal/p/1" },
    secret: "Sesam77",
  },
  {
    text: "curl -u app:Sesam https://shop.internal/p/1 failed",
    args: { url: "https://shop.internal/p/1" },
    secret: "Sesam",
  },
  { text: "redis://:Sesam@cache.internal:6379 is down", args: { host: "cache.internal" }, secret: "Sesam" },
  { text: "User=sa;Pwd=Sesam;Server=db.internal", args: { host: "db.internal" }, secret: "Sesam" },
  { text: "jdbc:oracle:thin:scott/tiger@db.internal:1521 refused", args: { host: "db.internal" }, secret: "tiger" },
  { text: "mount -o user=ann,pass=Sesam //nas/share /mnt/a failed", args: { path: "/mnt/a" }, secret: "Sesam" },
  { text: "/mnt/a is exported from nas3:/vol/payroll", args: { path: "/mnt/a" }, secret: "payroll" },
  { text: "/mnt/a/b.csv is a link to /vol/payroll/b.csv", args: { path: "/mnt/a/b.csv" }, secret: "payroll" },
  { text: "Query on db.internal hit table payroll_q3", args: { host: "db.internal" }, secret: "payroll_q3" },
  { text: "db.internal ran SELECT name FROM payroll", args: { host: "db.internal" }, secret: "payroll" },
  { text: "10.1.1.1 forwards to 10.1.9.9", args: { ip: "10.1.1.1" }, secret: "10.1.9.9" },
  { text: "10.1.1.1 answers for tenant Globex", args: { ip: "10.1.1.1" }, secret: "Globex" },
  { text: "Token of ann@example.com ends in Zx81", args: { email: "ann@example.com" }, secret: "Zx81" },
  { text: "Secret question of ann@example.com: Waldi", args: { email: "ann@example.com" }, secret: "Waldi" },
  { text: "ann@example.com must answer Waldi", args: { email: "ann@example.com" }, secret: "Waldi" },
  { text: "The dog of ann@example.com is called Waldi", args: { email: "ann@example.com" }, secret: "Waldi" },
  {
    text: "DE89 3704 0044 0532 0130 00 belongs to Globex",
    args: { iban: "DE89 3704 0044 0532 0130 00" },
    secret: "Globex",
  },
  {
    text: "Build of /srv/repo/app.git used key Sesamstrasse",
    args: { repo: "/srv/repo/app.git" },
    secret: "Sesamstrasse",
  },
  { text: "Dear admin, root at db.internal is Sommer now", args: { host: "db.internal" }, secret: "Sommer" },
  { text: "db.internal: credentials Sommer/root were reset", args: { host: "db.internal" }, secret: "Sommer" },
];

/** Honest sentences about access that repeat their caller, written at the same time as the second set. */
export const honestAccess: readonly Omit<EchoCase, "secret">[] = [
  { text: "ann@example.com has no access to this folder.", args: { email: "ann@example.com" } },
  { text: "The user ann@example.com is not an admin of this team.", args: { email: "ann@example.com" } },
  { text: "Access to /home/ann/private.txt was denied.", args: { path: "/home/ann/private.txt" } },
  { text: "db.internal refused the connection.", args: { host: "db.internal" } },
  { text: "mail.internal rejected the message: it is too large.", args: { host: "mail.internal" } },
  { text: "The account ann@example.com is locked. Ask an admin to unlock it.", args: { email: "ann@example.com" } },
  { text: "ann@example.com must sign in again.", args: { email: "ann@example.com" } },
  { text: "The host 10.0.0.5 does not accept connections on port 22.", args: { host: "10.0.0.5" } },
  { text: "You are not the owner of /home/ann/a.txt.", args: { path: "/home/ann/a.txt" } },
  { text: "No login page at https://shop.internal/login.", args: { url: "https://shop.internal/login" } },
  { text: "ann@example.com was invited already.", args: { email: "ann@example.com" } },
  { text: "The certificate of shop.internal has expired.", args: { host: "shop.internal" } },
  { text: "ann@example.com is already a guest of this workspace.", args: { email: "ann@example.com" } },
  { text: "The file /srv/a.csv is in use with another program.", args: { path: "/srv/a.csv" } },
  { text: "The time zone of ann@example.com is Berlin.", args: { email: "ann@example.com" } },
  { text: "ann@example.com was removed by the owner.", args: { email: "ann@example.com" } },
  { text: "The table of contents of /srv/a.pdf is empty.", args: { path: "/srv/a.pdf" } },
  { text: "shop.internal answered with HTML instead of JSON.", args: { host: "shop.internal" } },
  { text: "10.0.0.5 was last seen at 10:42.", args: { ip: "10.0.0.5" } },
  { text: "No user with the phone number +49 30 901820.", args: { phone: "+49 30 901820" } },
];

/** Written after the last change of the rules, which never changed because of them: held out. */
export const heldOutEchoCases: readonly EchoCase[] = [
  { text: "nas.internal said no to Bergkristall", args: { host: "nas.internal" }, secret: "Bergkristall" },
  { text: "nas.internal said no to bergkristall", args: { host: "nas.internal" }, secret: "bergkristall" },
  { text: "Wrong combination for safe.internal: kirschbaum", args: { host: "safe.internal" }, secret: "kirschbaum" },
  { text: "safe.internal wants another one than kirschbaum", args: { host: "safe.internal" }, secret: "kirschbaum" },
  { text: "kirschbaum no longer works for ann@example.com", args: { email: "ann@example.com" }, secret: "kirschbaum" },
  { text: "ann@example.com reused Kirschbaum", args: { email: "ann@example.com" }, secret: "Kirschbaum" },
  { text: "10.2.2.2 rebooted, new value Wacholder", args: { ip: "10.2.2.2" }, secret: "Wacholder" },
  { text: "snmpwalk -c Wacholder 10.2.2.2 timed out", args: { ip: "10.2.2.2" }, secret: "Wacholder" },
  { text: "10.2.2.2 (Wacholder) timed out", args: { ip: "10.2.2.2" }, secret: "Wacholder" },
  { text: "mqtt.internal closed: bad user device7", args: { host: "mqtt.internal" }, secret: "device7" },
  {
    text: "mqtt.internal closed: bad user sensor with heidekraut",
    args: { host: "mqtt.internal" },
    secret: "heidekraut",
  },
  { text: "Phone +49 30 901820 has voicemail code 2580", args: { phone: "+49 30 901820" }, secret: "2580" },
  { text: "+49 30 901820 is a line of Initech", args: { phone: "+49 30 901820" }, secret: "Initech" },
  { text: "+49 30 901820 is a line of INITECH", args: { phone: "+49 30 901820" }, secret: "INITECH" },
  { text: "/srv/a.txt was written by jdoe", args: { path: "/srv/a.txt" }, secret: "jdoe" },
  { text: "/srv/a.txt lies on disk WD-7781", args: { path: "/srv/a.txt" }, secret: "WD-7781" },
  { text: "/srv/a.txt is encrypted for Mallory", args: { path: "/srv/a.txt" }, secret: "Mallory" },
  { text: "ann@example.com reports to Trudy", args: { email: "ann@example.com" }, secret: "Trudy" },
  { text: "ann@example.com has diabetes", args: { email: "ann@example.com" }, secret: "diabetes" },
  {
    text: "https://a.internal/x is served by nginx on web-04",
    args: { url: "https://a.internal/x" },
    secret: "web-04",
  },
];
