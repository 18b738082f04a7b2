import type { Repository } from './repository.ts';

/** The full name of the reference that a revision names, such as `refs/heads/main`; of a commit without a name, none. */
export async function symbolicName(repository: Repository, revision: string): Promise<string | undefined> {
  const command = ['rev-parse', '--symbolic-full-name', '--verify', '--quiet', '--end-of-options', revision];
  const { code, stdout } = await repository.read(command, { codes: [0, 1, 128] });
  const name = stdout.toString('utf8').trim();
  return code === 0 && /^(?:refs\/|HEAD$)/.test(name) ? name : undefined;
}
