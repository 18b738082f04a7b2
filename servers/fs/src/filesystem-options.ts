import { Flag, Integer, OneOf, TextList } from '@org/mcp-decorators';
import { DirectoryOptions, Duration, type OptionGroups, Size } from '@org/mcp-host';

import { DURABILITIES, type Durability } from './storage/write-atomically.ts';
import { MAX_FILES } from './tools/reading/read-multiple-files.ts';

const HARD_LINKS = ['allow', 'deny'] as const;
const GITIGNORE = ['search', 'all', 'off'] as const;
const LARGEST_FILE = 268_435_456;

/** Options for the filesystem server: access, reading, finding, changing. */
export class FilesystemOptions extends DirectoryOptions {
  static override readonly positional: string | undefined = 'directories';
  static override readonly groups: OptionGroups = {
    Access: ['ro', 'rw', 'deny', 'allow', 'defaultDeny', 'allowGitDir', 'followSymlinks', 'crossMounts', 'hardLinks'],
    'Reading and searching': [
      'maxBytes',
      'maxResourceBytes',
      'maxFiles',
      'maxMediaBytes',
      'maxImageSide',
      'maxImageBytes',
      'maxImagePixels',
      'maxDocumentBytes',
      'maxDocumentTime',
      'maxHashBytes',
      'gitignore',
      'hidden',
      'maxEntries',
      'maxMatches',
      'maxScanned',
      'maxSearchTime',
    ],
    Changing: [
      'durability',
      'maxEditBytes',
      'maxBinaryBytes',
      'maxReplaceFiles',
      'maxReplaceBytes',
      'maxReplacements',
      'maxTreeEntries',
      'lockTimeout',
      'maxJournalBytes',
      'maxJournalAge',
      'maxCheckpoints',
      'maxRewindFiles',
      'maxMergeBytes',
      'maxArchiveEntries',
      'maxArchiveBytes',
      'maxArchiveRatio',
    ],
  };

  @TextList('Directories that may be read and written; paths outside all given directories are rejected', {
    title: 'DIRECTORY',
    format: 'path',
  })
  directories: string[] = [];

  @TextList('Directories that may only be read', { title: 'DIRECTORY', format: 'path' }) ro: string[] = [];

  @TextList('Directories that may be read and written, even inside a --ro directory', { title: 'DIRECTORY', format: 'path' })
  rw: string[] = [];

  @TextList('Globs of denied paths, in any letter case; a glob without a slash matches names at any depth', { title: 'GLOBS' })
  deny: string[] = [];

  @TextList('Globs of exceptions to denied paths, in exactly this spelling', { title: 'GLOBS' }) allow: string[] = [];
  @Flag('Deny files that commonly contain secrets, such as .env, *.pem and .ssh') defaultDeny = true;

  @Flag('Allow changes to git directories, .gitconfig and .config/git/config, which can make git run programs')
  allowGitDir = false;

  @Flag('Follow symbolic links that stay inside the directories') followSymlinks = true;
  @Flag('Enter file systems that are mounted inside the directories') crossMounts = true;

  @OneOf(HARD_LINKS, 'Whether files with a second hard link can be opened; the second link may be outside the directories', {
    title: 'WHAT',
  })
  hardLinks: 'allow' | 'deny' = 'allow';

  // The default is low enough for every known host: each shows a model at least 20,000 characters of a result. The maximum stays
  // far below the 10 MiB that the SDK's stdio clients accept, because JSON may write a character as six bytes.
  @Size('Maximum number of bytes that a call returns; a note says how to read the rest', {
    min: 1024,
    max: 1_048_576,
  })
  maxBytes = 20_000;

  // The default is higher than that of `maxBytes`, because a client cannot read a part of a resource.
  @Size('Maximum number of bytes of a text resource, or of the file or directory tree in a prompt', {
    min: 1024,
    max: 1_572_864,
  })
  maxResourceBytes = 262_144;

  @Integer('Maximum number of files that one read_multiple_files call reads', { min: 1, max: MAX_FILES, title: 'N' }) maxFiles =
    100;

  // The maximum of 7 MiB still fits into a message of 10 MiB, because base64 adds a third to the size.
  @Size('Maximum number of bytes of a file that read_media_file returns', { min: 1024, max: 7_340_032 })
  maxMediaBytes = 5_242_880;

  // Models scale down images whose side is longer than the default.
  @Integer('Longest side, in pixels, of an image that read_media_file returns; larger images are scaled if sharp is installed', {
    min: 64,
    max: 16_384,
    title: 'PIXELS',
  })
  maxImageSide = 1568;

