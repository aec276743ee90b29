import type { CreateLink } from "askfabric";

/** Denies releases outside office hours; leaves everything else to the next link or to a person. */
export const createLink: CreateLink = ({ options }) => {
  const from = typeof options["from"] === "number" ? options["from"] : 9;
  const to = typeof options["to"] === "number" ? options["to"] : 17;
  return {
    judge: async (details) => {
      const commands = details.accessIntent?.units?.map(({ value }) => value) ?? [];
      if (!commands.some((command) => command.startsWith("make release"))) return { kind: "defer" };
      const hour = new Date().getHours();
      if (hour >= from && hour < to) return { kind: "defer" };
      return { kind: "deny", reason: `releases are made from ${from} to ${to} o'clock` };
    },
  };
};
