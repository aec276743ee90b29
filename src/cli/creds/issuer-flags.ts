import { join, resolve } from "node:path";
import type { Io } from "../io.ts";
import { dataFolder } from "../places.ts";

/** Flags of every `creds` command. */
export interface IssuerFlags {
  readonly data?: string;
  readonly issuer?: string;
  readonly json?: boolean;
  readonly width: number;
}

/** The folder from which a fleet's credentials are issued. */
export function issuerFolder({ issuer, ...flags }: IssuerFlags, io: Io): string {
  return issuer ? resolve(io.cwd, issuer) : join(dataFolder(flags, io), "issuer");
}
