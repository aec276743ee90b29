import { performance } from "node:perf_hooks";
import { connect } from "../src/bus/connect.ts";
import { readJoin } from "../src/cli/join.ts";
import { type IssuedFleet, modesOf, openIssuedFleet } from "../test/support/issued-fleet.ts";
import { allServers } from "../test/support/nats-servers.ts";

const CONNECTS = 200;

/** Times what it takes to connect with a credential, in milliseconds. */
async function oneConnect(fleet: IssuedFleet): Promise<number> {
  const join = readJoin(fleet.joinOf("worker-1"));
  if (join === null || !("creds" in join)) throw new Error("no credential was issued");
  const begun = performance.now();
  await using _bus = await connect({ servers: fleet.url, creds: join.creds, session: join.name });
  return performance.now() - begun;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** What connecting takes longer where the server asks a service who that is, beside one that knows the key itself. */
async function main(): Promise<void> {
  const program = (await allServers()).find((one) => modesOf(one).includes("callout"));
  if (program === undefined) {
    process.stdout.write("not measured: no nats-server here can ask; 2.10 and newer can\n");
    return;
  }
  await using known = await openIssuedFleet(program, "nkeys");
  await using asked = await openIssuedFleet(program, "callout");
  for (const fleet of [known, asked]) await fleet.add("worker-1");
  const [plain, called]: [number[], number[]] = [[], []];
  for (let n = -20; n < CONNECTS; n += 1) {
    const [one, other] = [await oneConnect(known), await oneConnect(asked)];
    if (n < 0) continue;
    plain.push(one);
    called.push(other);
  }
  const [without, by] = [median(plain), median(called)];
  process.stdout.write(
    `connect on nats-server ${program.version.text}, medians of ${String(CONNECTS)}: known key ${without.toFixed(1)} ms, asked service ${by.toFixed(1)} ms, added ${(by - without).toFixed(1)} ms (goal 30)\n`,
  );
}

await main();
