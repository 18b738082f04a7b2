import type { PackedPackage } from './pack.mjs';

export function findContentProblems(packed: PackedPackage): readonly string[];
