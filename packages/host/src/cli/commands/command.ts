import type { ServerInstance } from '../../server/server-instance.ts';
import type { Log } from '../../process/log.ts';
import type { Invocation } from '../setup/invocation.ts';
import type { Machine } from '../../process/machine.ts';

/** Context of a subcommand. */
interface CommandContext {
  /** Creates the server object. @throws UsageError if the options name an unknown tool or tool set, or an unusable key file */
  readonly create: () => Promise<ServerInstance>;
  readonly log: Log;
  readonly print: (text: string) => void;
  /** Prints a note for people to stderr, so that stdout contains only the output for programs. */
  readonly note: (text: string) => void;
  readonly invocation: Invocation;
  readonly machine: Machine;
}

/** A subcommand; resolves to the exit code. */
export interface Command {
  readonly summary: string;
  /** Name of the operand in `--help`, which precedes the arguments of the server. */
  readonly operand?: string;
  /** Flags of the host that only some commands have. Default: none. */
  readonly flags?: readonly ('dry-run' | 'name')[];
  readonly run: (context: CommandContext) => Promise<number>;
}
