import { since, type Cell, type Revision, type Transport } from '../messages/cells.ts';
import { BASE } from './base.ts';
import { FEATURES } from './features.ts';
import { LIFECYCLE } from './lifecycle.ts';
import { QUESTIONS } from './questions.ts';
import { STATELESS_HTTP } from './stateless-http.ts';
import { TRANSPORTS } from './transports.ts';
import { UTILITIES } from './utilities.ts';

/** The name of a requirement, by which tests cite it. */
export type RequirementId =
  | keyof typeof BASE
  | keyof typeof LIFECYCLE
  | keyof typeof TRANSPORTS
  | keyof typeof STATELESS_HTTP
  | keyof typeof FEATURES
  | keyof typeof UTILITIES
  | keyof typeof QUESTIONS;

/**
 * A requirement of the specification, shortened to one clause that completes "a server must …" or "a server should …".
 */
export type Requirement = ({ readonly must: string } | { readonly should: string }) & {
  /** Page and heading in the newest revision that contains the requirement. */
  readonly section: string;
  /** First revision with the requirement. Default: the first revision of the protocol. */
  readonly from?: Revision;
  /** Last revision with the requirement. Default: the latest revision. */
  readonly until?: Revision;
  /** Transports to which the requirement applies. Default: all. */
  readonly over?: readonly Transport[];
};

/** All requirements that the tests cite. */
export const REQUIREMENTS: Readonly<Record<RequirementId, Requirement>> = {
  ...BASE,
  ...LIFECYCLE,
  ...TRANSPORTS,
  ...STATELESS_HTTP,
  ...FEATURES,
  ...UTILITIES,
  ...QUESTIONS,
};

/** Whether a requirement applies to a revision over a transport. */
export function holdsFor(id: RequirementId, { revision, transport }: Cell): boolean {
  const { from, until, over } = REQUIREMENTS[id];
  if (from !== undefined && !since(revision, from)) return false;
  if (until !== undefined && revision !== until && since(revision, until)) return false;
  return over === undefined || over.includes(transport);
}
