import path from 'node:path';

import type { FilePlace } from './subject.ts';

/** Where it shows that a directory between two paths came, went or was replaced. */
export function placesBetween(above: string, below: string): readonly FilePlace[] {
  const names = path.relative(above, path.dirname(below)).split(path.sep);
  const isBelow = names[0] !== '' && names[0] !== '..' && !path.isAbsolute(names[0] ?? '');
  return isBelow ? names.map((_, index) => ({ kind: 'file', path: path.join(above, ...names.slice(0, index + 1)) })) : [];
}
