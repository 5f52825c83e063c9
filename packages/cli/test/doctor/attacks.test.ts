// Programs and servers that attack whoever diagnoses them, and users who give up.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { COMPILE_CACHE } from "../support/compile-cache.ts";
import { diagnose, ENDED_AT_ONCE, runDoctor, SETTLED } from "./run-doctor.ts";
import { always, listen, overHttp, overTcp } from "./servers.ts";

const STAND_IN = fileURLToPath(new URL("stand-in.ts", import.meta.url));
const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const SECRET = "tok-5f2c9e7711";
const standIn = (name: string): string[] => ["node", STAND_IN, name];

/** Whether a process still runs. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("secrets", () => {
  test.for(["tells-secrets", "tells-secrets-late"])("%s: what was given with -e is never shown", async (name) => {
    for (const mode of [[], ["--json"], ["--verbose"]]) {
      const { stdout, stderr } = await runDoctor([...mode, "-e", `SHOP_TOKEN=${SECRET}`, ...standIn(name)]);
      expect(stdout).toMatch(/Error:/);
      // Not even the beginning: texts are cut after the secrets are removed.
      expect(stdout + stderr).not.toContain(SECRET.slice(0, 8));
    }
  });

  test("a server that repeats the header does not get it onto the screen", async () => {
    await using server = await listen(
      overHttp((incoming, response) => {
        const given = String(incoming.headers.authorization);
        response
          .writeHead(403, { "www-authenticate": given })
          .end(`denied: ${given} ${Buffer.from(given).toString("base64")}`);
      }),
    );
    const url = `http://127.0.0.1:${server.port}/mcp`;
    for (const mode of [[], ["--json"]]) {
      const { stdout, exit } = await runDoctor([...mode, "-H", `Authorization: Bearer ${SECRET}`, url]);
      expect(exit).toBe("credentials");
      expect(stdout).toContain("denied");
      expect(stdout).not.toContain(SECRET);
      expect(stdout).not.toContain(Buffer.from(`Bearer ${SECRET}`).toString("base64"));
    }
  });

  test("a redirect with the secret of the address is shown without it", async () => {
    await using server = await listen(
      overHttp((incoming, response) => response.writeHead(308, { location: `/new${incoming.url}` }).end()),
    );
    const { stdout } = await runDoctor([`http://127.0.0.1:${server.port}/mcp?api_key=${SECRET}`]);
    expect(stdout).toContain("D28");
    expect(stdout).not.toContain(SECRET);
  });
});

describe("what reaches the terminal", () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there.
  const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

  test("sequences of a program are not passed on", async () => {
    for (const mode of [[], ["--verbose"]]) {
      const { stdout, stderr } = await runDoctor([...mode, "-e", "SHOP_TOKEN=abc", ...standIn("tells-secrets")]);
      expect(stdout).toContain("D7");
      expect(stdout + stderr).not.toMatch(HARMFUL);
    }
  });

  test("a server cannot forge lines of the report", async () => {
    await using server = await listen(overHttp(always(500, {}, "\u001b[2J\n  ✔ shop is ready\n\u202e")));
    const { stdout } = await runDoctor([`http://127.0.0.1:${server.port}/mcp`]);
    expect(stdout).not.toMatch(HARMFUL);
    expect(stdout).not.toMatch(/^\s*✔ shop is ready/m);
  });
});

describe.concurrent("endless output", () => {
  test.for(["flood", "flood-stderr"])("%s ends with the limit", async (name) => {
    const { cause } = await diagnose(["--timeout", "2", ...standIn(name)], { waits: ENDED_AT_ONCE });
    expect(cause?.id).toBe("D13");
  });

  test("an endless body ends with the limit", async () => {
    await using server = await listen(
      overHttp((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const write = (): void => {
          while (!response.destroyed && response.write(`: ${"x".repeat(10_000)}\n\n`));
          response.once("drain", write);
        };
        write();
      }),
    );
    const { cause } = await diagnose(["--timeout", "2", `http://127.0.0.1:${server.port}/mcp`]);
    expect(cause?.id).toBe("D42");
  });

  test("an endless event ends with the limit", async () => {
    let sent = 0;
    const piece = "x".repeat(256 * 1_024);
    await using server = await listen(
      overHttp((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const go = (): void => {
          while (!response.destroyed && sent < 512 * 1_024 * 1_024) {
            sent += piece.length;
            if (!response.write(sent === piece.length ? `data: ${piece}` : piece)) {
              response.once("drain", go);
              return;
            }
          }
        };
        go();
      }),
    );
    const { stdout, exit } = await runDoctor([`http://127.0.0.1:${server.port}/mcp`, "--timeout", "5"]);
    expect(exit).toBe("findings");
    expect(stdout).toMatch(/D\d+/);
    // Each of a few requests reads up to its own limit.
    expect(sent).toBeLessThan(96 * 1_024 * 1_024);
  });

  test("a batch of 300,000 messages does not end the diagnosis", async () => {
    const batch = `[${Array(300_000).fill('{"jsonrpc":"2.0","method":"a"}').join(",")}]`;
    await using server = await listen(
      overHttp((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${batch}\n\n`);
      }),
    );
    const { stdout, stderr, exit } = await runDoctor([`http://127.0.0.1:${server.port}/mcp`, "--timeout", "20"]);
    expect(stderr).not.toContain("bug");
    expect(exit).toBe("findings");
    expect(stdout).toMatch(/D\d+/);
  });
});

describe("nothing is left behind", () => {
  test("children of the program end with it", async () => {
    const { stderr, exit } = await runDoctor(["--timeout", "60", "--verbose", ...standIn("leaves-child")], {
      waits: { ...SETTLED, ...ENDED_AT_ONCE },
    });
    expect(exit).toBe("ok");
    const pids = [...stderr.matchAll(/child (\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids.length).toBeGreaterThan(0);
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  test.for([
    ["while a program is silent", standIn("silent")],
    ["while a program floods", standIn("flood")],
  ] as const)("Ctrl-C %s", async ([, command]) => {
    const interrupted = new AbortController();
    const running = runDoctor(["--timeout", "600", ...command], {
      signal: interrupted.signal,
      // In the middle of whatever it does then.
      onOutput: () => setTimeout(() => interrupted.abort(), 300),
    });
    expect((await running).exit).toBe("interrupted");
  });

  test("Ctrl-C while a server is silent", async () => {
    await using server = await listen(overTcp(() => {}));
    for (const scheme of ["http", "https"]) {
      const interrupted = new AbortController();
      const running = runDoctor(["--timeout", "600", `${scheme}://127.0.0.1:${server.port}/mcp`], {
        signal: interrupted.signal,
        // In the middle of whatever it does then.
        onOutput: () => setTimeout(() => interrupted.abort(), 100),
      });
      expect((await running).exit).toBe("interrupted");
    }
  });

  test("Ctrl-C after each step of a healthy server", async () => {
    for (let after = 1; after <= 7; after++) {
      const interrupted = new AbortController();
      let steps = 0;
      const { exit, stdout } = await runDoctor(["--timeout", "60", ...standIn("healthy")], {
        waits: SETTLED,
        signal: interrupted.signal,
        onOutput: () => {
          steps += 1;
          if (steps === after) interrupted.abort();
        },
      });
      expect(exit).toBe("interrupted");
      // What is known by then was written.
      expect(stdout).toContain("command");
    }
  });

  test("a real Ctrl-C ends the program that was started", async () => {
    const doctor = spawn(
      process.execPath,
      [
        "--conditions=@recourse/source",
        MAIN,
        "doctor",
        "--timeout",
        "600",
        "--verbose",
        ...standIn("leaves-child-silently"),
      ],
      {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, ...COMPILE_CACHE },
      },
    );
    let stderr = "";
    doctor.stderr.on("data", (chunk) => {
      stderr += String(chunk);
    });
    onTestFinished(() => void doctor.kill("SIGINT"));
    await expect.poll(() => /pids (\d+) (\d+)/.exec(stderr), { timeout: 50_000 }).toBeTruthy();
    const pids = (/pids (\d+) (\d+)/.exec(stderr) ?? []).slice(1).map(Number);
    const ended = once(doctor, "exit");
    doctor.kill("SIGINT");
    expect((await ended)[0]).toBe(130);
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  }, 120_000);
});

describe("odd command lines", () => {
  test.for([
    [[], /Give the address/],
    [["--timeout", "0", "node"], /--timeout/],
    [["--timeout", "soon", "node"], /--timeout/],
    [["-e", "NAME", "node"], /NAME=value/],
    [["-H", "no colon", "http://localhost/"], /Name: value/],
    [["-H", "A: b", "node"], /addresses/],
    [["--cwd", "x", "http://localhost/"], /programs/],
    [["http://"], /not a URL/],
    [["http://localhost/", "http://localhost/"], /one address/],
  ] as const)("%j is refused", async ([args, says]) => {
    const { exit, stderr, stdout } = await runDoctor(args);
    expect(exit).toBe("usage");
    expect(stderr).toMatch(says);
    expect(stdout).toBe("");
  });

  test("a path and arguments with spaces and quotes reach the program", async () => {
    const { cause } = await diagnose([
      "node",
      "-e",
      'console.error(process.argv.slice(1).join("|")); process.exit(3)',
      "--",
      "a b",
      "c'd",
    ]);
    expect(cause?.id).toBe("D43");
    expect(cause?.saw).toContain("a b|c'd");
  });
});
