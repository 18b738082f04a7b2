import { invalidPath } from '../failures.ts';
import { NAMING, WINDOWS } from './naming.ts';
import { strangeness } from './windows-names.ts';

/**
 * Passes on one name of a directory's entries.
 *
 * @throws ToolError INVALID_PATH for a path, and for what stands for something else
 */
export function requireName(name: string): string {
  const isName = name !== '' && name !== '.' && name !== '..' && !name.includes('\0') && !name.includes('/');
  if (!isName || (NAMING === WINDOWS && (name.includes('\\') || strangeness(name) !== undefined)))
    throw invalidPath(`${JSON.stringify(name.slice(0, 255))} is not the name of a file`);
  return name;
}
