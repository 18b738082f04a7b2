import path from 'node:path';

/** Whether an absolute, normalised path is a directory or lies below it; `/srv/safe_evil` is not below `/srv/safe`. */
export function isContained(directory: string, candidate: string): boolean {
  const relative = path.relative(directory, candidate);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}
