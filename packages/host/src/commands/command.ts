import type { Created } from '../created.ts';
import type { Log } from '../log.ts';
import type { Invocation } from '../setup/invocation.ts';
import type { Machine } from '../setup/machine.ts';

/** What a subcommand works with. */
interface CommandContext {
  /** Makes the server object; throws a `UsageError` if it has not what the options name. */
  readonly create: () => Created;
  readonly log: Log;
  readonly print: (text: string) => void;
  /** For people, beside what is printed for programs, too. */
  readonly note: (text: string) => void;
  readonly invocation: Invocation;
  readonly machine: Machine;
}

/** A subcommand; resolves to the exit code. */
export interface Command {
  readonly summary: string;
  /** What it takes before the arguments of the server, as `--help` calls it. */
  readonly operand?: string;
  readonly run: (context: CommandContext) => Promise<number>;
}
