import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of a test's own, by its real path. */
export interface TempFolder extends Disposable {
  readonly path: string;
}

/** Makes a folder that goes with its scope. */
export function tempFolder(): TempFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "askfabric-test-")));
  return {
    path,
    [Symbol.dispose]: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
