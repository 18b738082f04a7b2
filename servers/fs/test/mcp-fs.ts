import { fileURLToPath } from 'node:url';

/** The program, as it is installed. */
export const BIN: string = fileURLToPath(new URL('../bin/mcp-fs.js', import.meta.url));

/** How the program is started with these arguments. */
export function mcpFs(...args: readonly string[]): { readonly command: string; readonly args: string[] } {
  return { command: process.execPath, args: [BIN, ...args] };
}
