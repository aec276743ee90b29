import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { sentenceOf } from "../failure.ts";
import { readPrivateFile } from "../private-file.ts";
import { writePrivateFile } from "../private-write.ts";
import { ServerError } from "./server-error.ts";

const TOKEN_BYTES = 32;

/** The folders of a managed server, by their real paths. */
export interface ServerFolders {
  readonly data: string;
  /** The server's own: configuration, logs, streams, lock. */
  readonly server: string;
}

/**
 * Makes the folders of a managed server, for this user alone.
 *
 * @throws {@link ServerError} `server_data_unusable`.
 */
export function makeServerFolders(data: string): ServerFolders {
  try {
    makeFolder(join(data, "server"));
    const real = realpathSync(data);
    return { data: real, server: join(real, "server") };
  } catch (error) {
    throw new ServerError(
      "server_data_unusable",
      `${data} cannot be used as data folder (${sentenceOf(error)}): make it writable for this user, or choose another with --data`,
      { cause: error },
    );
  }
}

/** By hand: where a parent takes no folders at all, such as below /proc, Node's own way never returns. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

/**
 * The token of a data folder: the one that is there, else a new one.
 *
 * @throws {@link CommandError} when the file is open to other users or empty.
 */
export function tokenOf(data: string): string {
  const file = join(data, "token");
  if (existsSync(file)) return readPrivateFile(file, "the token file");
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  writePrivateFile(file, `${token}\n`);
  return token;
}
