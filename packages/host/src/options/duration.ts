import { isQuantity, parseQuantity, type Quantity, type Range } from './quantity.ts';

const DURATION: Quantity = {
  expected: 'a duration like 500ms, 30s, 5m or 2h',
  units: { ms: 1, s: 1000, m: 60_000, h: 3_600_000 },
  // A timer of Node cannot be set for longer than 2 ** 31 - 1 ms.
  most: '596h',
};

/** Milliseconds of `500ms`, `30s`, `5m` or `2h`. @throws UsageError for another text, nothing, or more than 596 hours */
export function parseDuration(text: string): number {
  return parseQuantity(text, DURATION);
}

/** The value of an option is a duration, which {@link parseDuration} reads; nothing at all is none. */
export function IsDuration(range: Range = {}): PropertyDecorator {
  return isQuantity('isDuration', DURATION, range);
}
