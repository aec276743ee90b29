import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { limitMs } from "../support/random-tests.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * `fast` needs no network and no build; `real` needs a nats-server and the built program; `containers` needs a
 * container engine and passes over its tests with a reason where none answers; `package` installs what would be
 * published.
 */
export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        test: {
          name: "fast",
          include: ["test/{unit,laws,contract,architecture}/**/*.test.ts"],
          // Half the time goes into loading the same modules anew for each file; no test here replaces a module.
          isolate: false,
          globalSetup: ["test/support/random-once.ts"],
          setupFiles: ["test/support/shell-grammar.ts", "test/support/random-setup.ts"],
          exclude: [],
          testTimeout: limitMs(60_000),
        },
      },
      {
        root,
        test: {
          name: "real",
          globalSetup: [
            "test/support/build-once.ts",
            "test/support/nats-once.ts",
            "test/support/random-once.ts",
          ],
          setupFiles: ["test/support/random-setup.ts"],
          include: ["test/{conformance,integration,fault}/**/*.test.ts"],
          exclude: [],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        root,
        test: {
          name: "containers",
          globalSetup: ["test/support/build-once.ts"],
          include: ["test/containers/**/*.test.ts"],
          exclude: [],
          // Its helper is one more image to fetch, and each test removes what it started.
          env: { TESTCONTAINERS_RYUK_DISABLED: "true" },
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      {
        root,
        test: {
          name: "package",
          globalSetup: ["test/support/build-once.ts"],
          include: ["test/package/**/*.test.ts"],
          exclude: [],
          testTimeout: 180_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
