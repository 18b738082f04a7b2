/** The machine, and how the program was started. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home directory of the user. */
  readonly home: string;
  /** Current directory. */
  readonly directory: string;
  /** Absolute path of Node.js. */
  readonly node: string;
  /** Path of the script that Node.js runs (`process.argv[1]`); `undefined` if Node.js runs without a script. */
  readonly script: string | undefined;
}
