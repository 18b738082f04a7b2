/** The operator's options or files cannot be used. The process prints the message and exits with code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
