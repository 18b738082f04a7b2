import { WritingOptions } from './writing-options.ts';

/** Options of the filesystem server. */
export class FilesystemOptions extends WritingOptions {
  static override readonly positional: string | undefined = 'directories';
}
