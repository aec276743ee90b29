import type { CreateLink } from "askfabric";

/** Commands that only look at packages, with plain arguments. */
const LOOKS = /^npm (?:ls|outdated|view)(?: [\w.@/-]+)*$/;

/** Allows what only looks; leaves everything else to the next link or to a person. */
export const createLink: CreateLink = () => ({
  judge: async ({ accessIntent }) => {
    const units = accessIntent?.units ?? [];
    const looks = units.length > 0 && units.every(({ value }) => LOOKS.test(value));
    return looks ? { kind: "allow" } : { kind: "defer" };
  },
});
