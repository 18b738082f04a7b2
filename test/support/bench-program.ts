import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Resolves to the output of a program in `bench/`. If the program fails, the reason follows the output. */
export async function runBenchProgram(name: string, ...args: readonly string[]): Promise<string> {
  const program = fileURLToPath(new URL(`../../bench/${name}`, import.meta.url));
  try {
    return (await promisify(execFile)(process.execPath, [program, ...args])).stdout;
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) return `${String(error.stdout)}\n${error.message}`;
    throw error;
  }
}
