import { expect, test } from "vitest";
import { bytesAsText, certificateNames, recognizeService } from "./connect.ts";

test.for([
  ["a TLS server", "\u0015\u0003\u0003\0\u0002\u0002F"],
  ["an HTTP/2 server without HTTP/1.1", "\0\0\u0012\u0004\0\0\0\0\0"],
  ["Redis", "-ERR unknown command\r\n"],
  ["Redis", "-NOAUTH Authentication required.\r\n"],
  ["PostgreSQL", "E\0\0\0\u0090SFATAL\0"],
  ["MySQL or MariaDB", "J\0\0\0\n8.4.2\0"],
  ["SSH", "SSH-2.0-OpenSSH_9.6\r\n"],
  ["a mail or FTP server", "220 mail.example ESMTP\r\n"],
  ["Memcached", "ERROR\r\n"],
  [undefined, "hello"],
  [undefined, ""],
] as const)("%s is known by %j", ([name, bytes]) => {
  expect(recognizeService(Buffer.from(bytes, "latin1"))).toBe(name);
});

test("bytes are shown without control characters", () => {
  expect(bytesAsText(Uint8Array.of(0x41, 0x1b, 0x5b, 0xff))).toBe("A\\x1b[\\xff");
});

test("a certificate without alternative names has its common name, and one without any has none", () => {
  const subject = { CN: "shop.example" } as never;
  expect(certificateNames({ subjectaltname: "DNS:a.example, IP Address:127.0.0.1", subject })).toEqual([
    "a.example",
    "127.0.0.1",
  ]);
  expect(certificateNames({ subject })).toEqual(["shop.example"]);
  expect(certificateNames({ subjectaltname: "", subject: {} as never })).toEqual([]);
});
