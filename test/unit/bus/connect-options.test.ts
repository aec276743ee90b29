import { describe, expect, it } from "vitest";
import { BusError } from "../../../src/bus/bus-error.ts";
import { type ConnectOptions, readConnectOptions } from "../../../src/bus/connect-options.ts";
import { mintKey, mintSeed, signatureMatches } from "../../../src/wire/nkey.ts";
import { changingSecret } from "../../support/secrets.ts";

const CREDS = `-----BEGIN NATS USER JWT-----
eyJ0eXAiOiJKV1QifQ.e30.c2ln
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY
------END USER NKEY SEED------
`;

const read = (options: Partial<ConnectOptions>): ReturnType<typeof readConnectOptions> =>
  readConnectOptions({ servers: "nats://127.0.0.1:4222", ...options });

function faultOf(options: Partial<ConnectOptions>): string {
  try {
    read(options);
    return "no fault";
  } catch (error) {
    return error instanceof BusError ? `${error.code}: ${error.message}` : "another error";
  }
}

describe("options of a connection", () => {
  it("have defaults for everything but the servers", () => {
    expect(read({})).toMatchObject({
      servers: ["127.0.0.1:4222"],
      shownServers: "nats://127.0.0.1:4222",
      prefix: "af.v1.default",
      name: "askfabric",
      credentials: null,
      tls: null,
      startTimeoutMs: 10_000,
      dialTimeoutMs: 3_000,
      pingIntervalMs: 5_000,
      ignoreClusterUpdates: false,
    });
  });

  it("give each session an inbox of its own", () => {
    expect(read({ session: "lead.1" }).inboxPrefix).toBe("af.v1.default.inbox.lead=2E1");
    expect(read({}).inboxPrefix).toMatch(/^af\.v1\.default\.inbox\.[0-9a-f]{24}$/);
    expect(read({}).inboxPrefix).not.toBe(read({}).inboxPrefix);
  });

  it("take the prefix from the fleet's encoded name or as it is given", () => {
    expect(read({ fleet: "my fleet" }).prefix).toBe("af.v1.my=20fleet");
    expect(read({ subjectPrefix: "x.y" }).prefix).toBe("x.y");
  });

  it.each([
    ["localhost", "localhost:4222", "nats://localhost:4222", null],
    ["example.org:5", "example.org:5", "nats://example.org:5", null],
    ["nats://example.org", "example.org:4222", "nats://example.org:4222", null],
    ["nats://[::1]:9/", "[::1]:9", "nats://[::1]:9", null],
    ["TLS://example.org:7", "example.org:7", "tls://example.org:7", {}],
  ])("take the server %s", (given, address, shown, tls) => {
    expect(read({ servers: given })).toMatchObject({
      servers: [address],
      shownServers: shown,
      tls,
    });
  });

  it("demand TLS of every server when one is given as tls://", () => {
    expect(read({ servers: ["a", "tls://b"] }).tls).toEqual({});
    expect(read({ tls: { caFile: "ca.pem" } }).tls).toEqual({ caFile: "ca.pem" });
  });

  it.each([
    ["nats://user:hunter2@example.org", /credentials/],
    ["hunter2@example.org", /credentials/],
    ["ws://example.org", /websocket/],
    ["http://example.org", /must look like/],
    ["nats://", /must look like/],
    ["nats://a:0", /must look like/],
    ["nats://a:65536", /must look like/],
    ["nats://a b", /must look like/],
    ["nats://a/path", /must look like/],
    ["", /must look like/],
  ])("refuse the server %j and show no secret of it", (given, reason) => {
    const fault = faultOf({ servers: ["ok", given] });
    expect(fault).toMatch(reason);
    expect(fault).toMatch(/^bus_bad_option: /);
    expect(fault).toContain("servers[1]");
    expect(fault).not.toContain("hunter2");
  });

  it.each<[string, Partial<ConnectOptions>, RegExp]>([
    ["no server", { servers: [] }, /servers is empty/],
    ["two kinds of credentials", { token: "hunter2", creds: CREDS }, /exclude each other/],
    ["a password without user", { pass: "hunter2" }, /pass stands alone/],
    ["a user without password", { user: "me" }, /user stands alone/],
    ["an empty token", { token: "" }, /token is empty/],
    ["an empty token file", { token: () => "" }, /token is empty/],
    ["creds that are none", { creds: "hunter2" }, /creds is not what a server issued/],
    ["a fleet and a prefix", { fleet: "a", subjectPrefix: "b" }, /exclude each other/],
    ["an empty fleet", { fleet: "" }, /fleet is ""/],
    ["half a surrogate pair", { session: "\ud800" }, /session is/],
    ["a prefix with wildcard", { subjectPrefix: "af.*" }, /subjectPrefix is "af\.\*"/],
    ["a prefix of five tokens", { subjectPrefix: "a.b.c.d.e" }, /1 to 4 tokens/],
    ["no time to start", { startTimeoutMs: 0 }, /startTimeoutMs is 0; .* 1 to 600000/],
    ["a broken number", { pingIntervalMs: Number.NaN }, /pingIntervalMs is NaN/],
    ["half a millisecond", { dialTimeoutMs: 100.5 }, /dialTimeoutMs is 100\.5/],
  ])("refuse %s", (_name, options, reason) => {
    const fault = faultOf(options);
    expect(fault).toMatch(reason);
    expect(fault).not.toContain("hunter2");
  });

  it("name every fault at once", () => {
    const fault = faultOf({ servers: "ws://a", startTimeoutMs: -1, fleet: "" });
    expect(fault).toMatch(/websocket.*fleet.*startTimeoutMs/);
  });

  it("name a single server by what gave it", () => {
    expect(faultOf({ servers: "ws://a", serversNamed: "--url" })).toContain(
      ": --url is a websocket",
    );
    expect(faultOf({ servers: ["a", "ws://a"], serversNamed: "NATS_URL" })).toContain(
      "NATS_URL[1]",
    );
  });

  it("say which secret could not be read", () => {
    const fault = faultOf({
      token: () => {
        throw new Error("EACCES: token");
      },
    });
    expect(fault).toContain("token could not be read: EACCES: token");
  });
});

