import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What a program of `bench/` prints; also where it ends badly, with the reason. */
export async function runBenchProgram(name: string, ...args: readonly string[]): Promise<string> {
  const program = fileURLToPath(new URL(`../bench/${name}`, import.meta.url));
  try {
    return (await promisify(execFile)(process.execPath, [program, ...args])).stdout;
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) return `${String(error.stdout)}\n${error.message}`;
    throw error;
  }
}
