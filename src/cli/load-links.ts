import { pathToFileURL } from "node:url";
import type { Link, Log } from "../ask/ports.ts";
import { commandLink } from "../chain/command-link.ts";
import { httpLink } from "../chain/http-link.ts";
import { type ModuleLink, moduleLink } from "../chain/module-link.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import type { LinkOptions } from "../config/options.ts";
import type { ParentLinks } from "../parent/parent.ts";
import type { Io } from "./io.ts";
import { GUARD, type LinkPlace, linkFolder, linkPath, linkProgram } from "./link-place.ts";
import { readPrivateFile } from "./private-file.ts";

/** How long a start waits for modules to be loaded, in milliseconds. */
const LOADING_MS = 5_000;

/** What a program of a link gets of this program's environment: how to run at all, and no secret. */
const PASSED_ON = [
  "PATH",
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "TMPDIR",
  "SystemRoot",
  "PATHEXT",
  "TEMP",
  "USERPROFILE",
];

/** Links as a parent takes them, until they are closed. */
export interface LoadedLinks extends AsyncDisposable {
  readonly links: Required<ParentLinks>;
}

/**
 * Opens the links that the chain of a configuration names. What cannot be opened is told on the log and defers
 * later: asks then go on to the next link and to the terminal.
 */
export async function loadLinks(config: LoadedConfig, io: Io, log: Log): Promise<LoadedLinks> {
  const { authorizerChain, links, linkTimeoutMs } = config.options;
  const place = { folder: linkFolder(config), home: io.home, env: passedOn(io.env) };
  const opened: Link[] = [];
  const modules: ModuleLink[] = [];
  for (const name of authorizerChain) {
    const of = links.get(name);
    if (of === undefined) {
      log.error(
        { link: name },
        "authorizerChain names a link that links does not hold; it is skipped",
      );
    } else if ("module" in of) {
      const module = openModule(name, of, place, { io, log });
      modules.push(module);
      opened.push(module);
    } else opened.push("command" in of ? openCommand(name, of, place) : openHttp(name, of, place));
  }
  await Promise.all(modules.map(async (module) => tellVacant(module, log)));
  return {
    links: { links: opened, authorizerChain, linkTimeoutMs },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(modules.map(async (module) => module.close()));
    },
  };
}

/** Names what is configured about links: two configurations with one name need no other links. */
export function linksDigest({ options, origins, ...config }: LoadedConfig): string {
  const { authorizerChain, links, linkTimeoutMs } = options;
  const folder = linkFolder({ origins, ...config });
  return JSON.stringify([authorizerChain, [...links], linkTimeoutMs, folder]);
}

interface Place extends LinkPlace {
  readonly env: Readonly<Record<string, string>>;
}

function openModule(
  name: string,
  of: LinkOptions & { readonly module: string },
  place: Place,
  { io, log }: { readonly io: Io; readonly log: Log },
): ModuleLink {
  const file = of.module === GUARD ? guardFile() : pathToFileURL(linkPath(of.module, place)).href;
  const monotonic = (): number => io.clock.monotonic();
  return moduleLink({ ...common(name, of), file, env: place.env, monotonic, log });
}

function openCommand(
  name: string,
  of: LinkOptions & { readonly command: readonly string[] },
  place: Place,
): Link {
  const [program = "", ...args] = of.command;
  const found = linkProgram(program, place);
  const { folder: cwd, env } = place;
  return commandLink({ ...common(name, of), command: [found, ...args], cwd, env });
}

function openHttp(
  name: string,
  of: LinkOptions & { readonly http: string; readonly secretFile?: string },
  place: Place,
): Link {
  const { http: url, secretFile } = of;
  if (secretFile === undefined) return httpLink({ ...common(name, of), url });
  const path = linkPath(secretFile, place);
  const secret = (): string => readPrivateFile(path, `the secret file of link ${name},`);
  return httpLink({ ...common(name, of), url, secret });
}

function common(
  name: string,
  { options, timeoutMs }: LinkOptions,
): Pick<Link, "name" | "timeoutMs"> & { readonly options: Readonly<Record<string, unknown>> } {
  return { name, options: options ?? {}, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

/** The guard lies beside this file when it is run as built, else in its room. */
function guardFile(): string {
  const beside = import.meta.url.endsWith(".ts") ? "../chain/guard.ts" : "./guard.js";
  return new URL(beside, import.meta.url).href;
}

function passedOn(env: Io["env"]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

async function tellVacant(module: ModuleLink, log: Log): Promise<void> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(
    () => late.resolve(`it is not loaded after ${LOADING_MS} ms`),
    LOADING_MS,
  );
  const why = await Promise.race([module.load(), late.promise]);
  clearTimeout(timer);
  if (why !== null) log.error({ link: module.name, reason: why }, "a link is vacant and defers");
}
