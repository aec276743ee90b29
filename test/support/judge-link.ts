import type { CreateLink } from "../../src/ask/ports.ts";

/** A module of a link for tests: what it does is written in the command it is asked about. */
export const createLink: CreateLink = ({ name }) => ({
  judge: async ({ value }, query, log, signal) => {
    const [word = "", ...rest] = (value ?? "").split(" ");
    switch (word) {
      case "deny":
        return { kind: "deny", reason: `${name} says ${rest.join(" ")}` };
      case "allow":
        return { kind: "allow" };
      case "throw":
        throw new Error("scripted");
      case "wait":
        log.info({}, "the link waits");
        return new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ kind: "allow" }));
        });
      case "spin":
        for (;;);
      case "exit":
        return process.exit(0);
      case "crash":
        setTimeout(() => {
          throw new Error("out of nowhere");
        });
        return new Promise(() => undefined);
      case "print":
        process.stdout.write('{"ready":true}\n');
        return { kind: "defer" };
      case "odd":
        return { kind: (): string => "allow" } as never;
      case "rules": {
        log.info({ about: rest[0] }, "asks the rules");
        const { state } = await query.checkPermission("bash", rest.join(" "));
        return { kind: "deny", reason: `the rules say ${state}` };
      }
      case "env":
        return { kind: "deny", reason: Object.keys(process.env).join(",") };
      default:
        return { kind: "defer" };
    }
  },
});
