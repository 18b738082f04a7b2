import type { Diagnosis } from '../server-object.ts';
import type { DirectoryOptions } from './directory-options.ts';

/** What `check` says of a server that was started without directories. */
export function withoutDirectories({ roots }: Pick<DirectoryOptions, 'roots'>): Diagnosis {
  const calls = roots === 'off' ? 'every call fails with ROOTS_REQUIRED' : 'only clients that name their roots can call';
  return { subject: 'roots', ok: false, detail: `no directories; ${calls}, and nothing is listed, completed or watched` };
}
