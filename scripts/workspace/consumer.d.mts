export function linkPackages(modules: string, packages: ReadonlyMap<string, string>): void;
