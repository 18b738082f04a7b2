import { isQuantity, parseQuantity, type Quantity, type Range } from './quantity.ts';

const SIZE: Quantity = {
  expected: 'a size like 4096, 64kb, 4mb or 1gb',
  units: { '': 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 },
  most: '1024gb',
};

/** Bytes of `4096`, `64kb`, `4mb` or `1gb`, in powers of 1024. @throws UsageError for another text, nothing, or more than 1024 GiB */
export function parseSize(text: string): number {
  return parseQuantity(text, SIZE);
}

/** The value of an option is a size, which {@link parseSize} reads; nothing at all is none. */
export function IsSize(range: Range = {}): PropertyDecorator {
  return isQuantity('isSize', SIZE, range);
}
