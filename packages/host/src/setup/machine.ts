/** What a program knows of the machine and of how it was started. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home directory. */
  readonly home: string;
  /** The current directory. */
  readonly directory: string;
  /** The absolute path of Node.js. */
  readonly node: string;
  /** The file that Node.js was told to run, as it was named; `undefined` if it was told none. */
  readonly script: string | undefined;
}
