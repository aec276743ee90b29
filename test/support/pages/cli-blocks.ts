import { Command, type Option } from "commander";
import { EXIT } from "../../../src/cli/failure.ts";
import { withCommon, withConnection } from "../../../src/cli/flags.ts";
import type { Io } from "../../../src/cli/io.ts";
import { buildProgram } from "../../../src/cli/program.ts";
import { type Block, cell, code, tableOf } from "./block.ts";

const PAGE = "docs/reference/cli.md";

/** The command line as `askfabric` builds it; nothing of it can be run. */
export function theProgram(): Command {
  const silent: Pick<Io, "version" | "write" | "complain"> = {
    version: "0",
    write: () => undefined,
    complain: () => undefined,
  };
  return buildProgram(silent as Io, () => undefined);
}

/** Every command that does something, by its whole name, in the order of the help. */
export function leafCommands(command = theProgram(), above = ""): ReadonlyMap<string, Command> {
  const found = new Map<string, Command>();
  for (const one of command.commands) {
    const name = `${above}${one.name()}`;
    if (one.commands.length === 0) found.set(name, one);
    else for (const [inner, leaf] of leafCommands(one, `${name} `)) found.set(inner, leaf);
  }
  return found;
}

const common = withCommon(new Command()).options;
const connection = withConnection(new Command()).options.filter((one) => !isIn(common, one));

/** What the page on the command line shows of the program. */
export function cliBlocks(): readonly Block[] {
  const commands = leafCommands();
  return [
    { page: PAGE, name: "commands", text: commandTable(commands) },
    { page: PAGE, name: "exit-codes", text: exitTable() },
    { page: PAGE, name: "connection", text: optionTable(connection) },
    { page: PAGE, name: "common", text: optionTable(common) },
    { page: PAGE, name: "details", text: [...commands].map(detailsOf).join("\n\n") },
  ];
}

function commandTable(commands: ReadonlyMap<string, Command>): string {
  const rows = [...commands].map(([name, command]) => [
    `[\`${name}\`](#${`askfabric ${name}`.replaceAll(" ", "-")})`,
    cell(command.description()),
  ]);
  return tableOf(["command", "what it does"], rows);
}

const MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "done; of `ask`: the call is allowed",
  usage: "usage, configuration, or something that had to work and did not; of a check: a finding",
  denied: "of `ask`: a rule, a link or a person denied the call",
  lost: "of `ask`: nobody ruled, and the call must not run",
};

function exitTable(): string {
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[];
  return tableOf(
    ["exit code", "meaning"],
    names.map((name) => [String(EXIT[name]), MEANING[name]]),
  );
}

function detailsOf([name, command]: readonly [string, Command]): string {
  const { options } = command;
  const own = options.filter((one) => !isIn(common, one) && !isIn(connection, one));
  const shared = [
    ...(options.some((one) => isIn(connection, one)) ? ["[connection](#connection)"] : []),
    ...(common.every((one) => isIn(options, one)) ? ["[common](#common)"] : []),
  ];
  const parts = [
    `### askfabric ${name}`,
    command.description(),
    `\`askfabric ${name} ${command.usage()}\``,
    ...(own.length === 0 ? [] : [optionTable(own)]),
    ...(shared.length === 0 ? [] : [`Also the ${shared.join(" and ")} options.`]),
    `\`\`\`text\n${helpBelow(command)}\n\`\`\``,
  ];
  const some = common.filter((one) => isIn(options, one));
  if (some.length > 0 && some.length < common.length) {
    parts.splice(3, own.length === 0 ? 0 : 1, optionTable([...own, ...some]));
  }
  return parts.join("\n\n");
}

function isIn(options: readonly Option[], { long }: Option): boolean {
  return options.some((one) => one.long === long);
}

function optionTable(options: readonly Option[]): string {
  return tableOf(
    ["option", "what it says", "default"],
    options.map((one) => [code(one.flags), cell(one.description), defaultOf(one)]),
  );
}

function defaultOf({ defaultValue, defaultValueDescription }: Option): string {
  if (defaultValueDescription !== undefined) return defaultValueDescription;
  return defaultValue === undefined ? "" : code(String(defaultValue));
}

/** What `--help` says below the options. */
function helpBelow(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (more) => {
      text += more;
    },
  });
  command.outputHelp();
  return text.slice(command.helpInformation().length).trim();
}
