import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/**
 * The home folder of this process's user: what the environment says where that is a whole path, else what the
 * system says. A `HOME` that is empty or relative would make files of the working directory this user's own.
 *
 * @defaultValue `/` where neither knows one. Never throws.
 */
export function homeFolder(
  named: () => string = homedir,
  known: () => string = () => userInfo().homedir,
): string {
  for (const ask of [named, known]) {
    try {
      const folder = ask();
      if (isAbsolute(folder)) return folder;
    } catch {
      // The system does not know this user.
    }
  }
  return "/";
}
