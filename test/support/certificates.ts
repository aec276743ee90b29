import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Files of a certificate and its key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** An authority that signs certificates for tests. */
export interface Authority extends Certificate {
  /** Issues a certificate for 127.0.0.1 and localhost, or for a client. */
  issue(name: string): Certificate;
}

/** Makes an authority whose files lie in a folder; needs `openssl`. */
export function makeAuthority(folder: string, name: string): Authority {
  const at = (file: string): string => join(folder, file);
  const openssl = (...args: readonly string[]): void => {
    execFileSync("openssl", args, { stdio: "ignore" });
  };
  const own = { cert: at(`${name}.pem`), key: at(`${name}.key`) };
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...fresh,
    "-subj",
    `/CN=${name}`,
    "-days",
    "2",
    "-keyout",
    own.key,
    "-out",
    own.cert,
  );
  return {
    ...own,
    issue: (of) => {
      const issued = { cert: at(`${name}-${of}.pem`), key: at(`${name}-${of}.key`) };
      const [request, names] = [at(`${of}.csr`), at(`${of}.ext`)];
      writeFileSync(names, "subjectAltName=IP:127.0.0.1,DNS:localhost\n");
      openssl("req", ...fresh, "-subj", `/CN=${of}`, "-keyout", issued.key, "-out", request);
      const by = ["-CA", own.cert, "-CAkey", own.key, "-CAcreateserial", "-days", "2"];
      openssl("x509", "-req", "-in", request, ...by, "-extfile", names, "-out", issued.cert);
      return issued;
    },
  };
}
