import { homedir } from "node:os";
import { connect, openParent, type Ruling, type Terminal } from "askfabric";

const session = "lead";
const [servers = "nats://127.0.0.1:4222", data = "./askfabric-data"] = process.argv.slice(2);

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

await using bus = await connect({ servers, session });
await using parent = await openParent({ bus, session, data, home: homedir(), rules, terminal });
process.once("SIGTERM", async () => parent.close({ answerOpen: true }));
console.log(`${session} serves as ${parent.incarnation}`);
await parent.stopped;
