import { RIGHTS } from "../../../src/access/rights.ts";
import { ACCOUNT_OF, ROLES } from "../../../src/access/roles.ts";
import { createSubjects } from "../../../src/wire/subjects.ts";
import { type Block, code, tableOf } from "./block.ts";

const PAGE = "docs/reference/permissions.md";
const FLEET = createSubjects("af.v1.FLEET");

/** The matrix of permissions, made of the data that writes the servers' files. */
export function permissionBlocks(): readonly Block[] {
  const rows = ROLES.flatMap((role) =>
    RIGHTS[role].map(({ may, subject, why }) => [
      role,
      ACCOUNT_OF[role],
      may,
      code(subject(FLEET, "NAME")),
      why,
    ]),
  );
  const head = ["role", "account", "may", "subject", "for"];
  return [{ page: PAGE, name: "matrix", text: tableOf(head, rows) }];
}
