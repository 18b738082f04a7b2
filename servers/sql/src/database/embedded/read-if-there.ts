import { readFileSync } from 'node:fs';

/** Empty, if it is not there. */
export function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
