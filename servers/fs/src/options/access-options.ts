import { Flag, OneOf, TextList } from '@org/mcp-decorators';
import { DirectoryOptions } from '@org/mcp-host';

const HARD_LINKS = ['allow', 'deny'] as const;

/** Options of what may be touched. */
export class AccessOptions extends DirectoryOptions {
  @TextList('Directories that may be read and written; paths elsewhere are refused', { title: 'DIRECTORY', format: 'path' })
  directories: string[] = [];

  @TextList('Directories that may only be read', { title: 'DIRECTORY', format: 'path' }) ro: string[] = [];

  @TextList('Directories that may be read and written, also inside those of --ro', { title: 'DIRECTORY', format: 'path' })
  rw: string[] = [];

  @TextList('Globs of what may not be touched, in any case; one without a slash matches names at any depth', { title: 'GLOBS' })
  deny: string[] = [];

  @TextList('Globs of what may be touched although it is denied, in exactly this spelling', { title: 'GLOBS' })
  allow: string[] = [];

  @Flag('Deny files that commonly hold secrets, such as .env, *.pem and .ssh') defaultDeny = true;

  @Flag('Allow changes in git directories and of .gitconfig and .config/git/config, which can make git run programs')
  allowGitDir = false;

  @Flag('Follow symbolic links that stay inside the directories') followSymlinks = true;
  @Flag('Enter file systems that are mounted inside the directories') crossMounts = true;

  @OneOf(HARD_LINKS, 'Files with a second name, which may lie outside the directories', { title: 'WHAT' })
  hardLinks: 'allow' | 'deny' = 'allow';
}
