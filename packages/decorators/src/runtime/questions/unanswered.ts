/** Stands where an answer would be if the client failed to give one. */
export class Unanswered {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}
