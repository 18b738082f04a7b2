import type { Arguments } from '../../options/arguments.ts';
import type { Option } from '../../options/option.ts';

/** The parsed invocation of the program. */
export interface Invocation {
  /** Name of the server. */
  readonly server: string;
  /** Operand of the subcommand, if any. */
  readonly operand: string | undefined;
  readonly options: readonly Option[];
  /** Name of the property that takes the arguments without a flag. */
  readonly positional: string | undefined;
  readonly arguments: Arguments;
  /** Arguments without a flag, except the subcommand and its operand. */
  readonly positionals: readonly string[];
  /** The resulting options object. */
  readonly chosen: object;
  /** Names of all subcommands. */
  readonly commands: readonly string[];
}
