import { randomBytes } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../journal/make-folder.ts";
import { sentenceOf } from "../failure.ts";
import { readPrivateFile } from "../private-file.ts";
import { writePrivateFile } from "../private-write.ts";
import type { ServerSecrets } from "./server-config.ts";
import { ServerError } from "./server-error.ts";

const SECRET_BYTES = 32;

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

/** Files of a data folder that hold one secret each, by whom it makes one. */
export const SECRET_FILES = {
  token: "token",
  sink: "sink.secret",
  provisioner: "provisioner.secret",
} as const;

/**
 * The secrets of a data folder: those that are there, new ones for the rest.
 *
 * @throws {@link CommandError} when a file is open to other users or empty.
 */
export function secretsOf(data: string): ServerSecrets {
  return {
    token: secretOf(join(data, SECRET_FILES.token)),
    sink: secretOf(join(data, SECRET_FILES.sink)),
    provisioner: secretOf(join(data, SECRET_FILES.provisioner)),
  };
}

function secretOf(file: string): string {
  if (existsSync(file)) return readPrivateFile(file, "the secret file");
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  writePrivateFile(file, `${secret}\n`);
  return secret;
}
