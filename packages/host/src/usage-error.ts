/** What the operator gave cannot be used: the process says so in a sentence and exits with 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
