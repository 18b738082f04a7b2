export interface ReleaseTarget {
  readonly scope: string;
  readonly repository: string;
}

export function readTarget(environment?: Readonly<Record<string, string | undefined>>): ReleaseTarget;