  @Size('Maximum number of bytes of an image that is scaled', { min: 1024, max: LARGEST_FILE }) maxImageBytes = 67_108_864;

  @Integer('Maximum number of pixels of an image that is scaled', { min: 10_000, max: 1_000_000_000, title: 'PIXELS' })
  maxImagePixels = 100_000_000;

  @Size('Maximum number of bytes of a document that read_document reads, and of its text', { min: 1024, max: LARGEST_FILE })
  maxDocumentBytes = 33_554_432;

  @Duration('Time limit for reading one document', { min: 100, max: 600_000 }) maxDocumentTime = 20_000;

  @Size('Maximum number of bytes of a file that get_file_info hashes or counts lines of', {
    min: 1024,
    max: 1_099_511_627_776,
  })
  maxHashBytes = 4_294_967_296;

  @OneOf(GITIGNORE, 'Calls that respect .gitignore files by default: searches and trees (search), also lists (all), none (off)', {
    title: 'WHERE',
  })
  gitignore: 'search' | 'all' | 'off' = 'search';

  @Flag('List and search names that begin with a dot by default') hidden = true;
  @Integer('Maximum number of entries that one list or tree returns', { min: 1, max: 200_000, title: 'N' }) maxEntries = 2000;
  @Integer('Maximum number of matches that one search returns', { min: 1, max: 50_000, title: 'N' }) maxMatches = 1000;
  @Integer('Maximum number of entries that one list or search examines', { min: 1, max: 10_000_000, title: 'N' }) maxScanned =
    1_000_000;
  @Duration('Time limit of one list or search', { min: 100, max: 600_000 }) maxSearchTime = 10_000;

  @OneOf(
    DURABILITIES,
    'full: changes survive a power failure; fast: changes survive the end of the process, but possibly not a power failure',
    {
      title: 'HOW',
    },
  )
  durability: Durability = 'full';

  @Size('Maximum size of a file that edit_file or replace_in_files changes', { min: 1024, max: LARGEST_FILE })
  maxEditBytes = 16_777_216;

  // The maximum of 7 MiB still fits into a message of 10 MiB, because base64 adds a third to the size.
  @Size('Maximum number of bytes that write_file writes from base64', { min: 1024, max: 7_340_032 })
  maxBinaryBytes = 5_242_880;

  @Integer('Maximum number of files that one replace_in_files call changes', { min: 1, max: 1000, title: 'N' }) maxReplaceFiles =
    100;

  @Integer(
    'Maximum number of bytes of all files that one replace_in_files call changes, and of characters that the call inserts',
    {
      min: 1024,
      max: LARGEST_FILE,
      title: 'BYTES',
    },
  )
  maxReplaceBytes = 33_554_432;

  @Integer('Maximum number of occurrences that one replace_in_files call replaces', { min: 1, max: 100_000, title: 'N' })
  maxReplacements = 10_000;

  @Integer('Maximum number of entries of a directory that is copied, or that is stored in the undo journal', {
    min: 1,
    max: 1_000_000,
    title: 'N',
  })
  maxTreeEntries = 10_000;

  @Duration('How long a change waits for other changes of the same file', { min: 100, max: 600_000 })
  lockTimeout = 30_000;

  @Size('Maximum size of the undo journal; large and old changes are removed first, and one change may use three quarters', {
    min: 1_048_576,
    max: 1_099_511_627_776,
  })
  maxJournalBytes = 268_435_456;

  @Duration('How long changes can be undone', { min: 86_400_000, max: 3650 * 86_400_000 }) maxJournalAge = 2_592_000_000;

  @Integer('Maximum number of checkpoints; the oldest is removed first', { min: 1, max: 10_000, title: 'N' }) maxCheckpoints =
    100;

  @Integer(
    'Maximum number of files and directories that one rewind changes, or that one extraction adds to existing directories',
    { min: 1, max: 1000, title: 'N' },
  )
  maxRewindFiles = 200;

  @Size('Maximum size of a file whose later edits a rewind merges', { min: 1024, max: 16_777_216 })
  maxMergeBytes = 1_048_576;

  @Integer('Maximum number of entries of an archive that is listed or extracted', { min: 1, max: 100_000, title: 'N' })
  maxArchiveEntries = 10_000;

  @Size('Maximum number of bytes of the contents of an archive that is listed or extracted', { min: 1024, max: 1_073_741_824 })
  maxArchiveBytes = 67_108_864;

  @Integer('Maximum ratio of the contents of an archive to its size; the first 1 MiB of the contents does not count', {
    min: 1,
    max: 10_000,
    title: 'N',
  })
  maxArchiveRatio = 200;
}
