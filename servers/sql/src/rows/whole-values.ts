import type { Row } from './format.ts';

/**
 * Sink that stores the first value of the first column that is not NULL, without cutting the value. The sink ignores all other
 * values.
 */
export class WholeValues {
  readonly truncated: undefined;
  first: string | undefined;

  add([value]: Row): boolean {
    this.first ??= value ?? undefined;
    return true;
  }
}
