import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type ComposeService, type Mount, mountsOf, readCompose } from "../support/compose-file.ts";
import { leafCommands } from "../support/pages/cli-blocks.ts";

const FOLDER = fileURLToPath(new URL("../../deploy/compose", import.meta.url));
const services = readCompose(join(FOLDER, "compose.yaml"), { ASKFABRIC_USER: "1000:1000" });
const own = [...services].filter(([, { image }]) => image === "askfabric:local");

/** The parts of a command line of the product: its command, and its flags with their values. */
function partsOf({ command }: ComposeService): { readonly name: string; readonly flags: Flags } {
  const first = command.findIndex((word) => word.startsWith("--"));
  const words = command
    .slice(first)
    .join("=")
    .split(/=(?=--)/);
  const flags = words.map((word): [string, string] => {
    const [flag = "", ...value] = word.split("=");
    return [flag, value.join("=")];
  });
  return { name: command.slice(0, first).join(" "), flags };
}

type Flags = readonly (readonly [string, string])[];

/** The files that a service names and that no mount of it holds. */
function outsideOfMounts(service: ComposeService): readonly string[] {
  const named = service.command.join(" ").match(/\/[a-z][^\s=]*/g) ?? [];
  const targets = mountsOf(service).map(({ target }) => target);
  return named.filter((path) => !targets.some((target) => `${path}/`.startsWith(`${target}/`)));
}

/** Files of the repository are there and only read; everything else is a secret or a state folder. */
function isStrange({ source, writable }: Mount): boolean {
  if (source.startsWith("../")) return writable || !existsSync(join(FOLDER, source));
  return !/^\.\/(secrets\/[a-z.]+|state\/[a-z]+)$/.test(source);
}

const portsOf = (service: ComposeService): readonly string[] => service.ports ?? [];

describe("the compose file", () => {
  it("names the server, the provisioner, the audit service and a parent", () => {
    expect([...services.keys()]).toEqual(["nats", "provision", "audit", "lead"]);
  });

  it("does not start without the user that owns the secrets", () => {
    expect(() => readCompose(join(FOLDER, "compose.yaml"), {})).toThrow("ASKFABRIC_USER");
  });

  it.each(own)("%s runs a command of the program with flags that it has", (_name, service) => {
    const { name, flags } = partsOf(service);
    const known = leafCommands()
      .get(name)
      ?.options.map(({ long }) => long);
    expect(flags.filter(([flag]) => known?.includes(flag) !== true)).toEqual([]);
  });

  it.each([...services])("%s finds each file that it names in a mount", (_name, service) => {
    expect(outsideOfMounts(service)).toEqual([]);
  });

  it.each([...services])("%s mounts what is here or what the how-to makes", (_name, service) => {
    expect(mountsOf(service).filter(isStrange)).toEqual([]);
  });

  it.each([...services])(
    "%s runs as no root, with nothing to gain and nothing to write",
    (_name, service) => {
      expect(service).toMatchObject({
        user: "1000:1000",
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        restart: expect.stringMatching(/^(always|on-failure:\d)$/) as string,
      });
    },
  );

  it("shows the server to the loopback of the machine alone", () => {
    const ports = [...services.values()].flatMap(portsOf);
    expect(ports).toEqual(["127.0.0.1:4222:4222"]);
  });
});
