import { describe, expect, it } from "vitest";
import { type ConnectionFlags, findConnection, type Join } from "../../../src/cli/connection.ts";

const DEFAULT = "/data/join.json";
const FILES: Readonly<Record<string, Join>> = {
  [DEFAULT]: { url: "nats://127.0.0.1:4222", token: "t-default", fleet: "home" },
  "/other/join.json": { url: "nats://127.0.0.1:4333", token: "t-other", fleet: "lab" },
};

const find = (
  flags: ConnectionFlags,
  env: Record<string, string> = {},
  files = FILES,
): ReturnType<typeof findConnection> =>
  findConnection({ flags, env, defaultJoin: DEFAULT, readJoin: (path) => files[path] ?? null });

describe("what a connection encrypts with", () => {
  const CA = "/etc/ca.pem";

  it("is by flag, else by environment, else what the join file trusts", () => {
    const join = { ...FILES[DEFAULT], ca: "PEM" } as NonNullable<(typeof FILES)[string]>;
    const files = { ...FILES, [DEFAULT]: join };
    expect(find({}, {}, files).tls).toEqual({ ca: "PEM" });
    expect(find({}, { ASKFABRIC_TLS_CA: "/env/ca.pem" }, files).tls).toEqual({
      caFile: "/env/ca.pem",
    });
    expect(find({ tlsCa: CA }, { ASKFABRIC_TLS_CA: "/env" }, files).tls).toEqual({ caFile: CA });
  });

  it("shows a certificate only together with its key", () => {
    expect(find({ tlsCert: "c", tlsKey: "k" }).tls).toEqual({ certFile: "c", keyFile: "k" });
    expect(() => find({ tlsCert: "c" })).toThrow("belong together");
    expect(() => find({}, { ASKFABRIC_TLS_KEY: "k" })).toThrow("belong together");
  });
});

describe("the search for the server", () => {
  it("ends at the data folder's join file when nothing else is said", () => {
    expect(find({})).toEqual({
      url: "nats://127.0.0.1:4222",
      named: DEFAULT,
      credential: { kind: "token", token: "t-default" },
      speaker: null,
      tls: null,
      fleet: { name: "home", explicit: false },
    });
  });

  it.each([
    [
      "--url over all",
      { url: "nats://a", join: "/other/join.json" },
      { ASKFABRIC_URL: "nats://b" },
      "nats://a",
    ],
    [
      "--join over the environment",
      { join: "/other/join.json" },
      { ASKFABRIC_URL: "nats://b" },
      "nats://127.0.0.1:4333",
    ],
    [
      "ASKFABRIC_URL over ASKFABRIC_JOIN",
      {},
      { ASKFABRIC_URL: "nats://b", ASKFABRIC_JOIN: "/other/join.json" },
      "nats://b",
    ],
    [
      "ASKFABRIC_JOIN over NATS_URL",
      {},
      { ASKFABRIC_JOIN: "/other/join.json", NATS_URL: "nats://c" },
      "nats://127.0.0.1:4333",
    ],
    ["NATS_URL over the join file", {}, { NATS_URL: "nats://c" }, "nats://c"],
    [
      "the join file over an empty variable",
      {},
      { ASKFABRIC_URL: "", NATS_URL: "" },
      "nats://127.0.0.1:4222",
    ],
  ])("takes %s", (_name, flags, env, url) => {
    expect(find(flags, env).url).toBe(url);
  });

  it("sends a join file's token to that file's server and to no other", () => {
    expect(find({ url: "nats://elsewhere" }).credential).toBeNull();
    expect(find({}, { NATS_URL: "nats://elsewhere" }).credential).toBeNull();
  });

  it("prefers the credential that stands closest to the command", () => {
    const env = { NATS_CREDS: "/n.creds", ASKFABRIC_TOKEN_FILE: "/t" };
    expect(find({ url: "nats://a", creds: "/f.creds" }, env).credential).toMatchObject({
      path: "/f.creds",
    });
    expect(find({ url: "nats://a" }, env).credential).toMatchObject({
      kind: "token-file",
      path: "/t",
    });
    expect(find({ url: "nats://a" }, { NATS_CREDS: "/n.creds" }).credential).toMatchObject({
      path: "/n.creds",
    });
  });

  it("keeps the token of a named join file against the shell's variables", () => {
    const { credential } = find({ join: "/other/join.json" }, { NATS_CREDS: "/n.creds" });
    expect(credential).toEqual({ kind: "token", token: "t-other" });
  });

  it("uses variables against the data folder's join file", () => {
    expect(find({}, { ASKFABRIC_CREDS: "/a.creds" }).credential).toMatchObject({
      path: "/a.creds",
    });
  });

  it("takes the fleet from a flag, then the environment, then a join file", () => {
    expect(find({ fleet: "f" }, { ASKFABRIC_FLEET: "e" }).fleet).toEqual({
      name: "f",
      explicit: true,
    });
    expect(find({}, { ASKFABRIC_FLEET: "e" }).fleet).toEqual({ name: "e", explicit: true });
    expect(find({ join: "/other/join.json" }).fleet).toEqual({ name: "lab", explicit: true });
    expect(find({ url: "nats://a" }).fleet).toBeNull();
  });

  it("says how to get a server when none is named", () => {
    expect(() => find({}, {}, {})).toThrow(
      'no NATS server is named and /data/join.json is not there; start one with "askfabric up", or name one with --url or ASKFABRIC_URL',
    );
  });

  it("says which name of a join file leads nowhere", () => {
    expect(() => find({ join: "/gone.json" })).toThrow(
      "--join names /gone.json, which is not there",
    );
    expect(() => find({}, { ASKFABRIC_JOIN: "/gone.json" })).toThrow(
      "ASKFABRIC_JOIN names /gone.json",
    );
  });

  it("refuses two credentials from the same place", () => {
    expect(() => find({ url: "nats://a", tokenFile: "/t", creds: "/c" })).toThrow(
      "--token-file and --creds are both given; give one of them",
    );
  });
});
