import { encodeUser } from "@nats-io/jwt";
import { mintKey } from "../../src/wire/nkey.ts";
import type { Attempt } from "../attempt.ts";
import { type AttackedFleet, credsText, PREFIX } from "../fleet.ts";
import { speakAs } from "../speaker.ts";

/** Somebody connects with what is no credential of the fleet; with the right one it stands. */
function connecting(
  what: string,
  forged: (fleet: AttackedFleet) => Promise<string> | string,
): Attempt {
  return {
    by: "stranger",
    what: `connects with ${what}`,
    run: async (fleet) => {
      const creds = await forged(fleet);
      return {
        refused: !(await stands(fleet, creds)),
        control: await stands(fleet, fleet.credsOf("worker-1")),
      };
    },
  };
}

async function stands({ fleet }: AttackedFleet, creds: string): Promise<boolean> {
  try {
    const who = { name: "stranger", inbox: `${PREFIX}.inbox.worker-1`, creds };
    await using speaker = await speakAs(fleet.url, who);
    await speaker.settle();
    return true;
  } catch {
    return false;
  }
}

const seedOf = (creds: string): string => /\bSU[A-Z2-7]{56}\b/.exec(creds)?.[0] ?? "";
const jwtOf = (creds: string): string | null =>
  /\beyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(creds)?.[0] ?? null;

/** The stolen part of a credential with a key of the thief's own. */
function withoutItsKey(creds: string): string {
  const jwt = jwtOf(creds);
  const { seed } = mintKey("user");
  return jwt === null ? seed : credsText(jwt, seed);
}

/** A JWT with another name in it, under the signature that it had. */
function renamed(creds: string): string {
  const jwt = jwtOf(creds);
  if (jwt === null) return mintKey("user").seed;
  const [head = "", claims = "", signature = ""] = jwt.split(".");
  const text = Buffer.from(claims, "base64url").toString().replace('"worker-1"', '"lead"');
  const changed = Buffer.from(text).toString("base64url");
  return credsText(`${head}.${changed}.${signature}`, seedOf(creds));
}

/** A JWT for a new key, signed by whom the fleet does not know. */
async function selfIssued(fleet: AttackedFleet): Promise<string> {
  const { seed, key } = mintKey("user");
  const own = mintKey("account").seed;
  const jwt = await encodeUser("worker-1", key.publicKey, own, {});
  return fleet.mode === "jwt" ? credsText(jwt, seed) : seed;
}

/** Something of the right form whose JWT no one can read. */
const nonsense = (): string => credsText("eyJ.eyJ.x", mintKey("user").seed);

/** A JWT of the session's own key, signed as the issuer does, whose time is over. */
async function expired({ mode, seeds, credsOf }: AttackedFleet): Promise<string> {
  const old = credsOf("eve");
  if (mode !== "jwt") return old;
  const { seed, key } = mintKey("user");
  const signer = seeds["session role"] ?? "";
  const account = seeds["fleet"] ?? "";
  const over = { scopedUser: true, signer, exp: Math.floor(Date.now() / 1000) - 10 };
  return credsText(await encodeUser("eve", key.publicKey, account, {}, over), seed);
}

/** What the issuer of another fleet issued for the same name. */
async function ofAnotherFleet({ mode }: AttackedFleet): Promise<string> {
  const { seed, key } = mintKey("user");
  if (mode !== "jwt") return seed;
  const [account, signer] = [mintKey("account").seed, mintKey("account").seed];
  const jwt = await encodeUser(
    "worker-1",
    key.publicKey,
    account,
    {},
    { scopedUser: true, signer },
  );
  return credsText(jwt, seed);
}

/** Attempts to connect. */
export const ON_CONNECTIONS: readonly Attempt[] = [
  connecting("a stolen credential without its key", ({ credsOf }) =>
    withoutItsKey(credsOf("worker-1")),
  ),
  connecting("a credential whose name was changed", ({ credsOf }) => renamed(credsOf("worker-1"))),
  connecting("a key that nobody issued", () => mintKey("user").seed),
  connecting("a credential that it issued itself", selfIssued),
  connecting("a credential that is none", nonsense),
  connecting("a credential that was revoked", ({ credsOf }) => credsOf("ivan")),
  connecting("a credential that is over", expired),
  connecting("a credential of another fleet", ofAnotherFleet),
];
