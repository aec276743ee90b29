/** The works of a role by name. Input and output are JSON. */
export type Works = Readonly<Record<string, (input: never) => unknown>>;

/**
 * Runs a role: opens it with its options, says that it is ready and does what it is asked until it is killed. Every
 * role has the work `cpu`: microseconds of processor its process has used.
 */
export async function serveRole<O>(open: (options: O) => Promise<Works>): Promise<void> {
  const say = (message: object): void => void process.send?.(message);
  const own = await open(JSON.parse(process.argv[2] ?? "{}") as O).catch((error: unknown) => {
    say({ id: 0, error: String(error) });
    throw error;
  });
  const works: Works = { ...own, cpu: cpuUs };
  process.on("message", (message: { id: number; work: string; input: never }) => {
    const { id, work, input } = message;
    const done = async (): Promise<unknown> => {
      const one = works[work];
      if (one === undefined) throw new Error(`there is no work ${work}`);
      return await one(input);
    };
    done().then(
      (output) => say({ id, output }),
      (error: unknown) => say({ id, error: String(error) }),
    );
  });
  process.on("disconnect", () => process.exit(0));
  say({ id: 0 });
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
