/** Base names of files that hold secrets by custom. */
const SECRET_NAME =
  /^(?:\.env(?:\.[\w.-]+)?|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.vault-token|\.dev\.vars|\.s3cfg|\.boto|\.dockercfg|kubeconfig|id_(?:rsa|dsa|ecdsa|ed25519)(?:[_.-][\w.-]+)?|[\w.-]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfstate(?:\.backup)?|age)|[\w.-]*(?:priv|secret)[\w.-]*\.asc|secrets?\.(?:json|ya?ml|toml|ini|env)|\.?credentials(?:\.(?:json|ya?ml|toml|db|csv|tfrc\.json))?|service[-_]account[\w.-]*\.json|shadow|gshadow|master\.key)$/i;

/** Names that only look like those: examples to copy from, public halves. */
const HARMLESS_NAME =
  /\.(?:example|sample|template|dist|pub|md)$|^(?:[\w-]+[.-])?(?:ca|cacert|certs?|certificate|chain|fullchain|ca-bundle|ca-certs?|root-?ca|pub|public|pubkey)\.pem$|^\.env\.(?:example|sample|template|dist|defaults)$/i;

/** Folders all of whose files count, but for a few that hold nothing secret. */
const SECRET_FOLDER =
  /(?:^|\/)(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.config\/(?:gcloud|gh|op)|\.password-store|\.docker\/config\.json|etc\/ssl\/private)(?:\/|$)/;
const HARMLESS_IN_FOLDER = /(?:^|\/)(?:known_hosts|authorized_keys|[\w.-]+\.pub)$/;

const PROCESS_SECRETS = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem)$/;

/** The name under which a path is known as that of a secret; null when it is not. */
export function secretNameOf(path: string): string | null {
  const plain = path
    .replaceAll("\\", "/")
    .replaceAll(/\/{2,}/g, "/")
    .replace(/(.)\/$/, "$1");
  const name = plain.slice(plain.lastIndexOf("/") + 1);
  if (PROCESS_SECRETS.test(plain)) return plain;
  if (HARMLESS_NAME.test(name) || HARMLESS_IN_FOLDER.test(plain)) return null;
  if (SECRET_NAME.test(name)) return name;
  const folder = SECRET_FOLDER.exec(plain);
  return folder === null ? null : folder[0].replaceAll(/^\/|\/$/g, "");
}
