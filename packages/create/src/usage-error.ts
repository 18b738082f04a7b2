/** The command line cannot be used. The program prints the message and exits with code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
