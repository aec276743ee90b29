import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeUser } from "@nats-io/jwt";
import type { AccountName, Mode } from "../src/access/roles.ts";
import { provisionRecords } from "../src/cli/provision-records.ts";
import type { NatsProgram } from "../src/cli/server/nats-program.ts";
import { mintKey } from "../src/wire/nkey.ts";
import { type IssuedFleet, openIssuedFleet } from "../test/support/issued-fleet.ts";
import { until } from "../test/support/until.ts";
import { type Speaker, speakAs } from "./speaker.ts";

export const PREFIX = "af.v1.default";

/** A fleet under attack: its speakers, and one of each account that may do everything. */
export interface AttackedFleet extends AsyncDisposable {
  readonly fleet: IssuedFleet;
  readonly mode: Mode;
  /** The bare connection of a credential; one for each name. */
  readonly as: (name: string) => Speaker;
  /** Speaks with every right in an account: the control of each attempt. */
  readonly root: Readonly<Record<AccountName, Speaker>>;
  /** Seeds of the fleet's keys; empty where there are none. */
  readonly seeds: Readonly<Record<string, string>>;
  /** The content of a credential. */
  readonly credsOf: (name: string) => string;
}

/** Who speaks: sessions of the fleet, a hostile one, and one of each other role. */
const SPEAKERS: readonly (readonly [name: string, role: string])[] = [
  ["lead", "session"],
  ["worker-1", "session"],
  ["worker-2", "session"],
  ["mallory", "session"],
  ["alice", "operator"],
  ["bob", "operator"],
  ["olga", "observer"],
  ["frida", "freezer"],
  ["dora", "doctor"],
];

/** Sets up a fleet, its stream and its speakers. */
export async function openAttackedFleet(program: NatsProgram, mode: Mode): Promise<AttackedFleet> {
  const roots = { fleet: mintKey("user"), audit: mintKey("user") };
  const fleet = await openIssuedFleet(program, mode, {
    beforeStart: (issuer) => {
      if (mode === "callout") putIn(issuer, roots);
    },
  });
  await fleet.add("ivan");
  await fleet.add("eve", "--expires", "1h");
  letExpire(fleet, "eve");
  await fleet.creds("revoke", "ivan");
  for (const [name, role] of SPEAKERS) await fleet.add(name, "--role", role);
  const credsOf = (name: string): string => {
    const { creds } = JSON.parse(readFileSync(fleet.joinOf(name), "utf8")) as { creds: string };
    return creds;
  };
  const seeds = mode === "jwt" ? seedsOf(fleet) : {};
  if (mode === "nkeys") await putInLater(fleet, roots);
  const rootCreds =
    mode === "jwt" ? await rootsByJwt(seeds) : { fleet: roots.fleet.seed, audit: roots.audit.seed };
  const url = fleet.url;
  const root = {
    fleet: await speakAs(url, {
      name: "root",
      inbox: `${PREFIX}.inbox.root`,
      creds: rootCreds.fleet,
    }),
    audit: await speakAs(url, {
      name: "root",
      inbox: `${PREFIX}.inbox.root`,
      creds: rootCreds.audit,
    }),
  };
  const stream = { servers: url, creds: credsOf("provisioner"), session: "provisioner" };
  await provisionRecords(stream, { maxBytes: null, replicas: null });
  const speakers = new Map<string, Speaker>();
  for (const name of [...SPEAKERS.map(([one]) => one), "sink", "provisioner"]) {
    const who = { name, inbox: `${PREFIX}.inbox.${name}`, creds: credsOf(name) };
    speakers.set(name, await speakAs(url, who));
  }
  return {
    fleet,
    mode,
    seeds,
    credsOf,
    root,
    as: (name) => {
      const speaker = speakers.get(name);
      if (speaker === undefined) throw new Error(`nobody is called ${name}`);
      return speaker;
    },
    [Symbol.asyncDispose]: async () => {
      for (const speaker of [...speakers.values(), root.fleet, root.audit]) {
        await speaker[Symbol.asyncDispose]();
      }
      await fleet[Symbol.asyncDispose]();
    },
  };
}

/** Sets the end of a credential into the past, as far as its issuer is concerned. */
function letExpire(fleet: IssuedFleet, name: string): void {
  const file = join(fleet.issuer, "roster.json");
  const roster = JSON.parse(readFileSync(file, "utf8")) as { entries: Record<string, unknown>[] };
  for (const entry of roster.entries) if (entry["name"] === name) entry["expiresAt"] = 1;
  writeFileSync(file, JSON.stringify(roster));
}

function seedsOf(fleet: IssuedFleet): Readonly<Record<string, string>> {
  const text = readFileSync(join(fleet.issuer, "keys.json"), "utf8");
  return (JSON.parse(text) as { seeds: Record<string, string> }).seeds;
}

type RootCreds = Readonly<Record<AccountName, string>>;

/** The accounts' own keys may issue anything: they never leave the issuer. */
async function rootsByJwt(seeds: Readonly<Record<string, string>>): Promise<RootCreds> {
  return { fleet: await rootJwt(seeds["fleet"] ?? ""), audit: await rootJwt(seeds["audit"] ?? "") };
}

async function rootJwt(account: string): Promise<string> {
  const { seed, key } = mintKey("user");
  const jwt = await encodeUser("root", key.publicKey, account, {});
  return credsText(jwt, seed);
}

/** A JWT and a seed as a `.creds` file holds them. */
export function credsText(jwt: string, seed: string): string {
  const line = "-----";
  return [
    `${line}BEGIN NATS USER JWT${line}\n${jwt}\n${line}-END NATS USER JWT${line}-\n`,
    `${line}BEGIN USER NKEY SEED${line}\n${seed}\n${line}-END USER NKEY SEED${line}-\n`,
  ].join("\n");
}

type Roots = Readonly<Record<AccountName, ReturnType<typeof mintKey>>>;

/** Puts a user without limits into each account of the server's file. */
function putIn(issuer: string, { fleet, audit }: Roots): void {
  const file = join(issuer, "accounts.conf");
  const [one, other] = [fleet.key.publicKey, audit.key.publicKey];
  const text = readFileSync(file, "utf8")
    .replace(/FLEET \{(\s*users: \[)?/, (found: string, users?: string) => added(found, users, one))
    .replace(/jetstream: enabled(\s*users: \[)?/, (found: string, users?: string) =>
      added(found, users, other),
    )
    .replace("auth_users: [", `auth_users: [ ${one}, ${other},`);
  writeFileSync(file, text);
}

const added = (found: string, users: string | undefined, key: string): string =>
  users === undefined ? `${found}\n users: [ { nkey: ${key} } ]` : `${found}\n { nkey: ${key} }`;

async function putInLater(fleet: IssuedFleet, roots: Roots): Promise<void> {
  const before = fleet.serverLog().length;
  putIn(fleet.issuer, roots);
  process.kill(Number(readFileSync(join(fleet.issuer, "server.pid"), "utf8")), "SIGHUP");
  await until("the server to read its file", () =>
    fleet.serverLog().slice(before).includes("Reloaded server configuration"),
  );
}
