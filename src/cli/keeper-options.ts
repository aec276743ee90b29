import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConnectOptions } from "../bus/connect-options.ts";
import type { Connection } from "./connection.ts";
import { CommandError } from "./failure.ts";
import type { CommonFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { busOptions, findServer, type Prepared } from "./prepare.ts";
import { readPrivateFile } from "./private-file.ts";
import { SECRET_FILES } from "./server/data-folder.ts";
import { AUDIT_USERS } from "./server/server-config.ts";

/** Flags of commands that speak in the audit account. */
export interface KeeperFlags extends CommonFlags {
  readonly secretFile?: string;
}

/**
 * How to reach the audit account as its sink or its provisioner: with a credentials file, else with the secret
 * that `askfabric up` left in the data folder.
 *
 * @throws {@link CommandError} when there is neither.
 */
export function keeperOptions(
  role: keyof typeof AUDIT_USERS,
  flags: KeeperFlags,
  io: Io,
  { data, config }: Pick<Prepared, "data" | "config">,
): ConnectOptions {
  const found = findServer(flags, io, data);
  const { token: _token, ...options } = busOptions(found, {
    config,
    session: role,
    isStandIn: true,
  });
  demandRole(role, found);
  if (found.credential?.kind === "creds" || found.credential?.kind === "issued") {
    return { ...options, signal: io.stop };
  }
  const file = flags.secretFile || join(data, SECRET_FILES[role]);
  if (!existsSync(file)) {
    throw new CommandError(
      `there is no secret of the ${role}: ${file} is not there; name the data folder of "askfabric up" with --data, the file with --secret-file, or credentials of the audit account with --creds`,
    );
  }
  const read = (): string => readPrivateFile(file, `the secret file of the ${role}`);
  read();
  return { ...options, user: AUDIT_USERS[role], pass: read, signal: io.stop };
}

function demandRole(role: string, { named, speaker }: Connection): void {
  if (speaker === null || speaker.role === role) return;
  throw new CommandError(
    `${named} was issued to the ${speaker.role} ${JSON.stringify(speaker.name)}, and a ${role} is needed; name its join file with --join`,
  );
}
