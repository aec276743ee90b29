import { setFlagsFromString } from "node:v8";

/**
 * Keeps the part of this process's heap where everything new begins as small as it starts. Under load the engine
 * lets it grow to 128 MB, most of it empty, which a program that only waits with its asks never gives back. It is
 * a matter of the whole process: programs decide it, the library does not.
 */
export function keepYoungHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
