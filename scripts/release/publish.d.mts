import type { PackedPackage } from './pack.mjs';

export function publishPackages(
  packages: readonly PackedPackage[],
  options: {
    readonly provenance: boolean;
    readonly report: (line: string) => void;
    readonly variables?: Readonly<Record<string, string>>;
  },
): Promise<readonly string[]>;
