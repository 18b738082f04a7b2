import type { ReleaseTarget } from '../workspace/scope.mjs';

export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  readonly tarball: string;
  /** Directory of the extracted tarball. */
  readonly extracted: string;
  readonly files: readonly string[];
  readonly dependencies: readonly string[];
  readonly kilobytes: number;
}

export function packRelease(directory: string, unpacked: string, target: ReleaseTarget): Promise<readonly PackedPackage[]>;
