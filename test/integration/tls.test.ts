import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProgram } from "../support/askfabric.ts";
import { type Authority, makeAuthority } from "../support/certificates.ts";
import { type IssuedFleet, openIssuedFleet } from "../support/issued-fleet.ts";
import { testServer } from "../support/nats-servers.ts";
import { tempFolder } from "../support/temp-folder.ts";

async function doctor(fleet: IssuedFleet, ...more: readonly string[]) {
  const data = join(fleet.folder, "data");
  const place = ["--join", fleet.joinOf("worker-1"), "--data", data];
  await using run = runProgram(["doctor", "--session", "worker-1", "--json", ...place, ...more]);
  await run.ended(20_000);
  const server = run.lines.find((line) => line["check"] === "server");
  return { status: server?.["status"], text: String(server?.["text"]), error: run.stderr() };
}

async function secureFleet(authority: Authority, ...more: readonly string[]): Promise<IssuedFleet> {
  const { cert, key } = authority.issue("server");
  const init = ["--tls-cert", cert, "--tls-key", key, "--tls-ca", authority.cert, ...more];
  const fleet = await openIssuedFleet(await testServer(), "jwt", { scheme: "tls", init });
  await fleet.add("worker-1");
  return fleet;
}

/** Older servers are warned about, reached all the same. */
const REACHED = { status: expect.stringMatching(/^(?:ok|warn)$/) as string };

describe("a fleet over TLS", () => {
  it("is reached by a join file alone, which holds the server's authority", async () => {
    using folder = tempFolder();
    const authority = makeAuthority(folder.path, "authority");
    await using fleet = await secureFleet(authority);
    expect(await doctor(fleet)).toMatchObject(REACHED);
  });

  it("is not believed under another authority", async () => {
    using folder = tempFolder();
    const other = makeAuthority(folder.path, "other");
    await using fleet = await secureFleet(makeAuthority(folder.path, "authority"));
    const found = await doctor(fleet, "--tls-ca", other.cert);
    expect(found.status).toBe("fail");
    expect(found.text).toMatch(/certificate/);
  });

  it("may demand certificates of those who speak", async () => {
    using folder = tempFolder();
    const authority = makeAuthority(folder.path, "authority");
    const clients = makeAuthority(folder.path, "clients");
    await using fleet = await secureFleet(authority, "--tls-client-ca", clients.cert);
    expect(await doctor(fleet)).toMatchObject({ status: "fail" });
    const { cert, key } = clients.issue("worker-1");
    chmodSync(key, 0o600);
    const own = ["--tls-cert", cert, "--tls-key", key];
    expect(await doctor(fleet, ...own)).toMatchObject(REACHED);
    const foreign = makeAuthority(folder.path, "foreign").issue("worker-1");
    chmodSync(foreign.key, 0o600);
    const strangers = ["--tls-cert", foreign.cert, "--tls-key", foreign.key];
    expect(await doctor(fleet, ...strangers)).toMatchObject({ status: "fail" });
  });

  it("names what is missing of it", async () => {
    using folder = tempFolder();
    const told = async (...args: readonly string[]): Promise<string> => {
      const issuer = ["--issuer", join(folder.path, "issuer")];
      await using run = runProgram(["creds", "init", ...issuer, ...args]);
      expect(await run.ended()).toBe(1);
      return run.stderr();
    };
    const url = ["--url", "tls://127.0.0.1:4222"];
    expect(await told(...url)).toContain("needs all three");
    expect(await told("--tls-cert", "x", "--tls-key", "y")).toContain("needs all three");
    const none = ["--tls-cert", "none.pem", "--tls-key", "none.key"];
    expect(await told(...url, ...none)).toMatch(
      /--tls-cert names .*none\.pem, which cannot be read/,
    );
  });
});
