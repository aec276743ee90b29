import { setup } from "./build-once.ts";

/** Builds the program unless what stands there is newer than every source file. */
setup();
