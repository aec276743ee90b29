import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { connect } from "../../src/bus/connect.ts";
import { openChild } from "../../src/child/open-child.ts";
import { serveRole } from "../frame/serve-role.ts";
import { callOf, PARENT } from "../frame/the-ask.ts";

/** A child that leaves many asks open, each of another 2 KB. */
await serveRole(async ({ url, data }: { url: string; data: string }) => {
  const session = "crowd";
  const bus = await connect({ servers: url, session });
  const home = homedir();
  const child = await openChild({ bus, session, parent: PARENT, data, home, rules: {} });
  let ended = 0;
  return {
    open: ({ count }: { count: number }) => {
      for (let k = 0; k < count; k += 1) {
        const command = `deploy ${randomBytes(220).toString("hex")}`;
        void child.decide({ ...callOf(k), input: { command } }).then(() => {
          ended += 1;
        });
      }
    },
    ended: () => ended,
  };
});
