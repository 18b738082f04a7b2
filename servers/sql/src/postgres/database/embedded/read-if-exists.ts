import { readFileSync } from 'node:fs';

/** Returns the text of the file, or an empty string if the file is unreadable. */
export function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
