import { spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';

export function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

export function works(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args).status === 0;
}

/** Whether the packages acl and attr are installed. */
export const CAN_SET: boolean =
  process.platform === 'linux' && ['setfacl', 'setfattr'].every((program) => works(program, '--version'));

/** The ACL and the attributes of a file, as text. */
export function accessOf(file: string): string {
  return (
    run('getfacl', '--omit-header', '--absolute-names', '--numeric', file) + run('getfattr', '--dump', '--absolute-names', file)
  );
}

/** A file that user 1000 may read and its group may not, although the bits of the group in its mode say so. */
export async function fileWithAcl(directory: string): Promise<string> {
  const file = path.join(directory, 'f.txt');
  await writeFile(file, 'one\n');
  await chmod(file, 0o600);
  run('setfacl', '--modify', 'user:1000:r,group::-', file);
  run('setfattr', '--name', 'user.origin', '--value', 'here', file);
  return file;
}
