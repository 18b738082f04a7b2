import type { Arguments } from '../options/arguments.ts';
import type { Option } from '../options/option.ts';

/** How a server was called. */
export interface Invocation {
  /** The server's name. */
  readonly server: string;
  /** What stood behind a subcommand that takes something. */
  readonly operand: string | undefined;
  readonly options: readonly Option[];
  /** The property that takes the arguments without a flag. */
  readonly positional: string | undefined;
  readonly arguments: Arguments;
  /** The arguments without a flag, without the subcommand and its operand. */
  readonly positionals: readonly string[];
  /** The options that came of it all. */
  readonly chosen: object;
  /** The names of the subcommands, which the first argument may not have. */
  readonly commands: readonly string[];
}
