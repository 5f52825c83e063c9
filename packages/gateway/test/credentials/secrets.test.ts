// Tokens and secrets of a whole run are looked for in everything that leaves the gateway.
import { createServer } from "node:http";
import { answerJson, listenOnLoopback, startUpstream } from "@recourse/test-kit/loopback";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { sendJson, startStubUpstream } from "../support/stub-upstream.ts";
import { callWith, guardedConfig, holdTokens, openGateway, openGuarded, openProvider, outcomeOf } from "./support.ts";

beforeEach(holdTokens);

test.each(["clientCredentials", "exchange"] as const)(
  "%s: no token or secret is in answers, logs or metrics",
  async (kind) => {
    const provider = await openProvider();
    const upstream = await openGuarded(provider);
    const gateway = await openGateway(provider, [guardedConfig(upstream, kind, provider, { foreignText: "quote" })]);
    const tokens = await Promise.all(["ada", "bob", "eve"].map((name) => provider.sign(name)));
    const answers: string[] = [];
    const callAll = async (tool?: string): Promise<void> => {
      for (const token of tokens) answers.push((await callWith(gateway, token, tool)).text);
    };
    await callAll();
    await callAll("notify");
    // A success that says everything, a failure of the tool, one of the protocol, and one by its status.
    const everything = (headers: object, token: string) =>
      `${JSON.stringify(headers)} ${token} ${provider.clientSecret}`;
    upstream.say = (request, token) => ({ content: [{ type: "text", text: everything(request.headers, token) }] });
    await callAll();
    upstream.say = (request, token) => ({
      isError: true,
      content: [{ type: "text", text: `Failed with ${everything(request.headers, token)}` }],
    });
    await callAll();
    upstream.say = (request, token) => ({
      code: -32_000,
      message: `failed with ${token}`,
      data: { all: everything(request.headers, token) },
    });
    await callAll();
    upstream.say = undefined;
    upstream.refusal = { status: 403, challenge: "Bearer" };
    await callAll();
    upstream.refusal = undefined;
    // Refusals that repeat the subject token, outages, and tokens that are revoked.
    provider.mood.refused.set("eve", "invalid_grant");
    for (const { token } of upstream.seen) upstream.revoked.add(token);
    await callAll();
    provider.mood.status = 503;
    for (const { token } of upstream.seen) upstream.revoked.add(token);
    await callAll();
    answers.push((await callWith(gateway, await provider.sign("new"))).text);
    const said = [...answers, ...gateway.lines, await gateway.metrics()].join("\n");
    expect(provider.issued.size).toBeGreaterThan(4);
    for (const secret of [...provider.issued, provider.clientSecret]) expect(said.includes(secret)).toBe(false);
    // The signatures alone would do, with what is easily guessed.
    for (const token of provider.issued) expect(said.includes(token.split(".")[2] ?? "")).toBe(false);
    expect(answers.join("\n")).toContain("done");
    // What was sent back is there, without the token, for the caller and for the operator.
    expect(answers.join("\n")).toContain("[removed]");
    expect(gateway.lines.join("\n")).toContain("answered with status 403");
  },
);

test.each(["clientCredentials", "exchange"] as const)(
  "%s: tokens without any form are not told either",
  async (kind) => {
    const provider = await openProvider();
    let count = 0;
    const service = await startUpstream((_, response) => {
      count += 1;
      answerJson(response, 200, { access_token: `plain words ${count}`.replaceAll(" ", "-"), token_type: "Bearer" });
    });
    onTestFinished(service.close);
    let status = 500;
    const upstream = await startStubUpstream(({ headers, id }, response) => {
      const shown = String(headers.authorization).slice("Bearer ".length);
      const said = {
        jsonrpc: "2.0",
        id: JSON.parse(id),
        result: { content: [{ type: "text", text: `shown ${shown}` }] },
      };
      sendJson(response, status === 200 ? JSON.stringify(said) : `failed, shown ${shown}`, status);
    });
    const config = guardedConfig(
      upstream,
      kind,
      { ...provider, tokenUrl: `${service.url}/token` },
      { foreignText: "quote" },
    );
    const gateway = await openGateway(provider, [config]);
    const ada = await provider.sign("ada");
    const answers = [(await callWith(gateway, ada)).text];
    status = 200;
    answers.push((await callWith(gateway, ada)).text);
    expect(upstream.received.map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: 2 }, () => `Bearer plain-words-${kind === "exchange" ? 2 : 1}`),
    );
    expect(answers[1]).toContain("shown [removed]");
    expect(gateway.lines.join("")).toContain("answered with status 500");
    expect([...answers, ...gateway.lines].join("")).not.toContain("plain-words");
  },
);

test("a service that gives the caller's own token back is not used", async () => {
  const provider = await openProvider();
  const upstream = await openGuarded(provider);
  const echo = await listenOnLoopback(
    createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      const form = new URLSearchParams(body);
      const token = form.get("subject_token");
      if (token === null) {
        const own = await fetch(provider.tokenUrl, {
          method: "POST",
          headers: {
            authorization: request.headers.authorization ?? "",
            "content-type": "application/x-www-form-urlencoded",
          },
          body,
        });
        response.writeHead(own.status, { "content-type": "application/json" }).end(await own.text());
        return;
      }
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ access_token: token, token_type: "Bearer", expires_in: 60 }));
    }),
  );
  onTestFinished(echo.close);
  const config = guardedConfig(upstream, "exchange", { ...provider, tokenUrl: echo.url.href });
  const gateway = await openGateway(provider, [config]);
  const ada = await provider.sign("ada");
  expect(await outcomeOf(callWith(gateway, ada))).toBe("core/misconfigured");
  expect(upstream.seen.map(({ token }) => token)).not.toContain(ada);
});
