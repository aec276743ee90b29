import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { dirname, resolve } from "node:path";
import { CommandError, sentenceOf } from "./failure.ts";

const MAX_BYTES = 64 * 1024;

/**
 * Reads a file that holds a secret. It must belong to this user alone: a secret that others can read or
 * replace is none. What systemd put into the credentials folder of this service is this user's own, although it
 * belongs to root. `what` names it in errors; its content never stands in one.
 *
 * @throws {@link CommandError} when it cannot be read, is empty, too large, or open to others.
 */
export function readPrivateFile(path: string, what: string): string {
  let descriptor: number;
  try {
    // Opening a pipe would wait until somebody writes into it.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new CommandError(
      `${what} ${path} cannot be opened (${sentenceOf(error)}); name a file that this user can read`,
      { cause: error },
    );
  }
  try {
    const fault = faultOf(fstatSync(descriptor), path);
    if (fault !== null) throw new CommandError(`${what} ${path} ${fault}`);
    const text = readFileSync(descriptor, "utf8").trim();
    if (text === "") throw new CommandError(`${what} ${path} is empty; write the secret into it`);
    return text;
  } finally {
    closeSync(descriptor);
  }
}

function faultOf(stat: Stats, path: string): string | null {
  if (!stat.isFile()) return "is no file; name one";
  if (stat.size > MAX_BYTES) return `is larger than ${MAX_BYTES} bytes; name the right file`;
  const self = process.getuid?.();
  // Windows has neither owners nor modes of this kind.
  if (self === undefined) return null;
  if (isCredential(path, stat)) return null;
  if ((stat.mode & 0o077) !== 0) {
    return `is open to other users (mode ${(stat.mode & 0o777).toString(8)}); run chmod 600 ${path}`;
  }
  if (self !== 0 && stat.uid !== self) {
    return `belongs to user ${stat.uid}, not to this one (${self}); give it its owner or a copy`;
  }
  return null;
}

/** systemd gives one user the right to read by an access list, whose mask then shows as the mode of the group. */
function isCredential(path: string, { mode, uid }: Stats): boolean {
  const folder = process.env["CREDENTIALS_DIRECTORY"];
  if (!folder || dirname(resolve(path)) !== resolve(folder)) return false;
  return (mode & 0o037) === 0 && uid === 0;
}
