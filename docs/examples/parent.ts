import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { connect, openParent, type Ruling, type Terminal } from "askfabric";

const session = "lead";
const [data = `${homedir()}/.local/state/askfabric`] = process.argv.slice(2);
// "askfabric up" writes where its server is, and what to show it, into its data folder.
const join = readFileSync(`${data}/join.json`, "utf8");
const { url, token, fleet } = JSON.parse(join) as { url: string; token: string; fleet: string };

// Decides what the rules below leave open: here a policy in code, usually a person.
const terminal: Terminal = {
  decide: async ({ details, presented }) => {
    presented();
    const approved = details.surface === "bash" && details.value?.startsWith("git ") === true;
    const denied = { state: "denied_with_reason", denialReason: "only git is run here" } as const;
    const decidedBy = { kind: "user", via: "terminal" } as const;
    const ruling: Ruling = approved
      ? { approved, state: "approved", decidedBy }
      : { approved, ...denied, decidedBy };
    return { kind: "ruled", ruling, scope: "once" };
  },
  waiting: () => 0,
};
const rules = { global: new Map([["bash", new Map([["rm *", "deny" as const]])]]) };

await using bus = await connect({ servers: url, token, fleet, session });
await using parent = await openParent({ bus, session, data, home: homedir(), rules, terminal });
process.once("SIGTERM", async () => parent.close({ answerOpen: true }));
console.log(`${session} serves as ${parent.incarnation}`);
await parent.stopped;
