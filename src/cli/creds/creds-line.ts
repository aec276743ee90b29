/** What a `creds` command tells. No secret stands in it. */
export type CredsLine =
  | {
      readonly issued: {
        readonly name: string;
        readonly role: string;
        readonly agents: readonly string[];
        /** Unix milliseconds; null: for good. */
        readonly expiresAt: number | null;
        /** The join file. */
        readonly join: string;
      };
    }
  | { readonly revoked: { readonly name: string; readonly credentials: number } }
  | { readonly credential: IssuedCredential }
  /** What the server made of it, or the file it is started with. */
  | { readonly server: string };

interface IssuedCredential {
  readonly name: string;
  readonly role: string;
  readonly agents: readonly string[];
  readonly publicKey: string;
  readonly issuedAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}
