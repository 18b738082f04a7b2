import { fileURLToPath } from 'node:url';

const TSX = fileURLToPath(import.meta.resolve('tsx/cli'));
const PACKAGE = new URL('..', import.meta.url);

/** How a program is started by tsx, which looks for its settings in the working directory. */
export function underTsx(
  program: URL,
  cwd: URL = PACKAGE,
): { readonly command: string; readonly args: string[]; readonly cwd: string } {
  return { command: process.execPath, args: [TSX, fileURLToPath(program)], cwd: fileURLToPath(cwd) };
}
