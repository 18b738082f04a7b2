import type { Created } from '../created.ts';
import type { Log } from '../log.ts';

/** What a subcommand works with. */
interface CommandContext {
  /** Makes the server object; throws a `UsageError` if it has not what the options name. */
  readonly create: () => Created;
  readonly log: Log;
  readonly print: (text: string) => void;
}

/** A subcommand; resolves to the exit code. */
export interface Command {
  readonly summary: string;
  readonly run: (context: CommandContext) => Promise<number>;
}
