import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** A service of the compose file, as far as it is used here. */
export interface ComposeService {
  readonly image: string;
  readonly command: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart?: string;
  readonly tmpfs?: readonly string[];
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
}

/** A folder or file of the machine inside a container. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly writable: boolean;
}

/**
 * Reads the services of a compose file as a container engine does, with the variables given.
 *
 * @throws Error when a variable without a default is not given.
 */
export function readCompose(
  file: string,
  variables: Readonly<Record<string, string>>,
): ReadonlyMap<string, ComposeService> {
  const text = readFileSync(file, "utf8").replaceAll(
    /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string | undefined, rest: string | undefined) => {
      const value = variables[name] ?? (kind === "-" ? rest : undefined);
      if (value === undefined) throw new Error(`${name} is not given: ${rest ?? ""}`);
      return value;
    },
  );
  const read = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  return new Map(Object.entries(read.services));
}

/** The mounts of a service. */
export function mountsOf({ volumes = [] }: ComposeService): readonly Mount[] {
  return volumes.map((volume) => {
    const [source = "", target = "", mode] = volume.split(":");
    return { source, target, writable: mode !== "ro" };
  });
}