describe("signatures of a connection", () => {
  const message = { subject: "af.v1.default.dec.a.b.c", body: Buffer.from("{}") };

  it("are made with the key of the credentials, and checked against the keys that are named", () => {
    const { seed, key } = mintKey("user");
    const { sign } = read({ creds: seed, signDecisions: true }).signatures;
    const { check } = read({ requireSigners: [key.publicKey] }).signatures;
    expect(check?.(message, sign?.(message))).toBe("signed");
    expect(check?.({ ...message, subject: "af.v1.default.dec.a.b.d" }, sign?.(message))).toBe(
      "forged",
    );
    expect(check?.(message, undefined)).toBe("unsigned");
    expect(check?.(message, "x")).toBe("forged");
  });

  it("follow the credentials: those issued anew sign from the next connect on", () => {
    const [one, other] = [mintKey("user"), mintKey("user")];
    let seed = one.seed;
    const settings = read({ creds: () => seed, signDecisions: true });
    const { check } = read({ requireSigners: [other.key.publicKey] }).signatures;
    seed = other.seed;
    expect(check?.(message, settings.signatures.sign?.(message))).toBe("forged");
    settings.authenticator("nonce");
    expect(check?.(message, settings.signatures.sign?.(message))).toBe("signed");
  });

  it("are neither made nor demanded unless somebody says so", () => {
    expect(read({}).signatures).toEqual({ sign: null, check: null });
  });

  it("need a key to sign with and public keys to check", () => {
    expect(faultOf({ token: "t", signDecisions: true })).toContain(
      "signDecisions needs credentials",
    );
    expect(faultOf({ requireSigners: ["lead"] })).toContain('"lead" is no public key of a user');
    const account = mintKey("account").key.publicKey;
    expect(faultOf({ requireSigners: [account] })).toContain("is no public key of a user");
  });
});

describe("credentials of a connection", () => {
  const shown = (options: Partial<ConnectOptions>): unknown => read(options).authenticator("nonce");

  it("a token is shown as token and as the password of its user", () => {
    expect(shown({ token: "t" })).toEqual({ auth_token: "t", user: "askfabric", pass: "t" });
  });

  it("a user is shown with the password", () => {
    expect(shown({ user: "me", pass: () => "p" })).toEqual({ user: "me", pass: "p" });
  });

  it("creds are shown as their JWT with the server's nonce signed", () => {
    expect(shown({ creds: CREDS })).toMatchObject({
      jwt: "eyJ0eXAiOiJKV1QifQ.e30.c2ln",
      sig: expect.stringMatching(/^[A-Za-z0-9_=-]+$/) as string,
    });
  });

  it("a seed alone is shown as its public key with the server's nonce signed", () => {
    const { seed, key } = mintKey("user");
    const { nkey, sig } = shown({ creds: `${seed}\n` }) as { nkey: string; sig: string };
    expect(nkey).toBe(key.publicKey);
    const signature = Buffer.from(sig, "base64");
    expect(signatureMatches(nkey, Buffer.from("nonce"), signature)).toBe(true);
  });

  it("the seed of an account is no credential of a user", () => {
    expect(faultOf({ creds: mintSeed("account") })).toMatch(/the seed of a user alone/);
  });

  it("nobody is shown when nothing is given", () => {
    expect(shown({})).toBeUndefined();
  });

  it("a secret given as function is read anew each time", () => {
    const settings = read({ token: changingSecret(["probe", "first", "second"]) });
    expect(settings.authenticator()).toMatchObject({ auth_token: "first" });
    expect(settings.authenticator()).toMatchObject({ auth_token: "second" });
  });

  it("a secret that can be read no more is shown as nobody, without a throw", () => {
    const settings = read({ token: changingSecret(["probe", null]) });
    expect(settings.authenticator()).toBeUndefined();
  });
});
