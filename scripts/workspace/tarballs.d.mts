import type { publishedPackages } from './packages.mjs';

export function packPackages(
  directory: string,
  packages: ReturnType<typeof publishedPackages>,
): Promise<{
  readonly code: number;
  readonly output: string;
  readonly tarballs: ReadonlyMap<string, string>;
  readonly extracted: ReadonlyMap<string, string>;
}>;
