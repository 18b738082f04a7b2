import type { Row } from './format.ts';

/** Takes rows of our own statements, whose first value is all that counts and is never cut. */
export class WholeValues {
  readonly truncated: undefined;
  first: string | undefined;

  add([value]: Row): boolean {
    this.first ??= value ?? undefined;
    return true;
  }
}
