import { Integer } from '@org/mcp-decorators';

import { AccessOptions } from './access-options.ts';

/** As many paths as a call may name whatever the operator says: they are refused before they are looked at. */
export const MAX_FILES = 500;

/** Options of what reading may cost. */
export class ReadingOptions extends AccessOptions {
  // Hosts show a model at least 20,000 characters of a result. Maximum: the SDK's stdio clients close at a message of 10 MiB, JSON
  // writes a control character with six bytes, and names of files are sent beside their content.
  @Integer('Maximum number of bytes that a call returns; a note says how to read the rest', {
    min: 1024,
    max: 1_048_576,
    title: 'BYTES',
  })
  maxBytes = 20_000;

  // Clients read a resource as a whole.
  @Integer('Most bytes of a resource that is text, or of what a prompt contains', { min: 1024, max: 1_572_864, title: 'BYTES' })
  maxResourceBytes = 262_144;

  @Integer('Maximum number of files that one read_multiple_files call reads', { min: 1, max: MAX_FILES, title: 'N' })
  maxFiles = 100;

  // Base64 is a third longer.
  @Integer('Most bytes of a file that read_media_file returns', { min: 1024, max: 7_340_032, title: 'BYTES' })
  maxMediaBytes = 5_242_880;

  @Integer('Most bytes of a file that get_file_info reads to hash it or to count its lines', {
    min: 1024,
    max: 1_000_000_000_000,
    title: 'BYTES',
  })
  maxHashBytes = 4_294_967_296;
}
