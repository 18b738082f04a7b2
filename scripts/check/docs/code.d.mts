export function findCodeProblems(files: readonly string[]): Promise<readonly string[]>;
