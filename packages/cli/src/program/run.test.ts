import { describe, expect, it } from "vitest";
import { type CliCommand, type CliOutcome, EXIT_CODES, type Io } from "./command.ts";
import { runProgram } from "./run.ts";

function commandOf(
  name: string,
  work: (...of: Parameters<CliCommand["run"]>) => CliOutcome | Promise<CliOutcome>,
): CliCommand {
  return {
    name,
    about: `About ${name}`,
    usage: "<url | command…>",
    details: ["A paragraph with `code`."],
    options: {
      header: { type: "string", multiple: true, value: "Name: value", secret: "header", about: "Send a header" },
      env: { type: "string", short: "e", multiple: true, secret: "variable", about: "Set a variable" },
    },
    examples: [{ line: `recourse ${name} node server.js`, about: "An example." }],
    takesProgram: true,
    run: async (given, io) => work(given, io),
  };
}

async function start(
  args: readonly string[],
  work: Parameters<typeof commandOf>[1] = () => ({ exit: "ok" }),
  more = {},
) {
  const out: string[] = [];
  const err: string[] = [];
  const io: Io = {
    stdin: (async function* () {})(),
    stdout: { write: (text) => void out.push(text) },
    stderr: { write: (text) => void err.push(text) },
    env: {},
    cwd: "/",
    now: () => 0,
    signal: new AbortController().signal,
    ...more,
  };
  const exit = await runProgram([commandOf("probe", work), commandOf("doctor", work)], args, io);
  return { exit, out: out.join(""), err: err.join("") };
}

describe("run", () => {
  it.each([[[]], [["--help"]], [["-h"]], [["help"]]])("shows the help for %j", async (args) => {
    const { exit, out, err } = await start(args);
    expect({ exit, err }).toEqual({ exit: "ok", err: "" });
    for (const text of ["probe", "About doctor", "recourse probe node server.js", "--json", "130"])
      expect(out).toContain(text);
  });

  it.each([[["help", "probe"]], [["probe", "--help"]], [["--help", "probe"]], [["probe", "-h", "node", "x"]]])(
    "shows the help of a command for %j",
    async (args) => {
      const { exit, out } = await start(args);
      expect(exit).toBe("ok");
      for (const text of ["Usage: recourse probe <url", "A paragraph with code.", "-e, --env <value>", "--debug"])
        expect(out).toContain(text);
    },
  );

  it("leaves the help of a program to the program", async () => {
    const { out } = await start(["probe", "node", "--help"], ({ positionals }, io) => {
      io.stdout.write(positionals.join(" "));
      return { exit: "ok" };
    });
    expect(out).toBe("node --help");
  });

  it("shows the version", async () => {
    expect((await start(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await start(["probe", "--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("gives a command its options, those before its name among them", async () => {
    const { out } = await start(["--json", "probe", "--color", "never", "x"], ({ options }, io) => {
      io.stdout.write(JSON.stringify(options));
      return { exit: "findings" };
    });
    expect(JSON.parse(out)).toEqual({ json: true, color: "never" });
  });

  it("refuses with a sentence and the next command", async () => {
    expect(await start(["prob"])).toEqual({
      exit: "usage",
      out: "",
      err: '✖ There is no command "prob". Did you mean probe?\n  → recourse --help\n',
    });
    expect((await start(["probe", "--jsn"])).err).toBe(
      '✖ There is no option "--jsn". Did you mean --json?\n  → recourse probe --help\n',
    );
    expect((await start(["-32001"])).err).toContain("recourse explain -32001");
  });

  it("refuses with one line of JSON", async () => {
    const { exit, out, err } = await start(["prob", "--json"]);
    expect({ exit, out }).toEqual({ exit: "usage", out: "" });
    expect(err.split("\n")).toHaveLength(2);
    expect(JSON.parse(err)).toEqual({
      error: { code: "usage", message: 'There is no command "prob". Did you mean probe?', fix: "recourse --help" },
    });
  });

  it("writes the failure of a command, its cause with --debug only", async () => {
    const failure = {
      exit: "unreachable",
      code: "unreachable",
      message: "No answer.",
      cause: new Error("why"),
    } as const;
    expect(await start(["probe", "x"], () => ({ failure }))).toEqual({
      exit: "unreachable",
      out: "",
      err: "✖ No answer.\n",
    });
    const { err } = await start(["probe", "--debug", "x"], () => ({ failure }));
    expect(err).toMatch(/Error: why\n +at /);
  });

  it("calls what it did not expect a bug, without a stack", async () => {
    const thrower = () => {
      throw new TypeError("x is not a function");
    };
    const { exit, err } = await start(["probe", "x"], thrower);
    expect(exit).toBe("bug");
    expect(err).toContain("This is a bug in recourse: TypeError: x is not a function. Please report it");
    expect(err).not.toMatch(/^ +at /m);
    expect((await start(["probe", "--debug", "x"], thrower)).err).toMatch(/^ +at /m);
  });

  it("says nothing after Ctrl-C but what the command knows", async () => {
    const interrupt = new AbortController();
    const outcomes: readonly (() => CliOutcome)[] = [
      () => ({ exit: "ok" }),
      () => ({ failure: { exit: "unreachable", code: "x", message: "Aborted." } }),
      () => {
        throw interrupt.signal.reason;
      },
    ];
    for (const outcome of outcomes) {
      const ended = await start(
        ["probe", "x"],
        (_, io) => {
          interrupt.abort();
          io.stdout.write("known so far\n");
          return outcome();
        },
        { signal: interrupt.signal },
      );
      expect(ended).toEqual({ exit: "interrupted", out: "known so far\n", err: "" });
    }
  });

  it("lets neither secrets nor control characters out", async () => {
    const args = [
      "probe",
      "--debug",
      "--header",
      "X-Key: k3y-abcdef",
      "-e",
      "PW=pa55word",
      "https://me:h1dden-pw@x.org",
    ];
    const { out, err } = await start(args, ({ positionals }, io) => {
      io.hide?.("from-a-file");
      io.stdout.write(`${positionals[0]} k3y-abcdef from-a-file \u001b[2J\u001b[31mred\u001b[39m\n`);
      return {
        failure: { exit: "bug", code: "x", message: "pa55word", fix: "k3y-abcdef", cause: new Error("pa55word") },
      };
    });
    expect(out).toBe("https://me:[hidden]@x.org [hidden] [hidden] \\u001b[2J\u001b[31mred\u001b[39m\n");
    expect(out + err).not.toMatch(/k3y|pa55|h1dden|from-a-file/);
    expect(err).toContain("[hidden]");
  });
});

describe("EXIT_CODES", () => {
  it("are different, and those of a usual shell", () => {
    const codes = Object.values(EXIT_CODES).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.every((code) => code >= 0 && code < 256)).toBe(true);
  });
});
