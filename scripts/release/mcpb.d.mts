import type { PackedPackage } from './pack.mjs';

export function packBundles(
  directory: string,
  packages: readonly PackedPackage[],
): Promise<readonly { readonly file: string; readonly files: number; readonly kilobytes: number }[]>;
