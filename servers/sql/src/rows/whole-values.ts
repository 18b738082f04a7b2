import type { Row } from './format.ts';

/** Sink that stores the first value of the first row without cutting the value, and ignores everything else. */
export class WholeValues {
  readonly truncated: undefined;
  first: string | undefined;

  add([value]: Row): boolean {
    this.first ??= value ?? undefined;
    return true;
  }
}
