import { serverAccounts } from "../../../src/cli/server/server-config.ts";
import type { Block } from "./block.ts";

const SECRETS = {
  token: "$ASKFABRIC_TOKEN",
  sink: "$ASKFABRIC_SINK",
  provisioner: "$ASKFABRIC_PROVISIONER",
};

/** What the server configuration of a deployment takes from the one of `up`: the accounts, its secrets by name. */
export function deployBlocks(): readonly Block[] {
  const accounts = serverAccounts({ prefix: "af.v1.default", secrets: SECRETS });
  const named = accounts.replaceAll(/"(\$ASKFABRIC_[A-Z]+)"/g, "$1").trim();
  return [{ page: "deploy/nats/nats.conf", name: "accounts", text: named }];
}
