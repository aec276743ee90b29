export { mintKey, mintSeed, type NkeyKind, readSeed, type SigningKey } from "../wire/nkey.ts";
