import type { ServerTls } from "../../access/server-file.ts";
import { CommandError } from "../failure.ts";
import type { Io } from "../io.ts";
import { type NamedFile, readNamedFile } from "../named-file.ts";

/** Flags of `creds init` about the server's certificate. */
export interface ServerTlsFlags {
  readonly url: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** Authority that speakers trust; absent: those of their system. */
  readonly tlsCa?: string;
  /** Authority of the certificates that speakers have to show. */
  readonly tlsClientCa?: string;
}

/**
 * Reads what a server encrypts with, and the authority that speakers are to trust.
 *
 * @throws {@link CommandError} when the flags contradict each other or the URL, or name what cannot be read.
 */
export function readServerTls(
  flags: ServerTlsFlags,
  io: Pick<Io, "cwd">,
): { readonly tls: ServerTls | null; readonly ca: string | null } {
  const { url, tlsCert, tlsKey, tlsCa, tlsClientCa } = flags;
  const isSecure = url.startsWith("tls://");
  if (!isSecure && [tlsCert, tlsKey, tlsCa, tlsClientCa].every((one) => one === undefined)) {
    return { tls: null, ca: null };
  }
  if (!isSecure || tlsCert === undefined || tlsKey === undefined) {
    throw new CommandError(
      `--url ${url} with TLS needs all three: a URL that begins with tls://, --tls-cert and --tls-key`,
    );
  }
  const read = (flag: string, file: string): NamedFile => readNamedFile(flag, file, io);
  const clientCa = tlsClientCa === undefined ? null : read("--tls-client-ca", tlsClientCa).path;
  return {
    tls: {
      certFile: read("--tls-cert", tlsCert).path,
      keyFile: read("--tls-key", tlsKey).path,
      clientCaFile: clientCa,
    },
    ca: tlsCa === undefined ? null : read("--tls-ca", tlsCa).text,
  };
}
