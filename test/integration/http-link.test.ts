import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { LinkVerdict } from "../../src/ask/ports.ts";
import { httpLink } from "../../src/chain/http-link.ts";
import { askOf } from "../support/link-details.ts";

/** Serves one endpoint while `use` runs. */
async function served<T>(answer: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/judge`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function asked(answer: RequestListener, ms?: number): Promise<LinkVerdict> {
  return served(answer, async (url) =>
    askOf(httpLink({ name: "judge", url, options: {} }), "x", ms),
  );
}

describe("a link that is an endpoint", () => {
  it("is posted the question with its secret, and its verdict counts", async () => {
    const heard: { url?: string | undefined; authorization?: string | undefined; body: string }[] =
      [];
    const verdict = await served(
      (request, response) => {
        let body = "";
        request.on("data", (chunk: Buffer) => (body += chunk.toString()));
        request.on("end", () => {
          const { authorization } = request.headers;
          heard.push({ url: request.url, authorization, body });
          response.end('{"kind":"deny","reason":"closed"}');
        });
      },
      async (url) =>
        askOf(
          httpLink({ name: "judge", url, secret: () => "s3cret", options: { level: 3 } }),
          "ls",
        ),
    );
    expect(verdict).toEqual({ kind: "deny", reason: "closed" });
    expect(heard).toMatchObject([{ url: "/judge", authorization: "Bearer s3cret" }]);
    expect(JSON.parse(heard.map(({ body }) => body).join())).toMatchObject({
      v: 1,
      link: "judge",
      options: { level: 3 },
      details: { value: "ls" },
    });
  });

  it.each<[string, RequestListener, string]>([
    ["says no", (_, response) => response.writeHead(401).end('{"kind":"allow"}'), "status 401"],
    [
      "sends elsewhere",
      (_, response) => response.writeHead(302, { location: "http://127.0.0.1:9/" }).end(),
      "cannot be reached",
    ],
    ["says no JSON", (_, response) => response.end("<html>allow</html>"), "one JSON value"],
    ["says nothing", (_, response) => response.end(), "nothing"],
    [
      "says too much",
      (_, response) => response.end(`{"kind":"allow","reason":"${"x".repeat(70_000)}"}`),
      "more than 65536 bytes",
    ],
    [
      "breaks off",
      (_, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write('{"kind":"allow"}', () => response.destroy());
      },
      "",
    ],
  ])("fails and never allows when the endpoint %s", async (_, answer, why) => {
    await expect(asked(answer)).rejects.toThrow(why);
  });

  it("fails when nobody listens, by the name of the failure", async () => {
    const url = await served(
      () => undefined,
      async (free) => free,
    );
    const link = httpLink({ name: "judge", url, options: {} });
    await expect(askOf(link)).rejects.toThrow("ECONNREFUSED");
  });

  it("lets go of the connection when the ask is taken back", async () => {
    const closed = Promise.withResolvers<void>();
    await expect(
      asked((request) => {
        request.socket.on("close", () => closed.resolve());
      }, 100),
    ).rejects.toThrow("timeout");
    await closed.promise;
  });

  it("never names a secret that no header carries", async () => {
    const secret = (): string => "s3cret\nX-Other: 1";
    const link = httpLink({ name: "judge", url: "http://127.0.0.1:9/", secret, options: {} });
    const failure: unknown = await askOf(link).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toContain("s3cret");
  });
});
