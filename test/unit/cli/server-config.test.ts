import { describe, expect, it } from "vitest";
import { canSyncEachSecond, writeServerConfig } from "../../../src/cli/server/server-config.ts";
import { parseServerVersion, type ServerVersion } from "../../../src/cli/server/server-version.ts";

const NONE: ServerVersion = { major: 0, minor: 0, patch: 0, text: "" };
const version = (text: string): ServerVersion =>
  parseServerVersion(`nats-server: v${text}`) ?? NONE;

const configOf = (text: string): string =>
  writeServerConfig({
    version: version(text),
    host: "127.0.0.1",
    port: 4222,
    name: "askfabric-1",
    secrets: { token: "t0ken", sink: "s1nk", provisioner: "pr0v" },
    prefix: "af.v1.crew",
    logFile: '/da"ta/nats.log',
    storeFolder: "/data/streams",
  });

describe("the configuration of a managed server", () => {
  it("listens on the loopback and takes 512 KiB", () => {
    expect(configOf("2.10.27")).toContain('listen: "127.0.0.1:4222"');
    expect(configOf("2.10.27")).toContain("max_payload: 524288");
  });

  it("writes streams through every second where the server can", () => {
    expect(configOf("2.10.0")).toContain('sync_interval: "1s"');
    expect(canSyncEachSecond(version("2.10.0"))).toBe(true);
  });

  it("leaves out what an older server does not start with", () => {
    expect(configOf("2.9.25")).not.toContain("sync_interval");
    expect(canSyncEachSecond(version("2.9.25"))).toBe(false);
  });

  it("gives streams to the account of records alone", () => {
    expect(configOf("2.10.27").match(/jetstream: enabled/g)).toHaveLength(1);
    expect(configOf("2.10.27")).toMatch(/AUDIT \{\s+jetstream: enabled/);
  });

  it("lets nothing but records out of the fleet's account, and nothing but acknowledgements in", () => {
    const [fleet = "", audit = ""] = configOf("2.10.27").split(/ {2}AUDIT \{/);
    const records = '"af.v1.crew.audit.*.*"';
    const acks = '"af.v1.crew.inbox.*.out.*.*"';
    expect(fleet).toContain(`exports: [ { stream: ${records}, accounts: [AUDIT] } ]`);
    expect(fleet).toContain(`imports: [ { stream: { account: AUDIT, subject: ${acks} } } ]`);
    expect(audit).toContain(`exports: [ { stream: ${acks}, accounts: [FLEET] } ]`);
    expect(audit).toContain(`imports: [ { stream: { account: FLEET, subject: ${records} } } ]`);
  });

  it("gives the sink and the provisioner a user and a secret of their own", () => {
    expect(configOf("2.10.27")).toContain('{ user: sink, password: "s1nk"');
    expect(configOf("2.10.27")).toContain('{ user: provisioner, password: "pr0v"');
  });

  it("quotes paths that hold quotes", () => {
    expect(configOf("2.10.27")).toContain('log_file: "/da\\"ta/nats.log"');
  });
});
