import type { NatsProgram } from "../../src/cli/server/nats-program.ts";
import type { StormServer } from "../nodes/server.ts";

/** Whose server is meant. */
export type Seat = "parent" | "child" | "sink";

/** The servers of a storm and how they are joined. */
export interface Topology extends AsyncDisposable {
  readonly name: string;
  readonly servers: readonly StormServer[];
  /** Port of the server that a seat's link leads to. */
  readonly portOf: (seat: Seat) => number;
  /** The server that takes provisioning. */
  url(): string;
  /** The sessions that may decide about what a child asks. */
  readonly deciders: readonly string[];
  /** What the stream is made with here. */
  readonly provisionArgs: readonly string[];
  start(): Promise<void>;
}

/** Lays servers out below a folder; `secrets` is the folder of the secrets. Nothing runs yet. */
export type OpenTopology = (place: {
  readonly folder: string;
  readonly program: NatsProgram;
  readonly secrets: string;
}) => Promise<Topology>;
