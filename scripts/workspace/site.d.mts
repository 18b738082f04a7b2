export function buildSite(directory: string): Promise<{ readonly code: number; readonly output: string }>;
