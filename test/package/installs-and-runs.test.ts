import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Consumer, openConsumer } from "../support/consumer.ts";

const example = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/examples/${name}.ts`, import.meta.url)), "utf8");

let consumer: Consumer;
beforeAll(async () => {
  consumer = await openConsumer();
  consumer.write("child.ts", example("child"));
  consumer.write("parent.ts", example("parent"));
});
afterAll(async () => consumer[Symbol.asyncDispose]());

describe.each(["22.22.2", "24.21.0", "26.10.0"])("the packed package on Node %s", (version) => {
  let node: string;
  beforeAll(async () => {
    const name = `node-${version}`;
    await consumer.install(`${name}@npm:node@${version}`);
    node = join(consumer.folder, "node_modules", name, "bin", "node");
  });

  it("runs its command", async () => {
    const main = join(consumer.folder, "node_modules/askfabric/dist/cli/main.js");
    expect(await consumer.run(node, main, "--version")).toMatchObject({
      code: 0,
      stdout: "0.1.0\n",
    });
    const schema = await consumer.run(node, main, "schema", "lines/outcome");
    expect(JSON.parse(schema.stdout)).toHaveProperty("$schema");
  });

  it("gives its public names", async () => {
    const text =
      'import { connect, openChild, openParent } from "askfabric"; console.log(typeof connect, typeof openChild, typeof openParent);';
    const { stdout } = await consumer.run(node, "--input-type=module", "-e", text);
    expect(stdout).toBe("function function function\n");
  });
});

/** Module and module resolution of a consumer's compiler. */
const MODULES = [
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
] as const;

describe.each(["5.9.3", "6.0.3", "7.0.2"])("the types under TypeScript %s", (version) => {
  it.each(MODULES)("compile the examples as %s with resolution %s", async (module, how) => {
    const name = `typescript-${version}`;
    await consumer.install(`${name}@npm:typescript@${version}`, "@types/node@24.19.4");
    const options = `--noEmit --strict --target es2024 --types node --lib es2024,esnext.disposable --module ${module} --moduleResolution ${how}`;
    const tsc = join(consumer.folder, "node_modules", name, "bin", "tsc");
    const args = [tsc, ...options.split(" "), "child.ts", "parent.ts"];
    const checked = await consumer.run(process.execPath, ...args);
    expect(checked).toMatchObject({ code: 0, stdout: "" });
  });
});
