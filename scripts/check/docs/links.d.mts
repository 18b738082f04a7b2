export function findDeadLinks(files: readonly string[]): readonly string[];
