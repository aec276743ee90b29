import { decode, encode } from "@nats-io/jwt";
import { describe, expect, it } from "vitest";
import { answerAuth, type CalloutParts } from "../../../src/access/callout.ts";
import { keyPairOf } from "../../../src/access/key-pair.ts";
import type { Roster } from "../../../src/access/roster.ts";
import { mintKey } from "../../../src/wire/nkey.ts";

const NOW = 1_800_000_000_000;
const SERVER = mintKey("server").key;
const ISSUER = mintKey("account").key;
const WORKER = mintKey("user").key;
const USER = mintKey("user").key.publicKey;

const entry = (changes: Partial<Roster["entries"][number]> = {}): Roster["entries"][number] => ({
  name: "worker-1",
  role: "session",
  publicKey: WORKER.publicKey,
  agents: [],
  issuedAt: NOW,
  expiresAt: null,
  revokedAt: null,
  ...changes,
});

const parts = (changes: Partial<Roster["entries"][number]> = {}): CalloutParts => ({
  roster: { version: 1, mode: "callout", fleet: "default", url: "x", entries: [entry(changes)] },
  issuer: ISSUER,
  now: NOW,
  renewMs: 300_000,
});

interface Shown {
  readonly nkey?: string;
  readonly sig?: string;
  readonly nonce?: string;
}

const signed = (nonce: string, key = WORKER): string =>
  Buffer.from(key.sign(Buffer.from(nonce))).toString("base64");

const RIGHT: Shown = { nkey: WORKER.publicKey, sig: signed("n1"), nonce: "n1" };

async function question(
  { nonce, ...options }: Shown,
  changes: object = {},
  key = SERVER,
): Promise<string> {
  const nats = {
    server_id: { id: SERVER.publicKey },
    user_nkey: USER,
    client_info: { nonce },
    connect_opts: options,
  };
  const claims = { aud: "nats-authorization-request", name: "", sub: ISSUER.publicKey, ...changes };
  return encode("ed25519-nkey" as never, { ...claims, nats } as never, keyPairOf(key));
}

interface Answered {
  readonly aud?: string;
  readonly exp?: number;
  readonly name?: string;
  readonly iss?: string;
  readonly nats: { readonly jwt?: string; readonly error?: string; readonly pub?: object };
}

async function answered(of: string, by = parts()): Promise<Answered> {
  const answer = await answerAuth(of, by);
  return decode(answer?.jwt as string) as unknown as Answered;
}

describe("the answer to a server that asks who a connection is", () => {
  it("names the speaker, its account and its rights, for this connection and a while", async () => {
    const answer = await answered(await question(RIGHT));
    expect(answer).toMatchObject({ aud: SERVER.publicKey, iss: ISSUER.publicKey, sub: USER });
    const user = decode(answer.nats.jwt as string) as unknown as Answered;
    expect(user).toMatchObject({
      name: "worker-1",
      aud: "FLEET",
      sub: USER,
      iss: ISSUER.publicKey,
    });
    expect(user.exp).toBe((NOW + 300_000) / 1000);
    expect(JSON.stringify(user.nats.pub)).toContain("af.v1.default.ask.*.worker-1");
  });

  it("ends with the credential where that ends before", async () => {
    const { nats } = await answered(await question(RIGHT), parts({ expiresAt: NOW + 60_000 }));
    expect((decode(nats.jwt as string) as unknown as Answered).exp).toBe((NOW + 60_000) / 1000);
  });

  it.each<[string, Shown, Partial<Roster["entries"][number]>, string]>([
    ["no key", {}, {}, "no key was shown"],
    ["a key without a signature", { nkey: WORKER.publicKey, nonce: "n1" }, {}, "no key was shown"],
    ["the signature of another nonce", { ...RIGHT, nonce: "n2" }, {}, "was not signed by that key"],
    [
      "the signature of another key",
      { ...RIGHT, sig: signed("n1", mintKey("user").key) },
      {},
      "was not signed by that key",
    ],
    [
      "a key that nobody issued",
      { ...RIGHT, nkey: mintKey("user").key.publicKey },
      {},
      "was not issued by this fleet",
    ],
    ["a revoked credential", RIGHT, { revokedAt: NOW }, "was revoked or is over"],
    ["one that is over", RIGHT, { expiresAt: NOW }, "was revoked or is over"],
  ])("refuses %s", async (_what, shown, changes, fault) => {
    const { nats } = await answered(await question(shown), parts(changes));
    expect(nats.jwt).toBeUndefined();
    expect(nats.error).toContain(fault);
  });

  it("is none for a question that no server has signed, that is over, or that is no question", async () => {
    const others = [
      await question(RIGHT, {}, mintKey("server").key),
      await question(RIGHT, { exp: NOW / 1000 - 1 }),
      await question(RIGHT, { aud: "somebody" }),
      "nonsense",
      "a.b.c",
      "",
    ];
    const answers = await Promise.all(others.map(async (text) => answerAuth(text, parts())));
    expect(answers).toEqual(others.map(() => null));
  });
});
