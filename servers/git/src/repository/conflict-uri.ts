import type { Repository } from './repository.ts';

/** The resource of one side of a conflict, `git://{repo}/conflict/{stage}/{+path}`. */
export function conflictUri({ id }: Repository, stage: number, path: string): string {
  return `git://${encodeURIComponent(id)}/conflict/${stage}/${path.split('/').map(encodeURIComponent).join('/')}`;
}
