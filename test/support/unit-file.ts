import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the units. */
export const UNIT_FOLDER = fileURLToPath(new URL("../../deploy/systemd", import.meta.url));

/** A unit of systemd: every setting with its values, in order. */
export type Unit = ReadonlyMap<string, readonly string[]>;

/** Reads a unit. */
export function readUnit(name: string): Unit {
  const unit = new Map<string, string[]>();
  for (const line of readFileSync(join(UNIT_FOLDER, name), "utf8").split("\n")) {
    const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    unit.set(key, [...(unit.get(key) ?? []), value]);
  }
  return unit;
}

/** The first value of a setting; empty when it is not there. */
export function settingOf(unit: Unit, key: string): string {
  return unit.get(key)?.[0] ?? "";
}

/** What a unit runs, as systemd would start it, on a machine that lies below one folder. */
export interface UnitStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The machine a unit is started on. */
export interface UnitPlace {
  /** Folder that stands for the root of the machine. */
  readonly root: string;
  /** Part of the unit's name behind the `@`. */
  readonly instance?: string;
}

/**
 * Does what systemd does before a start: makes the state folder, copies the credentials, sets the environment and
 * expands the command line.
 */
export function prepareUnit(name: string, { root, instance = "" }: UnitPlace): UnitStart {
  const unit = readUnit(name);
  const expand = (text: string): string => text.replaceAll("%i", instance);
  const only = (key: string): string => expand(settingOf(unit, key));
  const credentials = join(root, "run", "credentials", name.replace("@", `@${instance}`));
  const state = join(root, "var", "lib", only("StateDirectory"));
  for (const folder of [credentials, state]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const credential of unit.get("LoadCredential") ?? []) {
    const [id = "", source = ""] = expand(credential).split(":");
    cpSync(join(root, source), join(credentials, id));
  }
  const given = (unit.get("Environment") ?? []).map((line): [string, string] => {
    const [key = "", ...rest] = expand(line).split("=");
    return [key, rest.join("=")];
  });
  const env = {
    ...Object.fromEntries(given),
    ...environmentFile(root, only("EnvironmentFile")),
    CREDENTIALS_DIRECTORY: credentials,
    STATE_DIRECTORY: state,
  };
  const [command = "", ...args] = only("ExecStart")
    .replaceAll(/\$\{([A-Z_]+)\}/g, (_, key: string) => env[key as keyof typeof env])
    .replaceAll("/etc/askfabric", join(root, "etc", "askfabric"))
    .split(" ");
  return { command, args, env };
}

function environmentFile(root: string, setting: string): Readonly<Record<string, string>> {
  if (setting === "") return {};
  const file = join(root, setting.replace(/^-/, ""));
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return Object.fromEntries(
    lines.map((line): [string, string] => {
      const [key = "", ...rest] = line.split("=");
      return [key, rest.join("=")];
    }),
  );
}

/** Puts a file of the repository where a deployment has it. */
export function lay(root: string, from: string, to: string): void {
  const target = join(root, to);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(fileURLToPath(new URL(`../../${from}`, import.meta.url)), target);
}
