import type { NatsProgram } from "../../src/cli/server/nats-program.ts";
import type { StormServer } from "../nodes/server.ts";
import type { Address } from "../wire/wire.ts";

/** Whose server is meant. */
export type Seat = "parent" | "child" | "sink";

/** What only some topologies can be struck by. */
export interface ClusterHandle {
  /** The server that leads the audit stream; null while none does. */
  leader(): Promise<StormServer | null>;
  /** Drops what servers say to one of them, or what it says, or both, until it is healed. */
  part(server: StormServer, ways: readonly ("in" | "out")[]): void;
  heal(server: StormServer): void;
}

/** The servers of a storm and how they are joined. */
export interface Topology extends AsyncDisposable {
  readonly name: string;
  readonly servers: readonly StormServer[];
  /** Where the link of a seat leads, the first that answers. */
  readonly addressesOf: (seat: Seat) => readonly [Address, ...Address[]];
  /** The sessions an ask may go to, the first being the one that children ask. */
  readonly way: readonly [string, ...string[]];
  /** Sessions that children ask in the place of the first one of {@link way} when nobody serves that. */
  readonly spares: readonly string[];
  /** What the stream is made with here. */
  readonly provisionArgs: readonly string[];
  /** The link between a leaf node and its hub; null where there is none. */
  readonly leafLink: {
    cut(): void;
    silence(ways: readonly ("up" | "down")[]): void;
    heal(): void;
  } | null;
  /** Null where there is one server. */
  readonly cluster: ClusterHandle | null;
  /** Servers that take provisioning, the first that answers. */
  url(): string;
  start(): Promise<void>;
}

/** Lays servers out below a folder; `secrets` is the folder of the secrets. Nothing runs yet. */
export type OpenTopology = (place: {
  readonly folder: string;
  readonly program: NatsProgram;
  readonly secrets: string;
}) => Promise<Topology>;
