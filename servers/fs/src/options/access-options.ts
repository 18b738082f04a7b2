import { Field } from '@org/mcp-decorators';
import { DirectoryOptions } from '@org/mcp-host';
import { IsBoolean, IsIn, IsString } from 'class-validator';

const HARD_LINKS = ['allow', 'deny'] as const;

/** Options of what may be touched. */
export class AccessOptions extends DirectoryOptions {
  @Field('Directories that may be read and written; paths elsewhere are refused', { title: 'DIRECTORY', format: 'path' })
  @IsString({ each: true })
  directories: string[] = [];

  @Field('Directories that may only be read', { title: 'DIRECTORY', format: 'path' })
  @IsString({ each: true })
  ro: string[] = [];

  @Field('Directories that may be read and written, also inside those of --ro', { title: 'DIRECTORY', format: 'path' })
  @IsString({ each: true })
  rw: string[] = [];

  @Field('Globs of what may not be touched, in any case; one without a slash matches names at any depth', { title: 'GLOBS' })
  @IsString({ each: true })
  deny: string[] = [];

  @Field('Globs of what may be touched although it is denied, in exactly this spelling', { title: 'GLOBS' })
  @IsString({ each: true })
  allow: string[] = [];

  @Field('Deny files that commonly hold secrets, such as .env, *.pem and .ssh')
  @IsBoolean()
  defaultDeny = true;

  @Field('Allow changes in git directories and of .gitconfig and .config/git/config, which can make git run programs')
  @IsBoolean()
  allowGitDir = false;

  @Field('Follow symbolic links that stay inside the directories')
  @IsBoolean()
  followSymlinks = true;

  @Field('Enter file systems that are mounted inside the directories')
  @IsBoolean()
  crossMounts = true;

  @Field('Files with a second name, which may lie outside the directories', { title: 'WHAT' })
  @IsIn([...HARD_LINKS])
  hardLinks: 'allow' | 'deny' = 'allow';
}
